"""The Odoo addon, with the ORM stubbed: python3 -m unittest discover -s test/odoo

With VESFX_URL and VESFX_KEY it is tried on a real service too.
"""

import ast
import http.server
import json
import os
import sys
import threading
import unittest
import unittest.mock
import xml.dom.minidom
from datetime import date, timedelta
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent.parent / "examples" / "odoo")]

import odoo_stub  # noqa: E402

odoo_stub.install()

import vesfx_rates  # noqa: E402
from vesfx_rates.models import service  # noqa: E402
from vesfx_rates.models.res_company import ResCompany  # noqa: E402

ADDON = Path(vesfx_rates.__file__).parent
USD = {"2026-11-18": 885.1, "2026-11-19": 886.4754, "2026-11-20": 889.5754}
EUR = {"2026-11-19": 1010.0, "2026-11-20": 1012.34}
OFFICIAL = ("reference", "eur_reference")


class Service:
    """A server on this machine that answers like the service; what it was asked is in `asked`."""

    def __init__(self):
        self.histories = {"reference": ("USD", dict(USD)), "eur_reference": ("EUR", dict(EUR))}
        self.asked = []
        self.languages = []
        self.later = []
        self.in_doubt = []
        self.unit_changes = []
        self.earliest = date(2025, 1, 1)
        self.override = None
        self.names = {}
        owner = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                owner.asked.append((self.path, self.headers["X-API-Key"]))
                owner.languages.append(self.headers["Accept-Language"])
                status, headers, body = owner.override or owner.answer(self.path)
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_args):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = "http://127.0.0.1:%d" % self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def official_days(self, asked):
        """Every day to the newest value date, or to a Sunday, as the service has it."""
        first = date.fromisoformat(asked["from"])
        if first < self.earliest:
            details = {"max_days": 30, "earliest": self.earliest.isoformat()}
            refusal = {"code": "history_out_of_retention", "message": "No.", "details": details}
            return 403, {}, json.dumps(refusal).encode()
        rates = next(rates for base, rates in self.histories.values() if base == asked["currency"])
        rows, missing, in_force = [], [], None
        day, last = date.fromisoformat(min(rates)), max("2026-11-22", *rates)
        while day <= min(date.fromisoformat(last), date.fromisoformat(asked["to"])):
            name, monday = day.isoformat(), day + timedelta(days=7 - day.weekday())
            is_open = day.weekday() < 5
            if is_open:
                in_force = name if name in rates else None
                missing += [] if in_force else [name]
            following = name if is_open else monday.isoformat()
            if in_force:
                row = {"date": name, "rate": rates[in_force], "value_date": in_force}
                other = {"next_banking_day": following, "next_banking_day_rate": rates.get(following)}
                rows.append({**row, **other})
            day += timedelta(days=1)
        rows = [row for row in rows if row["date"] >= asked["from"]]
        missing = [one for one in missing if one >= asked["from"]]
        answer = {"rows": rows, "missing": missing}
        changes = [one for one in self.unit_changes if one["on"] > asked["from"]]
        if changes:
            answer["unit_changes"] = changes
        return 200, {}, json.dumps(answer).encode()

    def answer(self, path):
        if path.startswith("/v1/fx/official/history?days=all&"):
            return self.official_days(dict(parse_qsl(urlsplit(path).query)))
        if path == "/v1/fx/official":
            return 200, {}, json.dumps({"rates": {}, "in_doubt": self.in_doubt}).encode()
        market = path.split("/")[4].split("?")[0]
        market = self.names.get(market, market)
        if market not in self.histories:
            refusal = {"code": "resource_not_found", "message": "No such market."}
            return 404, {}, json.dumps(refusal).encode()
        base, rates = self.histories[market]
        if "/history" not in path:
            current = {"market": market, "base": base}
            if market in OFFICIAL:
                current["effective_date"] = "2026-11-20"
            return 200, {}, json.dumps(current).encode()
        points = [
            {"date": day, "rate": rate, "updated_at": day + "T04:00:00.000Z"}
            for day, rate in rates.items()
        ]
        points += self.later
        return 200, {}, json.dumps({"points": points}).encode()


class Env(dict):
    lang = None


