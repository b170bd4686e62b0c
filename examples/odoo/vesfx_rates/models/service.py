"""Asks a vesfx service for the history of a market. Knows nothing of Odoo."""

import json
import math
import urllib.error
import urllib.parse
import urllib.request
from datetime import date, datetime, timedelta

TIMEOUT_SEC = 15
MAX_ANSWER_BYTES = 4 * 1024 * 1024
# Caracas is four hours behind UTC, the whole year.
CARACAS = timedelta(hours=-4)


class ServiceError(Exception):
    """The service did not answer with rates that may be used; the text says why."""


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
        raise ServiceError(_refusal(error)) from error
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
        return "%s (%s)" % (answer["message"], answer["code"])
    except (KeyError, OSError, TypeError, ValueError):
        return "The service answered with status %d." % error.code


def history(url, key, market, base):
    """Bolívares for one `base` on each day of `market` that has a rate: `{date: float}`.

    An official rate stands at its value date, any other at the UTC day on which it was captured. The
    history begins where the plan of the key does. Days without a rate are absent: for Odoo the rate
    before goes on.

    Raises ServiceError when the service refuses, does not answer, or when the market quotes another
    currency than `base`.
    """
    path = "/v1/fx/rates/" + urllib.parse.quote(market, safe="")
    current = _get(url, key, path)
    if current.get("base") != base:
        raise ServiceError("Market %s quotes %s, not %s." % (market, current.get("base"), base))
    day = _value_date if "effective_date" in current else _captured_on
    answer = _get(url, key, path + "/history")
    try:
        # In order of time: a corrected rate of the same value date comes later, and stays.
        return {day(point): _rate(point) for point in answer["points"]}
    except (KeyError, TypeError, ValueError) as error:
        raise ServiceError("The history of %s cannot be read: %s" % (market, error)) from error


def _captured_on(point):
    return date.fromisoformat(point["date"])


def _value_date(point):
    """An official rate is updated at 00:00 in Caracas of its value date, whenever it was captured."""
    return (datetime.strptime(point["updated_at"], "%Y-%m-%dT%H:%M:%S.%fZ") + CARACAS).date()


def _rate(point):
    rate = point["rate"]
    if isinstance(rate, bool) or not isinstance(rate, (int, float)):
        raise ValueError("a rate is not a number")
    if not math.isfinite(rate) or rate <= 0:
        raise ValueError("a rate is not above zero")
    return float(rate)
