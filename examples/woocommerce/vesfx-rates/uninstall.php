<?php
// Settings and kept rates go; what orders keep stays, for their invoices need it.
defined('WP_UNINSTALL_PLUGIN') || exit;

delete_option('vesfx_rates');
delete_transient('vesfx_rates_charge');
delete_transient('vesfx_rates_shown');
delete_transient('vesfx_rates_pause_charge');
delete_transient('vesfx_rates_pause_shown');
