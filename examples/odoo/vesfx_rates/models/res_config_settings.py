from odoo import fields, models


class ResConfigSettings(models.TransientModel):
    _inherit = "res.config.settings"

    vesfx_url = fields.Char(related="company_id.vesfx_url", readonly=False)
    vesfx_key = fields.Char(related="company_id.vesfx_key", readonly=False)
    vesfx_market = fields.Char(related="company_id.vesfx_market", readonly=False)
    vesfx_euro_market = fields.Char(related="company_id.vesfx_euro_market", readonly=False)
    vesfx_rule = fields.Selection(related="company_id.vesfx_rule", readonly=False)
    vesfx_outcome = fields.Char(related="company_id.vesfx_outcome")

    def action_vesfx_update_rates(self):
        self.ensure_one()
        # What the form shows is saved first: the button uses it.
        self.execute()
        self.company_id.action_vesfx_update_rates()
