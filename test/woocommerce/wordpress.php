<?php
/** As much of WordPress as the plugin calls, kept in a file between pages. Each page is a process. */
define('ABSPATH', '/');
$hooks = [];
$shortcodes = [];

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
function do_shortcode($text) {
    preg_match('/^\[(\w+) market="(.*)"]$/', $text, $found);
    return $GLOBALS['shortcodes'][$found[1]](['market' => $found[2]]);
}
function shortcode_atts($defaults, $given) { return array_merge($defaults, (array) $given); }
function get_option($name, $default = false) { return $GLOBALS['store']['options'][$name] ?? $default; }
function update_option($name, $value) {
    $GLOBALS['store']['options'][$name] = $GLOBALS['settings'][$name]['sanitize_callback']($value);
}
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
function add_settings_error($setting, $code, $message) { $GLOBALS['errors'][] = ['message' => $message]; }
function get_settings_errors() { return $GLOBALS['errors'] ?? []; }
function add_options_page($title, $menu, $capability, $slug, $show) {
    add_action(get_plugin_page_hookname($slug, ''), $show);
}
function get_plugin_page_hookname($slug, $parent) { return "settings_page_$slug"; }
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
