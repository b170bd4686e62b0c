<?php
/**
 * As much of WordPress and WooCommerce as the plugin calls, kept in a file between pages. Each page is a
 * process; `time` of the plugin's namespace is the clock, and a request without an answer moves it.
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
    define('ABSPATH', '/');
    if (getenv('VESFX_KEY_IN_FILE')) { define('VESFX_KEY', getenv('VESFX_KEY_IN_FILE')); }
    $begun = $now = (float) getenv('NOW');
    $calls = 0;
    $hooks = [];
    $shortcodes = [];
    $store = is_file(getenv('STORE'))
        ? unserialize(file_get_contents(getenv('STORE')))
        : ['transients' => [], 'options' => [], 'orders' => [], 'session' => []];

    function plugin_basename($file) { return basename(dirname($file)) . '/' . basename($file); }
    function add_filter($name, $does, $priority = 10, $takes = 1) {
        $GLOBALS['hooks'][$name][] = [$does, $takes];
    }
    function add_action($name, $does, $priority = 10, $takes = 1) { add_filter($name, $does, $priority, $takes); }
    function apply_filters($name, $value, ...$more) {
        foreach ($GLOBALS['hooks'][$name] ?? [] as [$does, $takes]) {
            $value = $does(...array_slice([$value, ...$more], 0, $takes));
        }
        return $value;
    }
    function do_action($name, ...$given) {
        foreach ($GLOBALS['hooks'][$name] ?? [] as [$does, $takes]) { $does(...array_slice($given, 0, $takes)); }
    }
    function add_shortcode($name, $does) { $GLOBALS['shortcodes'][$name] = $does; }
    function shortcode_atts($defaults, $given) { return array_merge($defaults, (array) $given); }
    function get_option($name, $default = false) { return $GLOBALS['store']['options'][$name] ?? $default; }
    function delete_option($name) { unset($GLOBALS['store']['options'][$name]); }
    function get_transient($name) {
        [$value, $until] = $GLOBALS['store']['transients'][$name] ?? [false, 0];
        return $until > $GLOBALS['now'] ? $value : false;
    }
    function set_transient($name, $value, $sec) {
        if (!getenv('FORGETS')) { $GLOBALS['store']['transients'][$name] = [$value, $GLOBALS['now'] + $sec]; }
    }
    function delete_transient($name) { unset($GLOBALS['store']['transients'][$name]); }
    function register_setting($group, $name, $how) { $GLOBALS['settings'][$name] = $how; }
    function add_settings_error($setting, $code, $message) { $GLOBALS['errors'][] = $message; }
    function add_options_page($title, $menu, $capability, $slug, $show) { $GLOBALS['pages'][$slug] = $show; }
    function settings_fields($group) { echo "<input type=\"hidden\" name=\"option_page\" value=\"$group\">"; }
    function submit_button() { echo '<button>Save</button>'; }
    function admin_url($path) { return "https://shop.example/wp-admin/$path"; }
    function esc_url($address) { return esc_html($address); }
    function esc_url_raw($address, $schemes) {
        return in_array(parse_url($address, PHP_URL_SCHEME), $schemes, true) ? $address : '';
    }
    function sanitize_text_field($text) { return trim(strip_tags($text)); }
    function esc_html($text) { return htmlspecialchars($text, ENT_QUOTES); }
    function esc_attr($text) { return htmlspecialchars($text, ENT_QUOTES); }
    function __($text, $domain) { return apply_filters("gettext_$domain", $text, $text, $domain); }
    function esc_html__($text, $domain) { return esc_html(__($text, $domain)); }
    function determine_locale() { return getenv('LOCALE') ?: 'es_VE'; }
    function human_time_diff($from, $to) { return intdiv((int) ($to - $from), 60) . ' min'; }
    function is_wp_error($response) { return $response === null; }
    function wp_remote_retrieve_response_code($response) { return $response['code']; }
    function wp_remote_retrieve_body($response) { return $response['body']; }
    function wp_remote_retrieve_header($response, $name) {
        $found = preg_grep("/^$name: /i", $response['headers']);
        return $found ? explode(': ', end($found), 2)[1] : '';
    }
    function wp_remote_get($address, $options) {
        $GLOBALS['calls']++;
        $header = 'X-API-Key: ' . $options['headers']['X-API-Key'];
        $http = ['header' => $header, 'ignore_errors' => true, 'follow_location' => $options['redirection']];
        $http['timeout'] = getenv('SILENT') ? 0.2 : 20;
        $body = @file_get_contents($address, false, stream_context_create(['http' => $http]));
        if ($body === false) {
            $GLOBALS['now'] += $options['timeout'];
            return null;
        }
        $headers = $http_response_header;
        return ['code' => (int) explode(' ', $headers[0])[1], 'body' => $body, 'headers' => $headers];
    }

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
