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
# Days of official rates that each run compares, if the plan of the key reaches that far.
DAYS = 365
# How the rate of a day without banks is chosen.
RULES = ("value_date", "next_banking_day")


class ServiceError(Exception):
    """The service did not answer with rates that may be used; the text says why."""

    # The first day that the plan of the key reaches, when the service refused an earlier one.
    earliest = None


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect would take the key to another host."""

    def redirect_request(self, *_args):
        return None


_opener = urllib.request.build_opener(_NoRedirects())


def _get(url, key, path):
    address = url.rstrip("/") + path
    if not address.startswith(("https://", "http://")):
        raise ServiceError("The address of the service must begin with https:// or http://")
    request = urllib.request.Request(address, headers={"X-API-Key": key})
    try:
        with _opener.open(request, timeout=TIMEOUT_SEC) as response:
            body = response.read(MAX_ANSWER_BYTES + 1)
    except urllib.error.HTTPError as error:
        raise _refusal(error) from error
    except (OSError, ValueError) as error:
        raise ServiceError("The service does not answer: %s" % error) from error
    if len(body) > MAX_ANSWER_BYTES:
        raise ServiceError("The answer of the service is too long.")
    try:
        answer = json.loads(body)
    except ValueError as error:
        raise ServiceError("The answer of the service is not JSON.") from error
    if not isinstance(answer, dict):
        raise ServiceError("The answer of the service is not an object.")
    return answer


def _refusal(error):
    try:
        answer = json.loads(error.read(MAX_ANSWER_BYTES))
        refusal = ServiceError("%s (%s)" % (answer["message"], answer["code"]))
        if answer["code"] == "history_out_of_retention":
            refusal.earliest = date.fromisoformat(answer["details"]["earliest"])
        return refusal
    except (KeyError, OSError, TypeError, ValueError):
        return ServiceError("The service answered with status %d." % error.code)


def rates(url, key, market, base, rule):
    """Bolívares for one `base` by day: `(of_days, carried)`, both `{date: float}`.

    `of_days` has the days that begin to have another rate. An official rate stands at its value date;
    by the rule `next_banking_day` each day without banks has that of the next banking day, once it is
    published. Any other market's rate stands at the UTC day on which it was captured. On the other
    days the rate before goes on: `carried` has it, for rows that the other rule left there.

    Raises ServiceError when the service refuses, does not answer, or when the market quotes another
    currency than `base`.
    """
    if rule not in RULES:
        raise ServiceError("The rule must be one of: %s." % ", ".join(RULES))
    path = "/v1/fx/rates/" + urllib.parse.quote(market, safe="")
    current = _get(url, key, path)
    if current.get("base") != base:
        raise ServiceError("Market %s quotes %s, not %s." % (market, current.get("base"), base))
    try:
        if "effective_date" in current:
            return _by_rule(_official_days(url, key, base)["rows"], rule)
        points = _get(url, key, path + "/history")["points"]
        return {_day(point["date"]): _number(point["rate"]) for point in points}, {}
    except (KeyError, TypeError, ValueError) as error:
        raise ServiceError("The history of %s cannot be read: %s" % (market, error)) from error


def _official_days(url, key, currency):
    """Every day up to today, as far back as the plan of the key reaches, at most `DAYS`."""
    path = "/v1/fx/official/history?days=all&currency=%s&from=%s"
    today = (datetime.now(timezone.utc) + CARACAS).date()
    try:
        return _get(url, key, path % (currency, today - timedelta(days=DAYS - 1)))
    except ServiceError as error:
        if error.earliest is None:
            raise
        return _get(url, key, path % (currency, error.earliest))


def _by_rule(rows, rule):
    of_days, carried = {}, {}
    for row in rows:
        if rule == "next_banking_day":
            if row["next_banking_day_rate"] is not None:
                of_days[_day(row["date"])] = _number(row["next_banking_day_rate"])
        else:
            days = of_days if row["date"] == row["value_date"] else carried
            days[_day(row["date"])] = _number(row["rate"])
    return of_days, carried


def _day(text):
    return date.fromisoformat(text)


def _number(rate):
    if isinstance(rate, bool) or not isinstance(rate, (int, float)):
        raise ValueError("a rate is not a number")
    if not math.isfinite(rate) or rate <= 0:
        raise ValueError("a rate is not above zero")
    return float(rate)
