from odoo import release
from odoo.exceptions import UserError

from . import models

LEAST_ODOO = 17


def pre_init_hook(_env):
    """Settings and main companies are written as Odoo 17 reads them: an older one stores nothing of this."""
    # `17`, or `saas~17` of a version between two.
    series = int(str(release.version_info[0]).rpartition("~")[2])
    if series < LEAST_ODOO:
        raise UserError("This add-on needs Odoo %d or later. Requiere Odoo %d o posterior." % (LEAST_ODOO, LEAST_ODOO))


def post_init_hook(env):
    """Odoo 17 runs a scheduled action once unless it is told otherwise; Odoo 18 has no such field."""
    cron = env.ref("vesfx_rates.cron_update_rates")
    if "numbercall" in cron._fields:
        cron.numbercall = -1
