"""Asks a vesfx service for the rates of a market by day. Knows nothing of Odoo."""

import json
import math
import urllib.error
import urllib.parse
import urllib.request
from datetime import date, datetime, timedelta, timezone

TIMEOUT_SEC = 15
MAX_ANSWER_BYTES = 4 * 1024 * 1024
# Caracas is four hours behind UTC, the whole year.
CARACAS = timedelta(hours=-4)
# Days of official rates that an hourly run compares, if the plan of the key reaches that far.
RECENT_DAYS = 365
# The most days that the service gives in one answer, and the most answers that are asked for.
MAX_DAYS = 3700
MAX_ANSWERS = 10
# How far ahead a published rate may stand. The service answers up to the newest one it has.
AHEAD = timedelta(days=15)
# The official markets, and what each quotes.
OFFICIAL = {"reference": "USD", "eur_reference": "EUR"}
# How the rate of a day without banks is chosen.
RULES = ("value_date", "next_banking_day")

_TEXTS = {
    "address": (
        "The address of the service must begin with https:// or http://",
        "La dirección del servicio debe empezar con https:// o http://",
    ),
    "silent": ("The service does not answer: %s", "El servicio no responde: %s"),
    "long": ("The answer of the service is too long.", "La respuesta del servicio es demasiado larga."),
    "json": ("The answer of the service is not JSON.", "La respuesta del servicio no es JSON."),
    "object": ("The answer of the service is not an object.", "La respuesta del servicio no es un objeto."),
    "status": ("The service answered with status %d.", "El servicio respondió con el código de estado %d."),
    "rule": ("The rule must be one of: %s.", "La regla debe ser una de: %s."),
    "base": ("Market %s quotes %s, not %s.", "El mercado %s cotiza %s, no %s."),
    "history": ("The history of %s cannot be read: %s", "No se puede leer el historial de %s: %s"),
}


def _text(language, name, *values):
    return _TEXTS[name][language == "es"] % values


