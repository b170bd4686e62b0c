{
    "name": "vesfx: bolívar exchange rates",
    "summary": "Fills the currency rates of companies from the history of a vesfx service",
    "version": "1.0.0",
    "category": "Accounting/Accounting",
    "license": "LGPL-3",
    "author": "The vesfx founders",
    "website": "https://github.com/vesfx/vesfx",
    "depends": ["base_setup"],
    "data": ["data/ir_cron.xml", "views/res_config_settings.xml"],
    "post_init_hook": "post_init_hook",
}
