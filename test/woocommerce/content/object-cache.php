<?php
/** The cache of WordPress: options and transients stay in the store from page to page. */
function wp_cache_init() { $GLOBALS['store']['cache'] ??= []; }
function wp_cache_get($key, $group = '', $force = false, &$found = null) {
    [$value, $until] = $GLOBALS['store']['cache'][$group][$key] ?? [false, 0];
    $found = $until > $GLOBALS['now'];
    return $found ? $value : false;
}
function wp_cache_set($key, $value, $group = '', $sec = 0) {
    $GLOBALS['store']['cache'][$group][$key] = [$value, $sec === 0 ? INF : $GLOBALS['now'] + $sec];
    return true;
}
function wp_cache_add($key, $value, $group = '', $sec = 0) {
    wp_cache_get($key, $group, false, $found);
    return !$found && wp_cache_set($key, $value, $group, $sec);
}
function wp_cache_replace($key, $value, $group = '', $sec = 0) { return wp_cache_set($key, $value, $group, $sec); }
function wp_cache_delete($key, $group = '') { unset($GLOBALS['store']['cache'][$group][$key]); return true; }
function wp_cache_flush() { $GLOBALS['store']['cache'] = []; return true; }
function wp_cache_close() { return true; }
function wp_cache_add_global_groups($groups) {}
function wp_cache_add_non_persistent_groups($groups) {}
function wp_cache_switch_to_blog($id) {}