def company(url, currency="VES", active=("VES", "USD", "EUR"), lang=None, **values):
    currencies = {
        code: odoo_stub.Model(id=code, name=code) for code in {currency, *active}
    }
    env = Env({
        "res.currency": odoo_stub.Table(
            odoo_stub.Model, [currencies[code] for code in sorted(active)]
        ),
        "res.currency.rate": odoo_stub.Table(odoo_stub.Rate),
    })
    env.lang = lang
    one = ResCompany(
        id=7, name="A shop", currency_id=currencies[currency], vesfx_url=url, vesfx_key="k",
        parent_id=False, env=env, **{"partner_id": odoo_stub.Model(lang=False), **values}
    )
    one.root_id = one
    for rate in env["res.currency.rate"].records:
        rate.company_id = one.id
    return one


def rows(one, field):
    table = one.env["res.currency.rate"].records
    return {(row.currency_id, row.name.isoformat()): round(row[field], 6) for row in table}


class OnASaturday(unittest.TestCase):
    def setUp(self):
        today = unittest.mock.patch.object(service, "_today", lambda: date(2026, 11, 21))
        today.start()
        self.addCleanup(today.stop)


class Addon(OnASaturday):
    def setUp(self):
        super().setUp()
        self.service = Service()
        self.addCleanup(self.service.close)

    def test_a_company_in_bolivares_has_them_for_one_dollar_and_one_euro(self):
        one = company(self.service.url)
        one._vesfx_update_rates()
        expected = {("USD", day): rate for day, rate in USD.items()}
        expected.update({("EUR", day): rate for day, rate in EUR.items()})
        self.assertEqual(rows(one, "inverse_company_rate"), expected)
        # What Odoo stores is the inverse: dollars for one bolívar.
        stored = one.env["res.currency.rate"].search([("name", "=", date(2026, 11, 20))])
        dollar = [row for row in stored if row.currency_id == "USD"]
        self.assertAlmostEqual(dollar[0].rate, 1 / 889.5754, places=12)
        said = "2026-11-21 04:05:00 UTC: 5 rates added or corrected; the newest is of 2026-11-20"
        self.assertEqual(one.vesfx_outcome, said)

    def test_a_company_in_dollars_has_bolivares_for_one_dollar(self):
        one = company(self.service.url, "USD", vesfx_euro_market=False)
        one._vesfx_update_rates()
        self.assertEqual(rows(one, "company_rate"), {("VES", day): r for day, r in USD.items()})
        self.assertEqual(one.env["res.currency.rate"].records[-1].rate, 889.5754)

    def test_a_company_in_euros_has_bolivares_for_one_euro(self):
        one = company(self.service.url, "EUR")
        one._vesfx_update_rates()
        self.assertEqual(rows(one, "company_rate"), {("VES", day): r for day, r in EUR.items()})

    def test_rates_of_the_companys_own_currency_are_refused_since_odoo_divides_by_them(self):
        for of in (7, False):
            one = company(self.service.url)
            table = one.env["res.currency.rate"]
            own = {"currency_id": "VES", "company_id": of, "name": date(2026, 1, 1)}
            row = table.create({**own, "rate": 300.5})
            with self.assertRaisesRegex(odoo_stub.UserError, "Delete the rates of VES"):
                one.action_vesfx_update_rates()
            self.assertEqual(len(table.records), 1)
            row.rate = 1.0
            one.action_vesfx_update_rates()
            self.assertEqual(len(table.records), 6)

    def test_a_second_run_changes_nothing(self):
        one = company(self.service.url, vesfx_euro_market=False)
        one._vesfx_update_rates()
        before = rows(one, "rate")
        one._vesfx_update_rates()
        self.assertEqual(rows(one, "rate"), before)
        self.assertIn(": 0 rates", one.vesfx_outcome)

    def test_a_new_day_is_added_and_a_corrected_one_is_written(self):
        one = company(self.service.url, vesfx_euro_market=False)
        one._vesfx_update_rates()
        self.service.histories["reference"][1].update({"2026-11-19": 886.5, "2026-11-17": 884.0})
        one._vesfx_update_rates()
        expected = {("USD", d): r for d, r in {**USD, "2026-11-19": 886.5, "2026-11-17": 884.0}.items()}
        self.assertEqual(rows(one, "inverse_company_rate"), expected)
        self.assertIn(": 2 rates", one.vesfx_outcome)

    def test_a_day_without_a_rate_gets_no_row(self):
        one = company(self.service.url, vesfx_euro_market=False)
        one._vesfx_update_rates()
        self.assertNotIn(("USD", "2026-11-21"), rows(one, "rate"))

    def test_by_the_next_banking_day_a_day_without_banks_has_its_rate_once_it_is_published(self):
        one = company(self.service.url, vesfx_euro_market=False, vesfx_rule="next_banking_day")
        one._vesfx_update_rates()
        own = {("USD", day): rate for day, rate in USD.items()}
        self.assertEqual(rows(one, "inverse_company_rate"), own)
        self.service.histories["reference"][1]["2026-11-23"] = 888.0754
        one._vesfx_update_rates()
        weekend = {("USD", "2026-11-%d" % day): 888.0754 for day in (21, 22, 23)}
        self.assertEqual(rows(one, "inverse_company_rate"), {**own, **weekend})

    def test_a_change_of_the_rule_corrects_the_days_without_banks(self):
        self.service.histories["reference"][1]["2026-11-23"] = 888.0754
        one = company(self.service.url, vesfx_euro_market=False, vesfx_rule="next_banking_day")
        one._vesfx_update_rates()
        one.vesfx_rule = "value_date"
        one._vesfx_update_rates()
        self.assertIn(": 2 rates", one.vesfx_outcome)
        self.assertEqual(rows(one, "inverse_company_rate")[("USD", "2026-11-23")], 888.0754)
        for day in ("2026-11-21", "2026-11-22"):
            self.assertEqual(rows(one, "inverse_company_rate")[("USD", day)], USD["2026-11-20"])

    def test_a_rule_that_is_none_is_refused(self):
        with self.assertRaisesRegex(odoo_stub.UserError, "rule must be one of"):
            company(self.service.url, vesfx_rule=False).action_vesfx_update_rates()

    def test_a_plan_that_does_not_reach_a_year_gives_what_it_has(self):
        self.service.earliest = date(2026, 11, 19)
        one = company(self.service.url, vesfx_euro_market=False)
        one._vesfx_update_rates()
        found = {("USD", day): USD[day] for day in ("2026-11-19", "2026-11-20")}
        self.assertEqual(rows(one, "inverse_company_rate"), found)

    def test_all_that_the_plan_has_is_loaded_once_and_then_the_last_year(self):
        self.service.earliest = date(1990, 1, 1)
        # Older than one answer of the service reaches.
        first = date(2015, 1, 1)
        days = [first + timedelta(days=at) for at in range((date(2026, 11, 20) - first).days + 1)]
        rates = {one.isoformat(): 100.0 + at for at, one in enumerate(days) if one.weekday() in (0, 4)}
        self.service.histories["reference"] = ("USD", rates)
        one = company(self.service.url, vesfx_euro_market=False)
        one._vesfx_update_rates()
        self.assertEqual(rows(one, "inverse_company_rate"), {("USD", d): r for d, r in rates.items()})
        self.assertEqual(len(self.histories_asked()), 3)
        # A correction of an old day is found by the button; the hourly run looks at a year.
        rates["2016-03-04"] += 1
        one._vesfx_update_rates()
        self.assertIn(": 0 rates", one.vesfx_outcome)
        self.assertEqual(len(self.histories_asked()), 4)
        one.action_vesfx_update_rates()
        self.assertIn(": 1 rates", one.vesfx_outcome)
        # And so does another rule.
        one._vesfx_update_rates()
        one.vesfx_rule = "next_banking_day"
        one._vesfx_update_rates()
        self.assertIn(("USD", "2016-03-05"), rows(one, "rate"))

    def histories_asked(self):
        return [path for path, _ in self.service.asked if "official/history" in path]

    def test_the_rate_of_tomorrow_is_stored_once_it_is_published(self):
        self.service.histories["reference"][1]["2026-11-23"] = 888.0754
        one = company(self.service.url, vesfx_euro_market=False)
        one._vesfx_update_rates()
        expected = {("USD", day): rate for day, rate in {**USD, "2026-11-23": 888.0754}.items()}
        self.assertEqual(rows(one, "inverse_company_rate"), expected)
        self.assertIn("the newest is of 2026-11-23", one.vesfx_outcome)

    def test_a_rate_that_nothing_confirms_is_left_out_and_told_by_both_rules(self):
        self.service.histories["reference"][1]["2026-11-23"] = 8880.754
        self.service.in_doubt = [
            {"currency": "USD", "value_date": "2026-11-23"},
            {"currency": "EUR", "value_date": "2026-11-20"},
        ]
        for rule in service.RULES:
            one = company(self.service.url, vesfx_euro_market=False, vesfx_rule=rule)
            one._vesfx_update_rates()
            expected = {("USD", day): rate for day, rate in USD.items()}
            self.assertEqual(rows(one, "inverse_company_rate"), expected)
            self.assertIn("not confirmed and left out: 2026-11-23", one.vesfx_outcome)
        self.service.in_doubt = []
        one._vesfx_update_rates()
        self.assertIn(("USD", "2026-11-23"), rows(one, "rate"))
        self.assertNotIn("not confirmed", one.vesfx_outcome)

    def test_a_banking_day_without_a_rate_is_told(self):
        del self.service.histories["reference"][1]["2026-11-19"]
        one = company(self.service.url, vesfx_euro_market=False)
        one._vesfx_update_rates()
        self.assertIn("banking days without a rate: 1, the last 2026-11-19", one.vesfx_outcome)

    def test_days_of_another_bolivar_are_left_out(self):
        self.service.unit_changes = [
            {"on": "2026-11-19", "factor": 100}, {"on": "2026-11-20", "factor": 1000}
        ]
        one = company(self.service.url, vesfx_euro_market=False)
        one._vesfx_update_rates()
        self.assertEqual(rows(one, "inverse_company_rate"), {("USD", "2026-11-20"): 889.5754})

    def test_another_name_of_an_official_market_is_official_too(self):
        self.service.names = {"bcv": "reference"}
        self.service.earliest = date(1990, 1, 1)
        one = company(self.service.url, vesfx_market="bcv", vesfx_euro_market=False)
        one._vesfx_update_rates()
        self.assertEqual(len(rows(one, "rate")), len(USD))
        self.assertIn(("/v1/fx/rates/bcv", "k"), self.service.asked)

    def test_a_rate_of_another_market_stands_at_the_day_of_its_capture(self):
        self.service.histories["parallel"] = ("USD", {})
        self.service.later = [
            {"date": "2026-11-20", "rate": 940, "updated_at": "2026-11-19T23:00:00.000Z"}
        ]
        one = company(self.service.url, vesfx_market="parallel", vesfx_euro_market=False)
        one._vesfx_update_rates()
        self.assertEqual(rows(one, "inverse_company_rate"), {("USD", "2026-11-20"): 940})

    def test_a_row_of_a_day_that_the_service_does_not_have_stays(self):
        one = company(self.service.url, vesfx_euro_market=False)
        old = {"name": date(2020, 1, 2), "company_id": 7, "inverse_company_rate": 0.5}
        usd = one.env["res.currency"].search([("name", "=", "USD")])[0]
        one.env["res.currency.rate"].create({**old, "currency_id": usd.id})
        one._vesfx_update_rates()
        self.assertEqual(rows(one, "inverse_company_rate")[("USD", "2020-01-02")], 0.5)

    def test_a_market_of_another_currency_is_refused(self):
        one = company(self.service.url, vesfx_market="eur_reference")
        with self.assertRaisesRegex(odoo_stub.UserError, "quotes EUR, not USD"):
            one.action_vesfx_update_rates()
        self.assertEqual(rows(one, "rate"), {})

    def test_a_company_of_another_currency_and_one_without_the_other_are_told(self):
        with self.assertRaisesRegex(odoo_stub.UserError, "VES, USD or EUR"):
            company(self.service.url, "COP")._vesfx_update_rates()
        with self.assertRaisesRegex(odoo_stub.UserError, "Activate"):
            company(self.service.url, active=("VES",))._vesfx_update_rates()
        # VEF is 100,000 times smaller: nothing is written for it.
        with self.assertRaisesRegex(odoo_stub.UserError, "VES, USD or EUR"):
            company(self.service.url, "VEF")._vesfx_update_rates()

    def test_an_error_of_the_service_is_shown_and_stores_nothing(self):
        one = company(self.service.url, vesfx_market="nobody")
        with self.assertRaisesRegex(odoo_stub.UserError, r"No such market\. \(resource_not_found\)"):
            one.action_vesfx_update_rates()

    def test_what_is_no_answer_stores_nothing(self):
        point = b'{"base":"USD","points":[{"date":"2026-11-20","rate":%s}]}'
        day = b'{"base":"USD","effective_date":"","missing":[],"rows":[{"date":"2026-11-20","value_date":"2026-11-20","rate":%s}]}'
        rates = (b'"1"', b"0", b"-1", b"NaN", b"true", b"null")
        bad = [one % rate for one in (point, day) for rate in rates]
        for body in [b"<html>", b"[]", b"{}", *bad]:
            self.service.override = (200, {}, body)
            one = company(self.service.url)
            with self.subTest(body), self.assertRaises(odoo_stub.UserError):
                one.action_vesfx_update_rates()
            self.assertEqual(rows(one, "rate"), {})

    def test_a_redirect_is_not_followed_for_it_would_take_the_key_along(self):
        elsewhere = Service()
        self.addCleanup(elsewhere.close)
        self.service.override = (302, {"Location": elsewhere.url + "/v1/fx/rates/reference"}, b"")
        with self.assertRaisesRegex(odoo_stub.UserError, "status 302"):
            company(self.service.url).action_vesfx_update_rates()
        self.assertEqual(elsewhere.asked, [])

    def test_the_key_is_in_a_header_and_never_in_the_address(self):
        company(self.service.url)._vesfx_update_rates()
        self.assertEqual({key for _, key in self.service.asked}, {"k"})
        self.assertFalse([path for path, _ in self.service.asked if "key" in path])

    def test_an_address_that_is_no_address_is_refused(self):
        for url in ("file:///etc", "rates.example", "ftp://rates.example"):
            with self.subTest(url), self.assertRaisesRegex(odoo_stub.UserError, "must begin with"):
                company(url).action_vesfx_update_rates()

    def test_the_scheduled_action_goes_on_after_a_company_that_fails(self):
        good, bad = company(self.service.url), company(self.service.url, vesfx_market="nobody")
        branch = company(self.service.url)
        branch.parent_id = good
        table = odoo_stub.Table(ResCompany, [bad, company(False), branch, good])
        model = ResCompany(search=table.search)
        with self.assertLogs("vesfx_rates.models.res_company", "WARNING"):
            model._vesfx_cron()
        self.assertIn("resource_not_found", bad.vesfx_outcome)
        self.assertIn(": 5 rates", good.vesfx_outcome)
        self.assertFalse(branch.vesfx_outcome)

    def test_a_service_that_does_not_answer_is_told(self):
        closed = Service()
        closed.close()
        with self.assertRaisesRegex(odoo_stub.UserError, "does not answer"):
            company(closed.url).action_vesfx_update_rates()

    def test_errors_are_in_the_language_of_the_reader_and_of_an_hourly_run_in_that_of_the_company(self):
        closed = Service()
        closed.close()
        told = {"es_VE": "no responde", "es_419": "no responde", "en_US": "does not answer"}
        for lang, text in told.items():
            with self.assertRaisesRegex(odoo_stub.UserError, text):
                company(closed.url, lang=lang).action_vesfx_update_rates()
        one = company(closed.url, partner_id=odoo_stub.Model(lang="es_VE"))
        with self.assertRaisesRegex(odoo_stub.UserError, "El servicio no responde"):
            one.action_vesfx_update_rates()
        # What the service says is asked for in it too.
        for lang in ("es_VE", "fr_FR"):
            company(self.service.url, lang=lang)._vesfx_update_rates()
        self.assertEqual(sorted(set(self.service.languages)), ["en", "es"])
        with self.assertRaisesRegex(odoo_stub.UserError, "La regla debe ser una de"):
            company(self.service.url, lang="es", vesfx_rule=False).action_vesfx_update_rates()


