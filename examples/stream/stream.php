<?php
// Prints the rates whenever one changes. PHP 8.1 or later, on a command line.
declare(strict_types=1);

$url = getenv('VESFX_URL') . '/v1/fx/stream?markets=parallel,binance';
[$mids, $lastId] = [[], ''];
while (true) {
    [$wait, $event] = [3, []];
    $header = ['X-API-Key: ' . getenv('VESFX_KEY'), "Last-Event-ID: $lastId"];
    // A line comes every 15 s at least: after 45 s without one the connection is dead.
    $context = stream_context_create(['http' => ['header' => $header, 'timeout' => 45, 'ignore_errors' => true]]);
    $stream = @fopen($url, 'r', false, $context);
    if ($stream) {
        // Otherwise PHP waits for 8 KB before it gives a line.
        stream_set_chunk_size($stream, 1);
    }
    $head = $stream ? implode("\n", stream_get_meta_data($stream)['wrapper_data']) : 'HTTP/1.1 503';
    $status = (int) explode(' ', $head)[1];
    if ($status !== 200) {
        if ($status < 500 && $status !== 429) {
            exit(stream_get_contents($stream));
        }
        $wait = preg_match('/^Retry-After: (\d+)/mi', $head, $found) ? (int) $found[1] : 30;
    }
    while ($status === 200 && ($line = fgets($stream)) !== false) {
        [$name, $value] = explode(': ', trim($line), 2) + ['', ''];
        if ($name !== '') {
            $event[$name] = $value;
            continue;
        }
        if (($event['event'] ?? '') === 'error') {
            exit($event['data']);
        }
        if (isset($event['data'])) {
            [$data, $lastId] = [json_decode($event['data']), $event['id']];
            $mids = $event['event'] === 'snapshot' ? [] : array_diff_key($mids, array_flip($data->removed ?? []));
            $mids = array_replace($mids, array_column($data->rates, 'mid', 'market'));
            echo json_encode($mids), "\n";
            if ($unsure = [...$data->in_doubt, ...$data->stale, ...$data->frozen]) {
                fwrite(STDERR, 'Not to charge by: ' . implode(', ', $unsure) . "\n");
            }
        }
        $event = [];
    }
    sleep($wait);
}
