<?php
/**
 * As much of WooCommerce as the plugin calls. `time` of the plugin's namespace is the clock, and a request
 * without an answer moves it.
 */
namespace VesfxRates {
    function time(): int { return (int) $GLOBALS['now']; }
    function microtime(bool $as_float) { return (float) $GLOBALS['now']; }
}

namespace Automattic\WooCommerce\Utilities {
    final class FeaturesUtil {
        public static array $declared = [];
        public static function declare_compatibility($feature, $file, $is_compatible) {
            self::$declared[$feature] = $is_compatible;
        }
    }
}

namespace Automattic\WooCommerce\StoreApi\Exceptions {
    final class RouteException extends \Exception {
        public string $error_code;
        public function __construct($error_code, $message, $http_status_code = 400) {
            parent::__construct($message, $http_status_code);
            $this->error_code = $error_code;
        }
    }
}

namespace {
    if (getenv('VESFX_KEY_IN_FILE')) { define('VESFX_KEY', getenv('VESFX_KEY_IN_FILE')); }
    $begun = $now = (float) getenv('NOW');
    $calls = 0;
    $store = is_file(getenv('STORE'))
        ? unserialize(file_get_contents(getenv('STORE')))
        : ['transients' => [], 'options' => [], 'orders' => [], 'session' => []];

    function get_woocommerce_currency() { return getenv('CURRENCY') ?: 'USD'; }
    function wc_get_price_to_display($product) { return $product->get_price() * (getenv('TAX') ?: 1); }
    final class Product {
        private array $prices;
        private string $type;
        function __construct($prices, $type = 'simple') {
            $this->prices = explode('-', $prices);
            $this->type = $type;
        }
        function get_price() { return $this->prices[0]; }
        function is_type($type) { return $type === (isset($this->prices[1]) ? 'variable' : $this->type); }
        function get_variation_price($which, $is_shown) {
            return $which($this->prices) * ($is_shown ? getenv('TAX') ?: 1 : 1);
        }
    }

    /** An order or a refund; `save` puts it where the next page finds it. Totals are texts, as there. */
    class Order {
        public int $id = 0;
        public int $parent = 0;
        public string $total = '0';
        public string $currency = 'USD';
        public array $meta = [];
        function get_id() { return $this->id; }
        function get_type() { return $this->parent ? 'shop_order_refund' : 'shop_order'; }
        function get_parent_id() { return $this->parent; }
        function get_currency() { return $this->currency; }
        function get_total($context = 'view') { return $this->total; }
        function get_amount() { return $this->total; }
        function get_meta($name) { return $this->meta[$name] ?? ''; }
        function update_meta_data($name, $value) { $this->meta[$name] = $value; }
        function delete_meta_data($name) { unset($this->meta[$name]); }
        function save() {
            $this->id = $this->id ?: count($GLOBALS['store']['orders']) + 1;
            $GLOBALS['store']['orders'][$this->id] = clone $this;
            return $this->id;
        }
        function get_refunds() {
            return array_filter($GLOBALS['store']['orders'], fn ($one) => $one->parent === $this->id);
        }
        function get_remaining_refund_amount() {
            $sum = array_sum(array_map(fn ($one) => (float) $one->total, $this->get_refunds()));
            return number_format((float) $this->total - $sum, 2, '.', '');
        }
        function get_order_item_totals() {
            $rows = ['order_total' => ['label' => 'Total:', 'value' => $this->total]];
            return apply_filters('woocommerce_get_order_item_totals', $rows, $this, '');
        }
        function calculate_totals($total) {
            $this->total = $total;
            do_action('woocommerce_order_after_calculate_totals', true, $this);
            $this->save();
        }
    }
    function wc_get_order($id) { return clone $GLOBALS['store']['orders'][$id]; }
    final class Session {
        function get($name) { return $GLOBALS['store']['session'][$name] ?? null; }
        function set($name, $value) { $GLOBALS['store']['session'][$name] = $value; }
    }
    final class Cart {
        public string $total = '0';
        function get_total($context = 'view') { return $this->total; }
    }
    function WC() {
        static $shop = null;
        return $shop ??= (object) ['session' => new Session(), 'cart' => new Cart()];
    }
    final class Errors {
        public array $messages = [];
        function add($code, $message) { $this->messages[] = $message; }
    }
    final class Request {
        private string $method;
        function __construct($method) { $this->method = $method; }
        function get_method() { return $this->method; }
    }
}
