from . import models


def post_init_hook(env):
    """Odoo 17 runs a scheduled action once unless it is told otherwise; Odoo 18 has no such field."""
    cron = env.ref("vesfx_rates.cron_update_rates")
    if "numbercall" in cron._fields:
        cron.numbercall = -1
