<?php
// Asks the service, never for longer than a visitor should wait.

namespace VesfxRates;

defined('ABSPATH') || exit;

const WAIT_SEC = 3;        // the longest wait of a page, for all its requests together
const LEAST_WAIT_SEC = 0.5; // a request with less time than this is not made
const PAUSE_SEC = 60;      // after a request no page makes another one
const REFUSED_SEC = 3600;  // the same when the key was refused, and the longest pause
const KEEP_SEC = 86400;    // a rate that cannot be renewed is kept for so long, with its age
const OFFICIAL_SEC = 3600; // an official rate serves for so long, at most until midnight
const OTHERS_SEC = 300;    // and any other rate for so long

/** The day in Caracas, which is four hours behind UTC the whole year. */
function caracas_day(int $time): string
{
    return gmdate('Y-m-d', $time - 4 * 3600);
}

/** Whether an official rate read at that time must be read again. */
function is_due(int $read_at, int $now): bool
{
    return $now < $read_at
        || $now - $read_at >= OFFICIAL_SEC
        || caracas_day($now) !== caracas_day($read_at);
}

/** What is kept of this kind; null when another address, key or setting made it. */
function kept(string $kind, string $made_by): ?array
{
    $found = get_transient("vesfx_rates_$kind");
    return is_array($found) && ($found['made_by'] ?? '') === $made_by ? $found : null;
}

function keep(string $kind, string $made_by, array $what): void
{
    set_transient("vesfx_rates_$kind", ['made_by' => $made_by] + $what, KEEP_SEC);
}

/** Whether this page may ask now. It asks once, and then no page does for a minute. */
function may_ask(string $kind, string $made_by): bool
{
    static $asked = [];
    if (isset($asked[$kind]) || get_transient("vesfx_rates_pause_$kind") === $made_by) {
        return false;
    }
    $asked[$kind] = true;
    // Before the request, so that other visitors do not wait for it too.
    pause($kind, $made_by, PAUSE_SEC);
    return true;
}

function pause(string $kind, string $made_by, int $sec): void
{
    set_transient("vesfx_rates_pause_$kind", $made_by, min(REFUSED_SEC, max(PAUSE_SEC, $sec)));
}

/**
 * One request. `body` is the answer of a status 200, `reason` the code of any other outcome, and `at`
 * the time of the service.
 */
function ask(string $path): array
{
    static $spent = 0.0;
    $failed = ['body' => null, 'reason' => 'network_error', 'pause' => PAUSE_SEC, 'at' => 0];
    if (WAIT_SEC - $spent < LEAST_WAIT_SEC) {
        return $failed;
    }
    $begun = microtime(true);
    $response = wp_remote_get(rtrim(setting('url'), '/') . $path, [
        'headers' => ['X-API-Key' => setting('key')],
        'timeout' => WAIT_SEC - $spent,
        // The key must not go where a redirect points.
        'redirection' => 0,
        'limit_response_size' => 1048576,
    ]);
    $spent += microtime(true) - $begun;
    if (is_wp_error($response)) {
        return $failed;
    }
    $status = (int) wp_remote_retrieve_response_code($response);
    $answer = json_decode(wp_remote_retrieve_body($response), true);
    $at = (int) strtotime(wp_remote_retrieve_header($response, 'date'));
    if ($status === 200 && is_array($answer)) {
        return ['body' => $answer, 'reason' => '', 'pause' => PAUSE_SEC, 'at' => $at];
    }
    $refused = $status === 401 || $status === 403;
    $after = (int) wp_remote_retrieve_header($response, 'retry-after');
    $code = is_array($answer) && isset($answer['code']) ? (string) $answer['code'] : 'unexpected_answer';
    return ['body' => null, 'reason' => $code, 'pause' => $refused ? REFUSED_SEC : $after, 'at' => $at];
}