class Files(unittest.TestCase):
    def test_the_manifest_names_files_that_are_there_and_no_other_needs_naming(self):
        manifest = ast.literal_eval((ADDON / "__manifest__.py").read_text("utf-8"))
        self.assertRegex(manifest["version"], r"^\d+\.\d+\.\d+$")
        found = {str(path.relative_to(ADDON)) for path in ADDON.rglob("*.xml")}
        self.assertEqual(set(manifest["data"]), found)
        for hook in ("pre_init_hook", "post_init_hook"):
            self.assertTrue(callable(getattr(vesfx_rates, manifest[hook])))

    def test_every_document_is_well_formed_and_names_what_is_there(self):
        for path in ADDON.rglob("*.xml"):
            document = xml.dom.minidom.parse(str(path))
            for field in document.getElementsByTagName("field"):
                name = field.getAttribute("name")
                if name.startswith("vesfx_"):
                    self.assertIn(name, dir(vesfx_rates.models.res_config_settings.ResConfigSettings))
            for button in document.getElementsByTagName("button"):
                self.assertTrue(hasattr(ResCompany, button.getAttribute("name")))
        cron = (ADDON / "data" / "ir_cron.xml").read_text("utf-8")
        self.assertIn("model._vesfx_cron()", cron)

    def test_the_scheduled_action_runs_for_ever_on_odoo_17_too(self):
        for fields, expected in (({"numbercall"}, -1), (set(), 1)):
            cron = odoo_stub.Model(numbercall=1, _fields=fields)
            vesfx_rates.post_init_hook(odoo_stub.Model(ref={"vesfx_rates.cron_update_rates": cron}.get))
            self.assertEqual(cron.numbercall, expected)

    def test_it_is_installed_on_odoo_17_and_later_only(self):
        for series in (17, "saas~17", 18, 19):
            with unittest.mock.patch.object(vesfx_rates.release, "version_info", (series, 0)):
                vesfx_rates.pre_init_hook(None)
        for series in (16, "saas~16"):
            with unittest.mock.patch.object(vesfx_rates.release, "version_info", (series, 3)):
                self.assertRaisesRegex(odoo_stub.UserError, "Odoo 17", vesfx_rates.pre_init_hook, None)

    def test_every_sentence_has_a_spanish_one(self):
        spanish = (ADDON / "i18n" / "es.po").read_text("utf-8")
        tree = ast.parse((ADDON / "models" / "res_company.py").read_text("utf-8"))
        calls = [one for one in ast.walk(tree) if isinstance(one, ast.Call)]
        texts = [one.args[0].value for one in calls if getattr(one.func, "id", "") == "_"]
        self.assertEqual(len(texts), 7)
        for text in texts:
            self.assertIn('msgid "%s"' % text, spanish)


@unittest.skipUnless("VESFX_URL" in os.environ, "needs VESFX_URL and VESFX_KEY")
class RealService(OnASaturday):
    def test_the_days_of_a_real_service_become_rows(self):
        one = company(os.environ["VESFX_URL"])
        one.vesfx_key = os.environ["VESFX_KEY"]
        one._vesfx_update_rates()
        found = rows(one, "inverse_company_rate")
        expected = json.loads(os.environ["VESFX_EXPECTED"])
        self.assertEqual({" ".join(name): rate for name, rate in found.items()}, expected)
        one._vesfx_update_rates()
        self.assertEqual(rows(one, "inverse_company_rate"), found)
        one.vesfx_rule = "next_banking_day"
        one._vesfx_update_rates()
        found = {" ".join(name): rate for name, rate in rows(one, "inverse_company_rate").items()}
        self.assertEqual(found, {**expected, **json.loads(os.environ["VESFX_NEXT"])})

    def test_a_wrong_key_is_told_by_its_code(self):
        with self.assertRaisesRegex(service.ServiceError, "invalid_api_key"):
            service.rates((os.environ["VESFX_URL"], "vfx_live_wrong", "en"), "reference", "USD", "value_date")


if __name__ == "__main__":
    unittest.main()
