<?php
/** A page of the shop: does the steps that it is given, and prints what each of them gives. */
require __DIR__ . '/shop.php';
require __DIR__ . (getenv('WORDPRESS') ? '/real-wordpress.php' : '/wordpress.php');
require getenv('PLUGIN');
do_action('before_woocommerce_init');
do_action('admin_init');
do_action('admin_menu');

function printed(callable $does): string {
    ob_start();
    $does();
    return ob_get_clean();
}

/** What a customer reads of HTML. */
function read_text(string $html): string {
    $text = strip_tags(preg_replace('{<br>|</t[hd]>}', ' ', $html));
    return trim(preg_replace('/\s+/', ' ', html_entity_decode($text, ENT_QUOTES)));
}

function stored(int $id): array {
    $order = wc_get_order($id);
    return ['total' => $order->total] + $order->meta;
}

$steps = [
    'price' => fn ($product) => apply_filters('woocommerce_get_price_html', "\$$product", new Product(...explode(' ', $product))),
    'short' => fn ($market) => do_shortcode("[vesfx_rate market=\"$market\"]"),
    'set' => function ($given) {
        update_option('vesfx_rates', $given);
        return array_column(get_settings_errors(), 'message');
    },
    'options' => fn () => get_option('vesfx_rates'),
    'settings' => fn () => printed(fn () => do_action(get_plugin_page_hookname('vesfx-rates', 'options-general.php'))),
    'line' => function ($total) {
        WC()->cart->total = $total;
        return read_text(printed(fn () => do_action('woocommerce_review_order_after_order_total')));
    },
    'block' => fn () => read_text(apply_filters('render_block_woocommerce/checkout', '<div></div>')),
    // The classic checkout: validated, made, saved.
    'place' => function ($total) {
        $errors = new Errors();
        do_action('woocommerce_after_checkout_validation', [], $errors);
        if ($errors->messages) { return read_text($errors->messages[0]); }
        $order = new Order();
        [$order->total, $order->currency] = [$total, get_woocommerce_currency()];
        do_action('woocommerce_checkout_create_order', $order, []);
        return $order->save();
    },
    // That of blocks: a draft that is saved, then ordered.
    'order' => function ($total) {
        $order = new Order();
        $order->total = $total;
        $order->save();
        try {
            foreach (['PUT', 'POST'] as $method) {
                do_action('woocommerce_store_api_checkout_update_order_from_request', $order, new Request($method));
                $seen[] = count($order->meta);
            }
        } catch (\Automattic\WooCommerce\StoreApi\Exceptions\RouteException $error) {
            return read_text($error->getMessage());
        }
        return $seen[0] === 0 ? $order->id : 'the draft has a rate already';
    },
    'stored' => fn ($id) => stored($id),
    'rows' => fn ($id) => array_map(
        fn ($row) => "{$row['label']} {$row['value']}",
        array_values(wc_get_order($id)->get_order_item_totals())
    ),
    'admin' => fn ($id) => read_text(printed(
        fn () => do_action('woocommerce_admin_order_data_after_billing_address', wc_get_order($id))
    )),
    'refund' => function ($id, $amount) {
        $refund = new Order();
        [$refund->parent, $refund->total] = [$id, $amount];
        do_action('woocommerce_create_refund', $refund, ['amount' => $amount]);
        return stored($refund->save());
    },
    'edit' => function ($id, $total) {
        wc_get_order($id)->calculate_totals($total);
        return stored($id);
    },
    'declared' => fn () => \Automattic\WooCommerce\Utilities\FeaturesUtil::$declared,
    'multiply' => fn (...$given) => \VesfxRates\multiply(...$given),
    'is_due' => function () {
        [$asked, $read_at, $begin] = [0, 0, (int) $GLOBALS['now']];
        for ($now = $begin; $now < $begin + 31 * 86400; $now += 60) {
            if (\VesfxRates\is_due($read_at, $now)) { $asked++; $read_at = $now; }
        }
        return $asked;
    },
    'recipe' => function ($code, $id) {
        $order = wc_get_order($id);
        return printed(function () use ($code, $order) { eval($code); });
    },
    'leftovers' => function ($file) {
        define('WP_UNINSTALL_PLUGIN', true);
        require $file;
        return [$GLOBALS['store']['transients'], $GLOBALS['store']['options'], count($GLOBALS['store']['orders'])];
    },
];
$results = [];
foreach (json_decode(getenv('STEPS'), true) as $step) {
    $results[] = $steps[array_shift($step)](...$step);
}
file_put_contents(getenv('STORE'), serialize($store));
echo json_encode(['results' => $results, 'calls' => $calls, 'seconds' => $now - $begun]);
