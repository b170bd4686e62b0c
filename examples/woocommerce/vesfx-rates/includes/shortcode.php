<?php
// [vesfx_rate market="parallel"]: a rate of any market in a post, with its age.

namespace VesfxRates;

defined('ABSPATH') || exit;

/** Whether a rate read at that time is no longer the newest one. */
function is_row_due(?array $row, int $read_at, int $now): bool
{
    if (($row['type'] ?? 'reference') === 'reference') {
        return is_due($read_at, $now);
    }
    return $now < $read_at || $now - $read_at >= OTHERS_SEC;
}

/** All rates of the plan by market, with one request; null after a failure. */
function read_rates(string $made_by): ?array
{
    $answer = ask('/v1/fx/rates');
    if (!is_array($answer['body']['rates'] ?? null)) {
        pause('shown', $made_by, $answer['pause']);
        return null;
    }
    // The time of the service: the clock of the shop may be wrong.
    $answered_at = $answer['at'] ?: time();
    $kept = ['read_at' => time(), 'rates' => []];
    foreach ($answer['body']['rates'] as $row) {
        $row['age_sec'] = $answered_at - strtotime($row['updated_at']);
        $kept['rates'][$row['market']] = $row;
    }
    keep('shown', $made_by, $kept);
    return $kept;
}

/** A rate that is not stale, with its age; null when there is none to show. */
function shown_rate(string $market): ?array
{
    if (setting('url') === '' || setting('key') === '') {
        return null;
    }
    $made_by = md5(setting('url') . ' ' . setting('key'));
    $kept = kept('shown', $made_by) ?? ['read_at' => 0, 'rates' => []];
    $is_due = is_row_due($kept['rates'][$market] ?? null, $kept['read_at'], time());
    if ($is_due && may_ask('shown', $made_by)) {
        $kept = read_rates($made_by) ?? $kept;
    }
    $row = $kept['rates'][$market] ?? null;
    $now = time();
    $kept_sec = $now - $kept['read_at'];
    if ($row === null || $kept_sec < 0 || $row['age_sec'] + $kept_sec > $row['stale_after_sec']) {
        return null;
    }
    $age = human_time_diff($kept['read_at'] - $row['age_sec'], $now);
    $read = human_time_diff($kept['read_at'], $now);
    return [
        'rate' => decimal_text($row['mid']),
        'dated' => isset($row['effective_date'])
            /* translators: %s: a day, such as 20/11/2026 */
            ? sprintf(__('value date %s', 'vesfx-rates'), day_text($row['effective_date']))
            /* translators: %s: how long ago the rate was updated */
            : sprintf(__('of %s ago', 'vesfx-rates'), $age),
        'read' => is_row_due($row, $kept['read_at'], $now)
            /* translators: %s: how long ago the rate was read */
            ? sprintf(__('read %s ago', 'vesfx-rates'), $read)
            : '',
    ];
}

/** A day as it is written in Venezuela. */
function day_text(string $day): string
{
    return implode('/', array_reverse(explode('-', $day)));
}

add_shortcode('vesfx_rate', function ($given) {
    $asked = shortcode_atts(['market' => 'reference'], $given);
    $rate = shown_rate((string) $asked['market']);
    if ($rate === null) {
        return esc_html__('Rate not available', 'vesfx-rates');
    }
    $notes = implode(', ', array_filter([$rate['dated'], $rate['read']]));
    return esc_html('Bs. ' . rate_text($rate['rate']) . " ($notes)");
});
