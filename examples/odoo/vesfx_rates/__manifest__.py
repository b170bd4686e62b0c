{
    "name": "vesfx: bolívar exchange rates",
    "summary": "Fills the currency rates of companies from the rates of a vesfx service by day",
    "version": "1.2.2",
    "category": "Accounting/Accounting",
    "license": "LGPL-3",
    "author": "The vesfx founders",
    "website": "https://github.com/vesfx/vesfx",
    "depends": ["base_setup"],
    "data": ["data/ir_cron.xml", "views/res_config_settings.xml"],
    "pre_init_hook": "pre_init_hook",
    "post_init_hook": "post_init_hook",
}
