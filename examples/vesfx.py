"""A client of vesfx in one file: rates, conversions and history. Copy it into your project.

    from vesfx import Vesfx
    quote = Vesfx("https://rates.example", key).convert("USD", "VES", "100", date="2026-11-20")
    print(quote.to_amount, quote.rate, quote.effective_date)

As a command it prints an amount in bolívares, with the rate, its age and its source:

    VESFX_URL=http://127.0.0.1:8080 VESFX_KEY=vfx_live_… python3 vesfx.py 100 parallel

Python 3.8 or later, nothing to install. Money is Decimal.
"""

from __future__ import annotations

import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Dict, List, Mapping, Optional, Tuple, Union

TIMEOUT_SEC = 10
TRIES = 4
LONGEST_WAIT_SEC = 60

NOW = "now"
"""The day of the current rate. An empty day is refused: a blank cell must not mean today."""


class VesfxError(Exception):
    """An error of the service. Decide on `code`: sentences may change."""

    def __init__(
        self,
        code: str,
        message: str,
        *,
        status: int = 0,
        field: Optional[str] = None,
        details: Optional[Mapping[str, Any]] = None,
        retry_after_sec: Optional[int] = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.status = status
        """0 when there was no answer."""
        self.field = field
        self.details = details or {}
        self.retry_after_sec = retry_after_sec


@dataclass(frozen=True)
class UnitChange:
    """From this day in Caracas on, one new bolívar is `factor` old ones."""

    on: str
    factor: int


@dataclass(frozen=True)
class Rate:
    """What one unit of `base` costs in bolívares."""

    market: str
    base: str
    mid: Decimal
    ask: Optional[Decimal]
    bid: Optional[Decimal]
    updated_at: str
    effective_date: Optional[str]
    """The value date, of official rates only."""
    unit_changes: Tuple[UnitChange, ...] = ()
    """The reforms since then, oldest first: a rate of a past day is in the bolívar of that day."""


@dataclass(frozen=True)
class Conversion:
    from_currency: str
    from_amount: Decimal
    to_currency: str
    to_amount: Decimal
    rate: Decimal
    market: str
    effective_date: Optional[str]
    staleness_sec: Optional[int]
    """None for a past date."""
    stale: bool
    """True: the rate is older than it should be. Do not rely on it."""
    unit_changes: Tuple[UnitChange, ...] = ()
    """The reforms since then: rate and amounts of a past day are in the bolívar of that day."""


@dataclass(frozen=True)
class Point:
    """The last rate of a UTC day."""

    date: str
    rate: Decimal
    captured_at: str
    unit_changes: Tuple[UnitChange, ...] = ()
    """The reforms since then: the rate is in the bolívar of its day."""


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """The service never redirects, and the key must not go anywhere else."""

    def redirect_request(self, *_: Any) -> None:
        return None


class Vesfx:
    """Calls one service with one key. Waits and asks again when the service says so (429, 503)."""

    def __init__(self, url: str, key: str) -> None:
        self._url = url.rstrip("/")
        self._key = key
        self._opener = urllib.request.build_opener(_NoRedirect)

    def rates(self, date: str = NOW) -> List[Rate]:
        """The rates of all markets in your plan, now or of a day in Caracas (YYYY-MM-DD)."""
        answer = self._get("/v1/fx/rates", {"date": _given("date", date, NOW)})
        return [_rate_of(row) for row in answer["rates"]]

    def convert(
        self,
        from_currency: str,
        to_currency: str,
        amount: Union[str, int, Decimal],
        *,
        via: Optional[str] = None,
        date: str = NOW,
        rule: Optional[str] = None,
    ) -> Conversion:
        """Converts at the official rate, or at the market named in `via`."""
        asked: Dict[str, Optional[str]] = {"from": from_currency, "to": to_currency, "amount": str(amount)}
        asked["date"] = _given("date", date, NOW)
        asked["rule"] = _given("rule", rule, None)
        answer = self._get("/v1/fx/convert", {**asked, "via": via})
        return Conversion(
            from_currency=answer["from"]["currency"],
            from_amount=Decimal(answer["from"]["amount"]),
            to_currency=answer["to"]["currency"],
            to_amount=Decimal(answer["to"]["amount"]),
            rate=Decimal(answer["rate"]),
            market=answer["market"],
            effective_date=answer.get("effective_date"),
            staleness_sec=answer.get("staleness_sec"),
            stale=answer.get("stale", False),
            unit_changes=_changes_of(answer.get("as_of")),
        )

    def history(
        self, market: str, start: Optional[str] = None, end: Optional[str] = None
    ) -> List[Point]:
        """The last rate of each UTC day, both ends included; without them what your plan shows."""
        path = f"/v1/fx/rates/{urllib.parse.quote(market, safe='')}/history"
        asked = {"from": _given("from", start, None), "to": _given("to", end, None)}
        answer = self._get(path, asked)
        changes = _changes_of(answer)

        def point_of(one: Mapping[str, Any]) -> Point:
            since = tuple(change for change in changes if change.on > one["date"])
            return Point(one["date"], Decimal(one["rate"]), one["captured_at"], since)

        return [point_of(one) for one in answer["points"]]

    def _get(self, path: str, query: Mapping[str, Optional[str]]) -> Dict[str, Any]:
        given = {name: value for name, value in query.items() if value}
        address = f"{self._url}{path}?{urllib.parse.urlencode(given)}"
        request = urllib.request.Request(address, headers={"X-API-Key": self._key})
        tried = 1
        while True:
            try:
                with self._opener.open(request, timeout=TIMEOUT_SEC) as answer:
                    # Decimal, so that money stays what the service says.
                    return json.load(answer, parse_float=Decimal)
            except urllib.error.HTTPError as refused:
                error = _error_of(refused)
                wait_sec = tried if error.retry_after_sec is None else error.retry_after_sec
                again = error.status in (429, 503) and tried < TRIES
                if not again or wait_sec > LONGEST_WAIT_SEC:
                    raise error from None
            except (OSError, ValueError) as failed:
                message = f"{self._url} does not answer as it should: {failed}"
                raise VesfxError("network_error", message) from failed
            time.sleep(wait_sec)
            tried += 1


def _given(field: str, value: Any, when_absent: Optional[str]) -> Optional[str]:
    """The text to ask for; None when it is left out. An empty one is refused before the service is asked."""
    if value == when_absent:
        return None
    text = "" if value is None else str(value).strip()
    if not text:
        raise VesfxError("invalid_format", f"{field} is empty", field=field)
    return text


def _rate_of(row: Mapping[str, Any]) -> Rate:
    def side(name: str) -> Optional[Decimal]:
        return Decimal(row[name]) if row.get(name) is not None else None

    return Rate(
        market=row["market"],
        base=row["base"],
        mid=Decimal(row["mid"]),
        ask=side("ask"),
        bid=side("bid"),
        updated_at=row["updated_at"],
        effective_date=row.get("effective_date"),
        unit_changes=_changes_of(row.get("as_of")),
    )


def _changes_of(answer: Optional[Mapping[str, Any]]) -> Tuple[UnitChange, ...]:
    changes = (answer or {}).get("unit_changes", [])
    return tuple(UnitChange(one["on"], one["factor"]) for one in changes)


def _error_of(refused: urllib.error.HTTPError) -> VesfxError:
    wait = refused.headers.get("Retry-After", "")
    known = {"status": refused.code, "retry_after_sec": int(wait) if wait.isdigit() else None}
    try:
        body = json.load(refused)
        more = {"field": body.get("field"), "details": body.get("details")}
        return VesfxError(body["code"], body["message"], **known, **more)
    except (AttributeError, KeyError, OSError, TypeError, ValueError):
        return VesfxError("unexpected_answer", f"the status was {refused.code}", **known)


def age_of(seconds: int) -> str:
    if seconds < 3600:
        return f"{seconds // 60} min"
    if seconds < 172800:
        return f"{seconds // 3600} h"
    return f"{seconds // 86400} days"


def main(amount: str = "100", via: str = "") -> None:
    client = Vesfx(
        os.environ.get("VESFX_URL", "http://127.0.0.1:8080"), os.environ.get("VESFX_KEY", "")
    )
    quote = client.convert("USD", "VES", amount, via=via)
    print(f"{quote.from_amount} USD = {quote.to_amount} VES")
    print(f"1 USD = {quote.rate} VES, {quote.market}")
    if quote.effective_date is not None:
        print(f"value date {quote.effective_date}")
    stale = ": STALE, do not rely on it" if quote.stale else ""
    print(f"{age_of(quote.staleness_sec or 0)} old{stale}")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:3])
    except VesfxError as error:
        sys.exit(f"{error} ({error.code})")
