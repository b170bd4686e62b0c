<?php
/**
 * Plugin Name:       vesfx: bolívares in WooCommerce
 * Plugin URI:        https://github.com/vesfx/vesfx
 * Description:       Prices and orders in bolívares at the official rate, which each order keeps with its value date, rule and evidence.
 * Version:           1.0.1
 * Requires at least: 6.0
 * Requires PHP:      7.4
 * Author:            The vesfx founders
 * License:           MIT
 * License URI:       https://opensource.org/license/mit
 * Text Domain:       vesfx-rates
 * WC requires at least: 8.0
 *
 * @package VesfxRates
 */

namespace VesfxRates;

defined('ABSPATH') || exit;

require __DIR__ . '/includes/spanish.php';
require __DIR__ . '/includes/settings.php';
require __DIR__ . '/includes/service.php';
require __DIR__ . '/includes/decimal.php';
require __DIR__ . '/includes/charge.php';
require __DIR__ . '/includes/prices.php';
require __DIR__ . '/includes/shortcode.php';
require __DIR__ . '/includes/checkout.php';
require __DIR__ . '/includes/orders.php';

add_action('before_woocommerce_init', function () {
    $features = '\Automattic\WooCommerce\Utilities\FeaturesUtil';
    if (class_exists($features)) {
        $features::declare_compatibility('custom_order_tables', __FILE__, true);
        $features::declare_compatibility('cart_checkout_blocks', __FILE__, true);
    }
});

add_filter('plugin_action_links_' . plugin_basename(__FILE__), function ($links) {
    $address = admin_url('options-general.php?page=vesfx-rates');
    $link = '<a href="' . esc_url($address) . '">' . esc_html__('Settings', 'vesfx-rates') . '</a>';
    return array_merge([$link], $links);
});
