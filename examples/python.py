"""An amount in bolívares, with the rate, its age and its source.

    VESFX_URL=http://127.0.0.1:8080 VESFX_KEY=vfx_live_… python3 python.py 100 parallel

Python 3.8 or later, nothing to install.
"""

import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from decimal import Decimal

URL = os.environ.get("VESFX_URL", "http://127.0.0.1:8080").rstrip("/")
KEY = os.environ.get("VESFX_KEY", "")

TIMEOUT_SEC = 10
TRIES = 4
LONGEST_WAIT_SEC = 60


class VesfxError(Exception):
    """An error of the service. Decide on the code: sentences may change."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """The service never redirects, and the key must not go anywhere else."""

    def redirect_request(self, *_):
        return None


opener = urllib.request.build_opener(NoRedirect)


def get(path, query):
    """The answer of the service. When it asks to wait (429, 503), waits and asks again."""
    request = urllib.request.Request(
        f"{URL}{path}?{urllib.parse.urlencode(query)}", headers={"X-API-Key": KEY}
    )
    for tried in range(1, TRIES + 1):
        try:
            with opener.open(request, timeout=TIMEOUT_SEC) as answer:
                # Decimal, so that money stays what the service says.
                return json.load(answer, parse_float=Decimal)
        except urllib.error.HTTPError as refused:
            wait = refused.headers.get("Retry-After", "")
            wait_sec = int(wait) if wait.isdigit() else tried
            again = refused.code in (429, 503) and tried < TRIES and wait_sec <= LONGEST_WAIT_SEC
            if not again:
                raise error_of(refused) from None
            time.sleep(wait_sec)


def error_of(refused):
    try:
        body = json.load(refused)
        return VesfxError(body["code"], body["message"])
    except (ValueError, KeyError, TypeError):
        return VesfxError("unexpected_answer", f"the status was {refused.code}")


def age_of(seconds):
    if seconds < 3600:
        return f"{seconds // 60} min"
    if seconds < 172800:
        return f"{seconds // 3600} h"
    return f"{seconds // 86400} days"


def main(amount="100", via=""):
    # An empty parameter counts as absent.
    query = {"from": "USD", "to": "VES", "amount": amount, "via": via}
    quote = get("/v1/fx/convert", query)
    print(f"{quote['from']['amount']} USD = {quote['to']['amount']} VES")
    print(f"1 USD = {quote['rate']} VES, {quote['market']}")
    if "effective_date" in quote:
        print(f"value date {quote['effective_date']}")
    stale = ": STALE, do not rely on it" if quote["stale"] else ""
    print(f"{age_of(quote['staleness_sec'])} old{stale}")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:3])
    except VesfxError as error:
        sys.exit(f"{error} ({error.code})")
    except (OSError, ValueError) as error:
        sys.exit(f"{URL} does not answer as it should: {error}")
