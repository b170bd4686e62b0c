<?php
// The line at the checkout, and what a new order keeps.

namespace VesfxRates;

defined('ABSPATH') || exit;

/** The rate and its value date in words. */
function quote_text(array $quote): string
{
    return sprintf(
        /* translators: 1: a rate, such as 889,5754; 2: a day, such as 20/11/2026 */
        __('BCV rate %1$s, value date %2$s', 'vesfx-rates'),
        rate_text($quote['rate']),
        day_text($quote['value_date'])
    );
}

/** Why there is no confirmed rate of today, in words, with the code. */
function reason_text(string $reason): string
{
    $words = [
        'stale' => __('the rate is older than it should be', 'vesfx-rates'),
        'in_doubt' => __('the rate is not confirmed', 'vesfx-rates'),
        'rate_not_published' => __('the rate of today is not published', 'vesfx-rates'),
        'network_error' => __('the service does not answer', 'vesfx-rates'),
        'invalid_api_key' => __('the key is not valid', 'vesfx-rates'),
        'scope_missing' => __('the key lacks a permission', 'vesfx-rates'),
        'quota_exceeded' => __('the units of the month are used up', 'vesfx-rates'),
        'wrong_clock' => __('the clock of this server shows another day', 'vesfx-rates'),
    ];
    return isset($words[$reason]) ? "{$words[$reason]} ($reason)" : $reason;
}

function refusal_text(): string
{
    return __('There is no confirmed rate of today at this moment. Please try again in a minute.', 'vesfx-rates');
}

/** What tells one rate from another, to see whether the customer saw this one. */
function mark_of(?array $quote): string
{
    return $quote === null ? '' : "{$quote['rate']} {$quote['value_date']}";
}

function show_line(): void
{
    $charge = charge(get_woocommerce_currency());
    if ($charge['quote'] === null && !$charge['refuses']) {
        return;
    }
    $value = esc_html(refusal_text());
    if ($charge['quote'] !== null) {
        WC()->session->set('vesfx_rates_seen', mark_of($charge['quote']));
        $amount = amount_of(WC()->cart->get_total('edit'), $charge['quote']['rate']);
        $value = esc_html(bolivares($amount)) . '<br><small>' . esc_html(line_text($charge)) . '</small>';
    }
    $label = esc_html__('Total in bolívares', 'vesfx-rates');
    echo "<tr class=\"vesfx-rates\"><th>$label</th><td data-title=\"" . esc_attr($label) . "\">$value</td></tr>";
}

/** The rate in words, and whether it is only the last one read. */
function line_text(array $charge): string
{
    $text = quote_text($charge['quote']);
    return $charge['warning'] === '' ? $text : $text . ', ' . sprintf(
        /* translators: %s: how long ago the rate was read */
        __('read %s ago', 'vesfx-rates'),
        human_time_diff($charge['quote']['read_at'], time())
    );
}

function amount_of($total, string $rate): string
{
    return multiply(decimal_text($total), $rate, decimals());
}

add_action('woocommerce_cart_totals_after_order_total', __NAMESPACE__ . '\show_line');
add_action('woocommerce_review_order_after_order_total', __NAMESPACE__ . '\show_line');

/** The block of the checkout makes its own totals in the browser: the rate stands above it. */
function above_block($html)
{
    $charge = charge(get_woocommerce_currency());
    if ($charge['quote'] === null && !$charge['refuses']) {
        return $html;
    }
    if ($charge['quote'] !== null && WC()->session) {
        WC()->session->set('vesfx_rates_seen', mark_of($charge['quote']));
    }
    $text = $charge['quote'] === null ? refusal_text() : line_text($charge);
    return '<p class="vesfx-rates">' . esc_html($text) . '</p>' . $html;
}

add_filter('render_block_woocommerce/checkout', __NAMESPACE__ . '\above_block');
add_filter('render_block_woocommerce/cart', __NAMESPACE__ . '\above_block');

/** Why this order cannot be taken now; empty when it can. */
function refusal(string $currency): string
{
    $charge = charge($currency);
    if ($charge['refuses']) {
        return refusal_text();
    }
    $session = WC()->session;
    $seen = $session ? (string) $session->get('vesfx_rates_seen') : '';
    $now = mark_of($charge['quote']);
    if ($seen === '' || $now === '' || $seen === $now) {
        return '';
    }
    // Said once: the next attempt is made by one who has seen the new rate.
    $session->set('vesfx_rates_seen', $now);
    return sprintf(
        /* translators: %s: the new rate and its value date */
        __('The rate has changed: %s. Please look at the total and order again.', 'vesfx-rates'),
        quote_text($charge['quote'])
    );
}

add_action('woocommerce_after_checkout_validation', function ($data, $errors) {
    $refusal = refusal(get_woocommerce_currency());
    if ($refusal !== '') {
        $errors->add('vesfx_rates', esc_html($refusal));
    }
}, 10, 2);

add_action('woocommerce_checkout_create_order', function ($order) {
    keep_rate($order);
});

// The checkout of blocks makes a draft, and asks with POST when the customer orders.
add_action('woocommerce_store_api_checkout_update_order_from_request', function ($order, $request) {
    if ($request->get_method() !== 'POST') {
        return;
    }
    $refusal = refusal($order->get_currency());
    if ($refusal !== '') {
        $error = '\Automattic\WooCommerce\StoreApi\Exceptions\RouteException';
        throw new $error('vesfx_rates', esc_html($refusal), 409);
    }
    keep_rate($order);
    $order->save();
}, 10, 2);

/** Stores in the order, which is not saved yet, what its invoice needs. */
function keep_rate($order): void
{
    $charge = charge($order->get_currency());
    $quote = $charge['quote'];
    if ($quote === null) {
        foreach (META as $name) {
            $order->delete_meta_data($name);
        }
        return;
    }
    $order->update_meta_data('_vesfx_rate', $quote['rate']);
    $order->update_meta_data('_vesfx_market', $quote['market']);
    $order->update_meta_data('_vesfx_value_date', $quote['value_date']);
    $order->update_meta_data('_vesfx_rule', $quote['rule']);
    $order->update_meta_data('_vesfx_evidence', $quote['evidence']);
    $order->update_meta_data('_vesfx_read_at', gmdate('Y-m-d\TH:i:s\Z', $quote['read_at']));
    $order->update_meta_data('_vesfx_decimals', (string) decimals());
    $order->update_meta_data('_vesfx_amount_ves', amount_of($order->get_total('edit'), $quote['rate']));
    // Empty for a confirmed rate of the day.
    $order->update_meta_data('_vesfx_warning', $charge['warning']);
}
