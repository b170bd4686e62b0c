<?php
// Prices with the bolívares beside them. They are to look at: what an order is charged is in charge.php.

namespace VesfxRates;

defined('ABSPATH') || exit;

/** What the service says about the rate itself: such a rate is not shown. */
const NOT_SHOWN = ['stale', 'in_doubt', 'rate_not_published', 'wrong_clock'];

add_filter('woocommerce_get_price_html', function ($html, $product) {
    $currency = get_woocommerce_currency();
    if (setting('prices') !== 'yes' || !is_numeric($product->get_price()) || !is_on($currency)) {
        return $html;
    }
    $today = today($currency);
    $quote = $today['quote'];
    if ($quote === null || in_array($today['reason'], NOT_SHOWN, true)) {
        return $html;
    }
    $several = $product->is_type('variable');
    // The price that the customer sees, with taxes or without; of several, the lowest.
    $price = $several ? $product->get_variation_price('min', true) : wc_get_price_to_display($product);
    $varies = $several
        ? $product->get_variation_price('max', true) > $price
        : $product->is_type('grouped');
    $text = bolivares(multiply(decimal_text($price), $quote['rate'], decimals()));
    if ($varies) {
        /* translators: %s: the lowest price of a product, in bolívares */
        $text = sprintf(__('from %s', 'vesfx-rates'), $text);
    }
    if (!$today['current']) {
        $age = human_time_diff($quote['read_at'], time());
        /* translators: %s: how long ago the rate was read */
        $text .= ' (' . sprintf(__('rate read %s ago', 'vesfx-rates'), $age) . ')';
    }
    return $html . ' <small class="vesfx-rates">' . esc_html($text) . '</small>';
}, 10, 2);