class ServiceError(Exception):
    """The service did not answer with rates that may be used; the text says why."""

    # The first day that the plan of the key reaches, when the service refused an earlier one.
    earliest = None


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect would take the key to another host."""

    def redirect_request(self, *_args):
        return None


_opener = urllib.request.build_opener(_NoRedirects())


def _get(access, path):
    url, key, language = access
    address = url.rstrip("/") + path
    if not address.startswith(("https://", "http://")):
        raise ServiceError(_text(language, "address"))
    request = urllib.request.Request(address, headers={"X-API-Key": key, "Accept-Language": language})
    try:
        with _opener.open(request, timeout=TIMEOUT_SEC) as response:
            body = response.read(MAX_ANSWER_BYTES + 1)
    except urllib.error.HTTPError as error:
        raise _refusal(error, language) from error
    except (OSError, ValueError) as error:
        raise ServiceError(_text(language, "silent", error)) from error
    if len(body) > MAX_ANSWER_BYTES:
        raise ServiceError(_text(language, "long"))
    try:
        answer = json.loads(body)
    except ValueError as error:
        raise ServiceError(_text(language, "json")) from error
    if not isinstance(answer, dict):
        raise ServiceError(_text(language, "object"))
    return answer


def _refusal(error, language):
    try:
        answer = json.loads(error.read(MAX_ANSWER_BYTES))
        refusal = ServiceError("%s (%s)" % (answer["message"], answer["code"]))
        if answer["code"] == "history_out_of_retention":
            refusal.earliest = date.fromisoformat(answer["details"]["earliest"])
        return refusal
    except (KeyError, OSError, TypeError, ValueError):
        return ServiceError(_text(language, "status", error.code))


class Rates:
    """Bolívares for one unit of a currency, by day.

    `of_days` has the days that begin to have another rate, `carried` those on which the rate before
    goes on, both `{date: float}`. `in_doubt` has value dates whose rate nothing confirms: it is left
    out. `missing` has banking days of which the service has no rate.
    """

    def __init__(self, of_days, carried=(), in_doubt=(), missing=()):
        self.of_days = of_days
        self.carried = dict(carried)
        self.in_doubt = sorted(in_doubt)
        self.missing = sorted(missing)


def rates(access, market, base, rule, recent=False):
    """The `Rates` of a market that quotes `base`: all that the plan has, or the last year.

    `access` is the address of the service, the key, and the language of errors: "es" or "en".

    An official rate stands at its value date, tomorrow's too once it is published; by the rule
    `next_banking_day` each day without banks has that of the next banking day. Any other market's
    rate stands at the UTC day on which it was captured. Days of before the last redenomination are
    left out: their rates are in another bolívar.

    Raises ServiceError when the service refuses, does not answer, or when the market quotes another
    currency than `base`.
    """
    language = access[2]
    if rule not in RULES:
        raise ServiceError(_text(language, "rule", ", ".join(RULES)))
    path = "/v1/fx/rates/" + urllib.parse.quote(market, safe="")
    quoted = OFFICIAL.get(market)
    if quoted is None:
        current = _get(access, path)
        # A market may have other names: `bcv` is `reference`.
        market, quoted = current.get("market"), current.get("base")
    if quoted != base:
        raise ServiceError(_text(language, "base", market, quoted, base))
    try:
        if market in OFFICIAL:
            in_doubt = _in_doubt(_get(access, "/v1/fx/official"), base)
            return _by_rule(*_official_days(access, base, recent), rule, in_doubt)
        history = _get(access, path + "/history")
        since = _unit_since(history)
        points = {_day(one["date"]): _number(one["rate"]) for one in history["points"]}
        return Rates({day: rate for day, rate in points.items() if day >= since})
    except (KeyError, TypeError, ValueError) as error:
        raise ServiceError(_text(language, "history", market, error)) from error


def _official_days(access, currency, recent):
    """The rows of every day up to the newest value date, and the banking days without a rate."""
    last = _today() + AHEAD
    rows, missing = [], []
    for _ in range(MAX_ANSWERS):
        asked = last - timedelta(days=(RECENT_DAYS if recent else MAX_DAYS) - 1)
        first, answer = _official_answer(access, currency, asked, last)
        since = max(first, _unit_since(answer))
        found = [row for row in answer["rows"] if _day(row["date"]) >= since]
        rows += found
        missing += [day for day in map(_day, answer["missing"]) if day >= since]
        # Older days are beyond the plan, in another bolívar, or of before the first rate.
        if recent or since > asked or not found:
            break
        last = first - timedelta(days=1)
    return rows, missing


def _official_answer(access, currency, first, last):
    """The first day that the plan of the key reaches, `first` or later, and the answer from it on."""
    path = "/v1/fx/official/history?days=all&currency=%s&from=%s&to=%s"
    try:
        return first, _get(access, path % (currency, first, last))
    except ServiceError as error:
        if error.earliest is None or not first < error.earliest <= last:
            raise
        return error.earliest, _get(access, path % (currency, error.earliest, last))


def _unit_since(answer):
    """The first day of today's bolívar in an answer; the answer names the redenominations in it."""
    return max((_day(one["on"]) for one in answer.get("unit_changes", [])), default=date.min)


def _in_doubt(official, currency):
    found = official.get("in_doubt", [])
    return {_day(one["value_date"]) for one in found if one["currency"] == currency}


def _by_rule(rows, missing, rule, in_doubt):
    of_days, carried, left_out = {}, {}, set()
    for row in rows:
        day = _day(row["date"])
        if rule == "next_banking_day":
            if row["next_banking_day_rate"] is None:
                continue
            value_date, rate = row["next_banking_day"], row["next_banking_day_rate"]
            days = of_days
        else:
            value_date, rate = row["value_date"], row["rate"]
            days = of_days if row["date"] == value_date else carried
        if _day(value_date) in in_doubt:
            left_out.add(_day(value_date))
        else:
            days[day] = _number(rate)
    return Rates(of_days, carried, left_out, missing)


def _today():
    return (datetime.now(timezone.utc) + CARACAS).date()


def _day(text):
    return date.fromisoformat(text)


def _number(rate):
    if isinstance(rate, bool) or not isinstance(rate, (int, float)):
        raise ValueError("a rate is not a number")
    if not math.isfinite(rate) or rate <= 0:
        raise ValueError("a rate is not above zero")
    return float(rate)
