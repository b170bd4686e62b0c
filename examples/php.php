<?php
// An amount in bolívares, with the rate, its age and its source.
//
//   VESFX_URL=http://127.0.0.1:8080 VESFX_KEY=vfx_live_… php php.php 100 parallel
//
// PHP 8.1 or later, without extensions.
declare(strict_types=1);

// Numbers are shown with all the digits that they have.
ini_set('precision', '-1');

const TIMEOUT_SEC = 10;
const TRIES = 4;
const LONGEST_WAIT_SEC = 60;

/** An error of the service. Decide on the code: sentences may change. */
final class VesfxError extends Exception
{
    public function __construct(public readonly string $errorCode, string $message)
    {
        parent::__construct($message);
    }
}

/** One request: status, headers by lower-case name, body. */
function ask(string $address, string $key): array
{
    $context = stream_context_create(['http' => [
        'header' => "X-API-Key: $key",
        'timeout' => TIMEOUT_SEC,
        // The body of an error is wanted, and the key must not go where a redirect points.
        'ignore_errors' => true,
        'follow_location' => 0,
    ]]);
    $body = @file_get_contents($address, false, $context);
    if ($body === false) {
        throw new VesfxError('network_error', 'The service does not answer.');
    }
    $headers = [];
    $status = 0;
    foreach ($http_response_header as $line) {
        if (preg_match('{^HTTP/\S+ (\d{3})}', $line, $found)) {
            $status = (int) $found[1];
        } elseif (str_contains($line, ':')) {
            [$name, $value] = explode(':', $line, 2);
            $headers[strtolower($name)] = trim($value);
        }
    }
    return [$status, $headers, $body];
}

/** The answer of the service. When it asks to wait (429, 503), waits and asks again. */
function get(string $path, array $query): array
{
    $url = rtrim(getenv('VESFX_URL') ?: 'http://127.0.0.1:8080', '/');
    $key = getenv('VESFX_KEY') ?: '';
    for ($tried = 1; ; $tried++) {
        [$status, $headers, $body] = ask($url . $path . '?' . http_build_query($query), $key);
        $answer = json_decode($body, true);
        if ($status === 200 && is_array($answer)) {
            return $answer;
        }
        $wait = $headers['retry-after'] ?? '';
        $waitSec = ctype_digit($wait) ? (int) $wait : $tried;
        if (!in_array($status, [429, 503], true) || $tried >= TRIES || $waitSec > LONGEST_WAIT_SEC) {
            $code = $answer['code'] ?? 'unexpected_answer';
            throw new VesfxError($code, $answer['message'] ?? "The status was $status.");
        }
        sleep($waitSec);
    }
}

function ageOf(int $seconds): string
{
    return match (true) {
        $seconds < 3600 => intdiv($seconds, 60) . ' min',
        $seconds < 172800 => intdiv($seconds, 3600) . ' h',
        default => intdiv($seconds, 86400) . ' days',
    };
}

try {
    // An empty parameter counts as absent.
    $query = ['from' => 'USD', 'to' => 'VES', 'amount' => $argv[1] ?? '100', 'via' => $argv[2] ?? ''];
    $quote = get('/v1/fx/convert', $query);
    echo "{$quote['from']['amount']} USD = {$quote['to']['amount']} VES\n";
    echo "1 USD = {$quote['rate']} VES, {$quote['market']}\n";
    if (isset($quote['effective_date'])) {
        echo "value date {$quote['effective_date']}\n";
    }
    echo ageOf($quote['staleness_sec']), ' old', $quote['stale'] ? ': STALE, do not rely on it' : '', "\n";
} catch (VesfxError $error) {
    fwrite(STDERR, "{$error->getMessage()} ({$error->errorCode})\n");
    exit(1);
}
