<?php
/** WordPress without a database: nothing is found in it, and the cache keeps what is written. */
$wpdb = new class extends wpdb {
    public function __construct() {}
    public function _real_escape($data) { return addslashes((string) $data); }
    public function query($query) { return 1; }
    public function get_results($query = null, $output = OBJECT) { return []; }
    public function get_row($query = null, $output = OBJECT, $y = 0) { return null; }
    public function get_col($query = null, $x = 0) { return []; }
    public function get_var($query = null, $x = 0, $y = 0) { return null; }
    public function insert($table, $data, $format = null) { return 1; }
    public function update($table, $data, $where, $format = null, $where_format = null) { return 1; }
    public function delete($table, $where, $where_format = null) { return 1; }
    public function db_version() { return '8.0'; }
};
