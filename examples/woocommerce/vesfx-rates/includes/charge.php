<?php
// The official rate to charge with: of today in Caracas, by the rule of the settings, published and
// confirmed.

namespace VesfxRates;

defined('ABSPATH') || exit;

/** The official market of each currency in which a shop may sell. */
const MARKETS = ['USD' => 'reference', 'EUR' => 'eur_reference'];

/** Whether a shop in this currency has a rate at all. */
function is_on(string $currency): bool
{
    return isset(MARKETS[$currency]) && setting('url') !== '' && setting('key') !== '';
}

/**
 * The rate of today: `quote`, the last one read or null; `current`, whether it is right to charge with
 * it; `reason`, a code of why it is not.
 */
function today(string $currency): array
{
    $made_by = md5(implode(' ', [setting('url'), setting('key'), setting('rule'), $currency]));
    $kept = kept('charge', $made_by) ?? ['quote' => null, 'reason' => 'network_error'];
    // What is kept is written anew after a failure, so its age is looked at here too.
    $is_old = $kept['quote'] !== null && time() - $kept['quote']['read_at'] >= KEEP_SEC;
    $quote = $is_old ? null : $kept['quote'];
    $is_due = $quote === null || is_due($quote['read_at'], time());
    if (!$is_due || !may_ask('charge', $made_by)) {
        $current = !$is_due && $kept['reason'] === '';
        // A rate of before an outage of this page is not current, whatever was said of it then.
        $reason = $current ? '' : ($kept['reason'] ?: 'network_error');
        return ['quote' => $quote, 'current' => $current, 'reason' => $reason];
    }
    $found = read_today($currency, $made_by);
    $quote = $found['quote'] ?? $quote;
    keep('charge', $made_by, ['quote' => $quote, 'reason' => $found['reason']]);
    return ['quote' => $quote, 'current' => $found['reason'] === '', 'reason' => $found['reason']];
}

/** Reads the rate of today and what is known of it: two requests. */
function read_today(string $currency, string $made_by): array
{
    $fails = function (string $reason, int $pause = PAUSE_SEC) use ($made_by): array {
        pause('charge', $made_by, $pause);
        return ['quote' => null, 'reason' => $reason];
    };
    $now = time();
    $day = caracas_day($now);
    $market = MARKETS[$currency];
    $rule = setting('rule');
    // By its date the service refuses a banking day whose rate is not published.
    $answer = ask("/v1/fx/rates/$market?date=$day&rule=$rule");
    if ($answer['reason'] !== '') {
        return $fails($answer['reason'], $answer['pause']);
    }
    if ($answer['at'] !== 0 && caracas_day($answer['at']) !== $day) {
        return $fails('wrong_clock');
    }
    $rate = $answer['body'];
    $value_date = $rate['as_of']['value_date'] ?? null;
    $is_rate = is_numeric($rate['mid'] ?? null) && $rate['mid'] > 0 && is_string($value_date);
    if (!$is_rate || ($rate['base'] ?? '') !== $currency) {
        return $fails('unexpected_answer');
    }
    $is_in_force = $rule === 'value_date' || !empty($rate['as_of']['business_day']);
    $known = $is_in_force
        ? known_in_force($market, (float) $rate['mid'], $value_date)
        : known_to_come($currency, $value_date);
    if ($known['reason'] !== '') {
        return $fails($known['reason'], $known['pause'] ?? PAUSE_SEC);
    }
    // The rate serves for an hour; at midnight the next page asks at once.
    delete_transient('vesfx_rates_pause_charge');
    return ['reason' => '', 'quote' => [
        'rate' => decimal_text($rate['mid']),
        'market' => $market,
        'base' => $currency,
        'value_date' => $value_date,
        'rule' => $rule,
        'evidence' => $known['evidence'],
        'read_at' => $now,
    ]];
}

/** What is known of the rate in force: its evidence, or why it is not one to charge with. */
function known_in_force(string $market, float $mid, string $value_date): array
{
    $answer = ask("/v1/fx/rates/$market?details=true");
    if ($answer['reason'] !== '') {
        return $answer;
    }
    $rate = $answer['body'];
    if (($rate['effective_date'] ?? '') !== $value_date || (float) ($rate['mid'] ?? 0) !== $mid) {
        // It changed between the two requests, as at midnight.
        return ['reason' => 'rate_changed'];
    }
    if (!empty($rate['stale'])) {
        return ['reason' => 'stale'];
    }
    return !empty($rate['in_doubt'])
        ? ['reason' => 'in_doubt']
        : ['reason' => '', 'evidence' => (string) ($rate['evidence'] ?? '')];
}

/** The same of a rate that takes effect on the next banking day; it has no id of evidence yet. */
function known_to_come(string $currency, string $value_date): array
{
    $answer = ask('/v1/fx/official');
    if ($answer['reason'] !== '') {
        return $answer;
    }
    foreach ($answer['body']['in_doubt'] ?? [] as $one) {
        if (($one['currency'] ?? '') === $currency && ($one['value_date'] ?? '') === $value_date) {
            return ['reason' => 'in_doubt'];
        }
    }
    return ['reason' => '', 'evidence' => ''];
}

/**
 * What to charge an order with, by the choice of the shop. `quote` null and `refuses` false: the order
 * has no bolívares.
 */
function charge(string $currency): array
{
    if (!is_on($currency)) {
        return ['quote' => null, 'refuses' => false, 'warning' => ''];
    }
    $today = today($currency);
    if ($today['current']) {
        return ['quote' => $today['quote'], 'refuses' => false, 'warning' => ''];
    }
    $choice = setting('without');
    if ($choice === 'last' && $today['quote'] !== null) {
        return ['quote' => $today['quote'], 'refuses' => false, 'warning' => $today['reason']];
    }
    return ['quote' => null, 'refuses' => $choice !== 'none', 'warning' => $today['reason']];
}
