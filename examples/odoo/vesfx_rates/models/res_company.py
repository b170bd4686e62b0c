import logging

from odoo import _, api, fields, models
from odoo.exceptions import UserError

from . import service

_logger = logging.getLogger(__name__)

# The bolívar has two codes of ISO 4217 for the same unit. VEF is another unit: 100,000 to one.
BOLIVARES = ("VES", "VED")
# Rates that differ by less are the same: Odoo stores one as the inverse of the other.
TOLERANCE = 1e-9


class ResCompany(models.Model):
    _inherit = "res.company"

    vesfx_url = fields.Char("vesfx address", groups="base.group_system")
    vesfx_key = fields.Char("vesfx key", groups="base.group_system")
    vesfx_market = fields.Char("Market of the dollar", default="reference")
    vesfx_euro_market = fields.Char("Market of the euro", default="eur_reference")
    vesfx_rule = fields.Selection(
        [
            ("value_date", "Rate in force"),
            ("next_banking_day", "Rate of the next banking day"),
        ],
        "Days without banks",
        default="value_date",
        required=True,
    )
    # Whose whole history is loaded: service, markets and rule. After a change it is loaded again.
    vesfx_loaded = fields.Char(groups="base.group_system")
    vesfx_outcome = fields.Char("Last update of rates", readonly=True)

    @api.model
    def _vesfx_cron(self):
        """Updates every main company with an address. One that fails does not stop the others."""
        # Odoo keeps rates at main companies; branches use them.
        companies = self.sudo().search([("vesfx_url", "!=", False), ("parent_id", "=", False)])
        for company in companies:
            try:
                company._vesfx_update_rates()
            except (UserError, service.ServiceError) as error:
                company.vesfx_outcome = str(error)
                _logger.warning("vesfx: the rates of %s were not updated: %s", company.name, error)

    def action_vesfx_update_rates(self):
        """The button of the settings: all that the plan of the key has, and an error is shown."""
        self.ensure_one()
        company = self.sudo()
        company.root_id.vesfx_loaded = False
        try:
            company._vesfx_update_rates()
        except service.ServiceError as error:
            raise UserError(str(error)) from error

    def _vesfx_update_rates(self):
        """Stores what the service knows and Odoo does not. Running it again changes nothing.

        The first time it is all that the plan of the key has, then the last year.
        """
        self.ensure_one()
        company = self.root_id
        plan = company._vesfx_plan()
        company._vesfx_check_own()
        wanted = [company.vesfx_url, company.vesfx_rule or ""]
        wanted = " ".join(wanted + ["%s=%s" % (one[0].name, one[2]) for one in plan])
        recent = company.vesfx_loaded == wanted
        changed, newest, in_doubt, missing = 0, set(), set(), set()
        # The hourly run has no reader: it speaks the language of the company.
        reader = self.env.lang or company.partner_id.lang or ""
        language = "es" if reader.startswith("es") else "en"
        access = (company.vesfx_url, company.vesfx_key or "", language)
        for currency, field, market, base in plan:
            found = service.rates(access, market, base, company.vesfx_rule, recent)
            changed += company._vesfx_store(currency, field, found.of_days, found.carried)
            newest.update(found.of_days)
            in_doubt.update(found.in_doubt)
            missing.update(found.missing)
        company.vesfx_loaded = wanted
        company.vesfx_outcome = company._vesfx_told(changed, newest, in_doubt, missing)

    def _vesfx_told(self, changed, newest, in_doubt, missing):
        moment = fields.Datetime.to_string(fields.Datetime.now())
        told = [_("%(moment)s UTC: %(count)d rates added or corrected", moment=moment, count=changed)]
        if newest:
            told.append(_("the newest is of %(day)s", day=max(newest)))
        if in_doubt:
            days = ", ".join(map(str, sorted(in_doubt)))
            told.append(_("not confirmed and left out: %(days)s", days=days))
        if missing:
            count, day = len(missing), max(missing)
            told.append(_("banking days without a rate: %(count)d, the last %(day)s", count=count, day=day))
        return "; ".join(told)

    def _vesfx_plan(self):
        """Which currencies get rates: `[(currency, field of the rate, market, base)]`.

        A company in bolívares has rows of the dollar and the euro, in bolívares for one of them. A
        company in dollars (or euros) has rows of the bolívar, in bolívares for one dollar. Both are
        what the service quotes, so nothing is inverted here.
        """
        markets = {"USD": self.vesfx_market, "EUR": self.vesfx_euro_market}
        own = self.currency_id.name
        active = {one.name: one for one in self.env["res.currency"].search([])}
        if own in BOLIVARES:
            found = [
                (active[base], "inverse_company_rate", market, base)
                for base, market in markets.items()
                if market and base in active
            ]
        elif markets.get(own):
            found = [
                (active[code], "company_rate", markets[own], own)
                for code in BOLIVARES
                if code in active
            ]
        else:
            raise UserError(_("The currency of the company must be VES, USD or EUR."))
        if not found:
            raise UserError(_("Activate the other currency: VES, or USD and EUR."))
        return found

    def _vesfx_check_own(self):
        """Odoo divides each rate by the newest one of the company's own currency: there must be none but 1."""
        table, own = self.env["res.currency.rate"], self.currency_id
        for of in (self.id, False):
            domain = [("company_id", "=", of), ("currency_id", "=", own.id), ("rate", "!=", 1.0)]
            if table.search(domain):
                raise UserError(_("Delete the rates of %(currency)s: Odoo divides all others by them.", currency=own.name))

    def _vesfx_store(self, currency, field, of_days, carried):
        """Adds the days that are missing, and corrects those that differ. Gives their number.

        A carried day gets no row, but one that is there is corrected.
        """
        table = self.env["res.currency.rate"]
        rows = table.search([("company_id", "=", self.id), ("currency_id", "=", currency.id)])
        stored = {row.name: row for row in rows}
        changed = 0
        for day, rate in sorted({**carried, **of_days}.items()):
            row = stored.get(day)
            if row is None and day in carried:
                continue
            if row is None:
                found = {"company_id": self.id, "currency_id": currency.id}
                table.create({"name": day, field: rate, **found})
            elif abs(row[field] - rate) > rate * TOLERANCE:
                row.write({field: rate})
            else:
                continue
            changed += 1
        return changed
