<?php
// The settings, and their page under Settings → vesfx.

namespace VesfxRates;

defined('ABSPATH') || exit;

const DEFAULTS = [
    'url' => '',
    'key' => '',
    'rule' => 'value_date',
    'decimals' => '2',
    'without' => 'stop',
    'prices' => 'yes',
];
const CHOICES = [
    'rule' => ['value_date', 'next_banking_day'],
    'decimals' => ['2', '0'],
    'without' => ['stop', 'last', 'none'],
    'prices' => ['yes', 'no'],
];

/** Address and key may stand in wp-config.php, out of the database. */
const IN_FILE = ['url' => 'VESFX_URL', 'key' => 'VESFX_KEY'];

function is_in_file(string $name): bool
{
    return isset(IN_FILE[$name]) && defined(IN_FILE[$name]);
}

function setting(string $name): string
{
    return is_in_file($name) ? (string) constant(IN_FILE[$name]) : stored_setting($name);
}

function stored_setting(string $name): string
{
    $stored = get_option('vesfx_rates', []);
    $value = is_array($stored) && isset($stored[$name]) ? (string) $stored[$name] : DEFAULTS[$name];
    return isset(CHOICES[$name]) && !in_array($value, CHOICES[$name], true) ? DEFAULTS[$name] : $value;
}

function decimals(): int
{
    return (int) setting('decimals');
}

/** The stored key, but not a copy of that of wp-config.php: version 1.0.0 stored one. */
function kept_key(): string
{
    $key = stored_setting('key');
    return is_in_file('key') && $key === setting('key') ? '' : $key;
}

/** What the form sent, made safe. An empty key keeps the one that is stored; that of wp-config.php is never stored. */
function sanitized($given): array
{
    $given = is_array($given) ? $given : [];
    $url = esc_url_raw(trim((string) ($given['url'] ?? '')), ['http', 'https']);
    $key = trim(sanitize_text_field((string) ($given['key'] ?? '')));
    if ($url === '' && trim((string) ($given['url'] ?? '')) !== '') {
        $said = __('The address must begin with https:// or http://', 'vesfx-rates');
        add_settings_error('vesfx_rates', 'url', $said);
    }
    $clean = [
        'url' => is_in_file('url') ? stored_setting('url') : $url,
        'key' => $key === '' ? kept_key() : $key,
    ];
    foreach (CHOICES as $name => $allowed) {
        $value = (string) ($given[$name] ?? '');
        $clean[$name] = in_array($value, $allowed, true) ? $value : DEFAULTS[$name];
    }
    return $clean;
}

add_action('admin_init', function () {
    register_setting('vesfx_rates', 'vesfx_rates', ['sanitize_callback' => __NAMESPACE__ . '\sanitized']);
});

add_action('admin_menu', function () {
    add_options_page('vesfx', 'vesfx', 'manage_options', 'vesfx-rates', __NAMESPACE__ . '\show_page');
});

/** The choices of a setting, in words. */
function choices(string $name): array
{
    $words = [
        'rule' => [
            'value_date' => __('The rate in force on that day (value_date)', 'vesfx-rates'),
            'next_banking_day' => __('The rate of the next banking day (next_banking_day)', 'vesfx-rates'),
        ],
        'decimals' => [
            '2' => __('Cents', 'vesfx-rates'),
            '0' => __('Whole bolívares', 'vesfx-rates'),
        ],
        'without' => [
            'stop' => __('Take no order until there is one', 'vesfx-rates'),
            'last' => __('Use the last rate read, of a day at most, and mark the order', 'vesfx-rates'),
            'none' => __('Take the order without bolívares', 'vesfx-rates'),
        ],
        'prices' => [
            'yes' => __('Show them', 'vesfx-rates'),
            'no' => __('Do not show them', 'vesfx-rates'),
        ],
    ];
    return $words[$name];
}

function show_page(): void
{
    $labels = [
        'rule' => __('Days without banks', 'vesfx-rates'),
        'decimals' => __('Rounding of bolívares', 'vesfx-rates'),
        'without' => __('When no confirmed rate of today can be read', 'vesfx-rates'),
        'prices' => __('Bolívares beside prices', 'vesfx-rates'),
    ];
    echo '<div class="wrap"><h1>vesfx</h1><p>' . esc_html(state_text()) . '</p>';
    echo '<form method="post" action="options.php">';
    settings_fields('vesfx_rates');
    echo '<table class="form-table" role="presentation">';
    $url = esc_attr(setting('url'));
    $input = "<input id=\"vesfx-url\" name=\"vesfx_rates[url]\" type=\"url\" class=\"regular-text\" value=\"$url\">";
    $in_file = esc_html__('set in wp-config.php', 'vesfx-rates');
    show_row('url', __('Address of the service', 'vesfx-rates'), is_in_file('url') ? $in_file : $input);
    $told = setting('key') === '' ? 'vfx_rk_live_…' : __('stored; leave empty to keep it', 'vesfx-rates');
    $hint = esc_attr($told);
    $input = '<input id="vesfx-key" name="vesfx_rates[key]" type="password" class="regular-text"'
        . " autocomplete=\"off\" placeholder=\"$hint\">";
    show_row('key', __('Key', 'vesfx-rates'), is_in_file('key') ? $in_file : $input);
    foreach ($labels as $name => $label) {
        $options = '';
        foreach (choices($name) as $value => $words) {
            // PHP makes the key '2' a number.
            $selected = (string) $value === setting($name) ? ' selected' : '';
            $options .= '<option value="' . esc_attr((string) $value) . "\"$selected>" . esc_html($words) . '</option>';
        }
        show_row($name, $label, "<select id=\"vesfx-$name\" name=\"vesfx_rates[$name]\">$options</select>");
    }
    echo '</table>';
    submit_button();
    echo '</form></div>';
}

/** `$input` is HTML whose values are escaped already. */
function show_row(string $name, string $label, string $input): void
{
    echo "<tr><th scope=\"row\"><label for=\"vesfx-$name\">" . esc_html($label) . "</label></th><td>$input</td></tr>";
}

/** What the shop would charge with now, or why it has no rate. */
function state_text(): string
{
    $currency = function_exists('get_woocommerce_currency') ? get_woocommerce_currency() : 'USD';
    if (!isset(MARKETS[$currency])) {
        return __('The shop must sell in USD or EUR.', 'vesfx-rates');
    }
    if (!is_on($currency)) {
        return __('Enter the address of the service and a key.', 'vesfx-rates');
    }
    $today = today($currency);
    if (!$today['current']) {
        return sprintf(
            /* translators: %s: a code, such as in_doubt */
            __('No confirmed rate of today: %s', 'vesfx-rates'),
            reason_text($today['reason'])
        );
    }
    return quote_text($today['quote']);
}
