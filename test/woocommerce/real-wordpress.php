<?php
/** The WordPress of this machine, without a database: `content/` stands in for it. */
define('ABSPATH', getenv('WORDPRESS'));
define('WP_CONTENT_DIR', __DIR__ . '/content');
define('WPLANG', getenv('LOCALE') ?: 'es_VE');
define('DISABLE_WP_CRON', true);
define('WP_HTTP_BLOCK_EXTERNAL', true);
define('WP_ACCESSIBLE_HOSTS', '127.0.0.1');
define('WP_DEBUG', false);
$table_prefix = 'wp_';
$_SERVER += ['HTTP_HOST' => 'shop.example', 'REQUEST_URI' => '/', 'SERVER_PROTOCOL' => 'HTTP/1.1'];
// Before the cache can know it: no page asks whether WordPress is installed.
$store['cache']['']['is_blog_installed'] = [true, INF];
$store['cache']['options']['alloptions'] ??= [['siteurl' => 'https://shop.example', 'blog_charset' => 'UTF-8'], INF];
require ABSPATH . 'wp-settings.php';
require ABSPATH . 'wp-admin/includes/plugin.php';
require ABSPATH . 'wp-admin/includes/template.php';
add_filter('user_has_cap', fn ($all) => ['manage_options' => true] + $all);
// WordPress asks for updates too, which is refused.
add_filter('pre_http_request', function ($none, $how) {
    $GLOBALS['calls'] += isset($how['headers']['X-API-Key']) ? 1 : 0;
    return $none;
}, 10, 2);
// WordPress of before PHP 8.2 gives notices of its own; those of the plugin end the page, as does a wrong call.
error_reporting(E_ALL);
set_error_handler(fn ($level, $text, $file) => strpos($file, dirname(getenv('PLUGIN'))) !== 0);
add_action('doing_it_wrong_run', function ($name, $text) { throw new Exception("$name: $text"); }, 10, 2);
