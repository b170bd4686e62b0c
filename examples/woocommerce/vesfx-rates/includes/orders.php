<?php
// What an order shows, and its refunds. Everything goes by the rate that the order keeps, never by the
// rate of the day of the refund.

namespace VesfxRates;

defined('ABSPATH') || exit;

const META = [
    '_vesfx_rate',
    '_vesfx_market',
    '_vesfx_value_date',
    '_vesfx_rule',
    '_vesfx_evidence',
    '_vesfx_read_at',
    '_vesfx_decimals',
    '_vesfx_amount_ves',
    '_vesfx_warning',
];

function has_rate($order): bool
{
    return (string) $order->get_meta('_vesfx_rate') !== '';
}

/** The cents in bolívares of the refunds that are stored. */
function refunded_cents($order): int
{
    $sum = 0;
    foreach ($order->get_refunds() as $refund) {
        $sum += cents((string) ($refund->get_meta('_vesfx_amount_ves') ?: '0'));
    }
    return $sum;
}

/** The rate of an order in words. */
function order_text($order): string
{
    return quote_text([
        'rate' => (string) $order->get_meta('_vesfx_rate'),
        'value_date' => (string) $order->get_meta('_vesfx_value_date'),
    ]);
}

// The page of the order, the page of thanks and every e-mail show these rows.
add_filter('woocommerce_get_order_item_totals', function ($rows, $order) {
    if (!has_rate($order)) {
        return $rows;
    }
    $amount = (string) $order->get_meta('_vesfx_amount_ves');
    $rows['vesfx_rates'] = [
        'label' => __('Total in bolívares', 'vesfx-rates') . ':',
        'value' => esc_html(bolivares($amount) . ' (' . order_text($order) . ')'),
    ];
    $refunded = refunded_cents($order);
    if ($refunded > 0) {
        $text = from_cents($refunded, (int) $order->get_meta('_vesfx_decimals'));
        $rows['vesfx_rates_refunded'] = [
            'label' => __('Refunded in bolívares', 'vesfx-rates') . ':',
            'value' => esc_html('-' . bolivares($text)),
        ];
    }
    return $rows;
}, 10, 2);

// The order in the administration also shows what proves the rate.
add_action('woocommerce_admin_order_data_after_billing_address', function ($order) {
    if (!has_rate($order)) {
        return;
    }
    $warning = (string) $order->get_meta('_vesfx_warning');
    $evidence = (string) $order->get_meta('_vesfx_evidence');
    $lines = [
        bolivares((string) $order->get_meta('_vesfx_amount_ves')),
        order_text($order),
        __('Rule', 'vesfx-rates') . ': ' . $order->get_meta('_vesfx_rule'),
        $evidence === '' ? '' : __('Evidence', 'vesfx-rates') . ': ' . $evidence,
        __('Read at', 'vesfx-rates') . ': ' . $order->get_meta('_vesfx_read_at'),
        $warning === '' ? '' : __('NOT CONFIRMED', 'vesfx-rates') . ': ' . reason_text($warning),
    ];
    $text = implode('<br>', array_map('esc_html', array_filter($lines)));
    echo '<p class="vesfx-rates"><strong>' . esc_html__('Bolívares', 'vesfx-rates') . "</strong><br>$text</p>";
});

// Fires before the refund is saved: what it is in bolívares is saved with it.
add_action('woocommerce_create_refund', function ($refund) {
    $order = wc_get_order($refund->get_parent_id());
    if (!$order || !has_rate($order)) {
        return;
    }
    $rate = (string) $order->get_meta('_vesfx_rate');
    $decimals = (int) $order->get_meta('_vesfx_decimals');
    $amount = decimal_text($refund->get_amount());
    $left = cents(decimal_text(max(0, (float) $order->get_remaining_refund_amount())));
    $left_ves = max(0, cents((string) $order->get_meta('_vesfx_amount_ves')) - refunded_cents($order));
    $ves = cents(multiply($amount, $rate, $decimals));
    // The last refund gives back the rest, so that the refunds of an order add up to what was paid.
    $ves = cents($amount) >= $left ? $left_ves : min($ves, $left_ves);
    foreach (['_vesfx_rate', '_vesfx_market', '_vesfx_value_date', '_vesfx_rule', '_vesfx_evidence'] as $name) {
        $refund->update_meta_data($name, $order->get_meta($name));
    }
    $refund->update_meta_data('_vesfx_amount_ves', from_cents($ves, $decimals));
});

// Whoever edits an order changes its total, not its rate.
add_action('woocommerce_order_after_calculate_totals', function ($and_taxes, $order) {
    if ($order->get_type() !== 'shop_order' || !has_rate($order)) {
        return;
    }
    $decimals = (int) $order->get_meta('_vesfx_decimals');
    $total = decimal_text($order->get_total('edit'));
    $amount = multiply($total, (string) $order->get_meta('_vesfx_rate'), $decimals);
    $order->update_meta_data('_vesfx_amount_ves', $amount);
}, 10, 2);
