"""A client of vesfx in one file: rates, conversions, history, webhooks. Copy it into your project.

    from vesfx import Vesfx
    quote = Vesfx("https://rates.example", key).convert("USD", "VES", "100", date="2026-11-20")
    print(quote.to_amount, quote.rate, quote.effective_date)

As a command it prints an amount in bolívares, with the rate, its age and its source:

    VESFX_URL=http://127.0.0.1:8080 VESFX_KEY=vfx_live_… python3 vesfx.py 100 parallel

What the client and the service say of an error is in Spanish or English, as the locale of the process says (LC_ALL,
LC_MESSAGES or LANG); name it where there is none: Vesfx(url, key, language="es").

Python 3.8 or later, nothing to install. Money is Decimal.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
import re
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

TIMEOUT_SEC = 10
TRIES = 4
LONGEST_WAIT_SEC = 60
WEBHOOK_TOLERANCE_SEC = 300

NOW = "now"
"""The day of the current rate. An empty day is refused: a blank cell must not mean today."""


_TEXTS = {
    "secret": ("secret is the secret of a webhook, whsec_…", "`secret` es el secreto de un webhook, whsec_…"),
    "header": ("the request has no header %s", "la petición no tiene la cabecera %s"),
    "time": ("the message is not of the last five minutes", "el mensaje no es de los últimos cinco minutos"),
    "signature": ("the message was not signed with this secret", "el mensaje no fue firmado con este secreto"),
    "body": ("the body is no JSON object", "el cuerpo no es un objeto JSON"),
    "empty": ("%s is empty", "`%s` está vacío"),
    "status": ("the status was %s", "el código de estado fue %s"),
    "silent": ("%s does not answer as it should: %s", "%s no responde como debe: %s"),
    "value date": ("value date %s", "fecha valor %s"),
    "age": ("%s old", "de hace %s"),
    "days": ("%s days", "%s días"),
    "stale": (": STALE, do not rely on it", ": DESACTUALIZADA, no la use"),
}


def _language(language: Optional[str] = None) -> str:
    """'es' or 'en'; without a name that of the process."""
    named = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    chosen = next(filter(None, named), "") if language is None else language
    return "es" if chosen.lower().startswith("es") else "en"


def _text(language: str, name: str, *values: Any) -> str:
    return _TEXTS[name][language == "es"] % values


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
class AsOf:
    """Where the rate of a past day comes from: keep it with an invoice."""

    date: str
    rule: Optional[str]
    """`value_date` or `next_banking_day`, of official rates only."""
    business_day: bool
    value_date: Optional[str]
    captured_at: str
    carried_days: Optional[int]
    """Days since the value date."""


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
    as_of: Optional[AsOf] = None
    """None for the current rate."""


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
    as_of: Optional[AsOf] = None
    """None for the current rate."""


@dataclass(frozen=True)
class Point:
    """The last rate of a UTC day."""

    date: str
    rate: Decimal
    captured_at: str
    unit_changes: Tuple[UnitChange, ...] = ()
    """The reforms since then: the rate is in the bolívar of its day."""


@dataclass(frozen=True)
class OfficialRate:
    rate: Decimal
    value_date: str
    effective_at: str


@dataclass(frozen=True)
class OfficialCurrency:
    """The official rates of a currency; None for one that is not known or not published yet."""

    in_force: Optional[OfficialRate]
    previous: Optional[OfficialRate]
    next: Optional[OfficialRate]


@dataclass(frozen=True)
class RateInDoubt:
    """A rate that is not confirmed. Do not rely on it."""

    currency: str
    value_date: str
    rate: Decimal
    reasons: Tuple[str, ...]


@dataclass(frozen=True)
class Official:
    rates: Mapping[str, OfficialCurrency]
    """By currency, such as "USD"."""
    in_doubt: Tuple[RateInDoubt, ...]
    overdue: bool
    """True: the next rate should have been published by now. The rate in force may be old."""


@dataclass(frozen=True)
class OfficialDay:
    """The official rate of a day in Caracas, by both rules."""

    date: str
    rate: Decimal
    """In force on that day."""
    value_date: str
    business_day: bool
    carried_days: int
    next_banking_day: Optional[str]
    next_banking_day_rate: Optional[Decimal]
    """None until it is published."""
    unit_changes: Tuple[UnitChange, ...] = ()
    """The reforms since then: the rates are in the bolívar of their day."""


@dataclass(frozen=True)
class OfficialHistory:
    rows: Tuple[OfficialDay, ...]
    missing: Tuple[str, ...]
    """Business days without a stored rate. Do not fill them with another day's."""


@dataclass(frozen=True)
class OfficialMonth:
    """The days of a month with its close: the rate in force on the last day."""

    month: str
    close: Optional[Decimal]
    """None when it is not known, as its value date and the average."""
    close_value_date: Optional[str]
    average: Optional[Decimal]
    rows: Tuple[OfficialDay, ...]
    missing: Tuple[str, ...]
    """Business days without a stored rate."""


@dataclass(frozen=True)
class BankDay:
    date: str
    business_day: bool
    next_value_date: str
    holiday: Optional[str]


@dataclass(frozen=True)
class Calendar:
    days: Tuple[BankDay, ...]
    announced_until: str
    """After it the holidays are not announced yet."""


@dataclass(frozen=True)
class WebhookMessage:
    """What a webhook tells. Ignore a `type` that you do not know."""

    id: str
    """The same in every attempt to send this message: what was processed once is known by it."""
    type: str
    timestamp: str
    """When it happened."""
    data: Mapping[str, Any]
    """Numbers are int or Decimal."""


def verify_webhook(
    headers: Mapping[str, str],
    body: bytes,
    secret: Union[str, Sequence[str]],
    now: Optional[float] = None,
    language: Optional[str] = None,
) -> WebhookMessage:
    """The message of a request to your webhook, when the service signed it within the last five minutes.

    `body` is the body as it came: parsed and written again it may differ. `secret` is `whsec_…`, or
    several while you change it. What is not verified raises a VesfxError with the code
    `webhook_not_verified`, whose `field` is the header at fault. `now` is in seconds, as time.time().
    `language` is that of the error, "es" or "en"; without it that of the process.
    """
    language = _language(language)

    def refused(field: Optional[str], *text: str) -> VesfxError:
        return VesfxError("webhook_not_verified", _text(language, *text), field=field)

    keys = [_webhook_key(one) for one in ([secret] if isinstance(secret, str) else secret)]
    if not keys or b"" in keys:
        raise ValueError(_text(language, "secret"))
    raw = body.encode() if isinstance(body, str) else bytes(body)
    given = {name.lower(): value for name, value in headers.items()}
    needed = ("webhook-id", "webhook-timestamp", "webhook-signature")
    for name in needed:
        if not given.get(name):
            raise refused(name, "header", name)
    identifier, timestamp, signatures = (given[name] for name in needed)
    at = int(time.time() if now is None else now)
    if not re.fullmatch("[0-9]{1,12}", timestamp) or abs(at - int(timestamp)) > WEBHOOK_TOLERANCE_SEC:
        raise refused("webhook-timestamp", "time")
    signed = f"{identifier}.{timestamp}.".encode() + raw
    expected = [b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()) for key in keys]
    others = [one.encode() for one in signatures.split(" ")]
    # Every pair is compared, each in a time that does not tell where they differ.
    if not any([hmac.compare_digest(one, other) for one in expected for other in others]):
        raise refused("webhook-signature", "signature")
    try:
        message = json.loads(raw, parse_float=Decimal)
        told = (message.get(name, empty) for name, empty in (("type", ""), ("timestamp", ""), ("data", {})))
        return WebhookMessage(identifier, *told)
    except (AttributeError, ValueError):
        raise refused(None, "body") from None


def _webhook_key(secret: str) -> bytes:
    """Empty for what is no secret."""
    text = secret[len("whsec_") :] if secret.startswith("whsec_") else secret
    try:
        return base64.b64decode(text, validate=True)
    except ValueError:
        return b""


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """The service never redirects, and the key must not go anywhere else."""

    def redirect_request(self, *_: Any) -> None:
        return None


class Vesfx:
    """Calls one service with one key. Waits and asks again when the service says so (429, 503)."""

    def __init__(self, url: str, key: str, *, language: Optional[str] = None) -> None:
        """`language` is that of what errors say, "es" or "en"; without it that of the process."""
        self._url = url.rstrip("/")
        self._key = key
        self._language = _language(language)
        self._opener = urllib.request.build_opener(_NoRedirect)

    def rates(self, date: str = NOW) -> List[Rate]:
        """The rates of all markets in your plan, now or of a day in Caracas (YYYY-MM-DD)."""
        answer = self._get("/v1/fx/rates", {"date": self._given("date", date, NOW)})
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
        asked["date"] = self._given("date", date, NOW)
        asked["rule"] = self._given("rule", rule, None)
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
            as_of=_as_of(answer.get("as_of")),
        )

    def history(
        self, market: str, start: Optional[str] = None, end: Optional[str] = None
    ) -> List[Point]:
        """The last rate of each UTC day, both ends included; without them what your plan shows."""
        path = f"/v1/fx/rates/{urllib.parse.quote(market, safe='')}/history"
        asked = {"from": self._given("from", start, None), "to": self._given("to", end, None)}
        answer = self._get(path, asked)
        changes = _changes_of(answer)

        def point_of(one: Mapping[str, Any]) -> Point:
            since = tuple(change for change in changes if change.on > one["date"])
            return Point(one["date"], Decimal(one["rate"]), one["captured_at"], since)

        return [point_of(one) for one in answer["points"]]

    def official(self) -> Official:
        """The official rates in force, those before, and the next ones that are published."""
        answer = self._get("/v1/fx/official", {})

        def rate_of(one: Optional[Mapping[str, Any]]) -> Optional[OfficialRate]:
            return one and OfficialRate(Decimal(one["rate"]), one["value_date"], one["effective_at"])

        return Official(
            rates={
                currency: OfficialCurrency(*(rate_of(of.get(name)) for name in ("in_force", "previous", "next")))
                for currency, of in answer["rates"].items()
            },
            in_doubt=tuple(
                RateInDoubt(one["currency"], one["value_date"], Decimal(one["rate"]), tuple(one["reasons"]))
                for one in answer.get("in_doubt", [])
            ),
            overdue=answer.get("next_publication", {}).get("overdue", False),
        )

    def official_history(
        self, currency: str = "USD", start: Optional[str] = None, end: Optional[str] = None
    ) -> OfficialHistory:
        """The official rate of every day in Caracas, both ends included; without them what your plan shows."""
        asked = {"currency": currency, "days": "all"}
        ends = {"from": self._given("from", start, None), "to": self._given("to", end, None)}
        answer = self._get("/v1/fx/official/history", {**asked, **ends})
        return OfficialHistory(_days_of(answer), tuple(answer["missing"]))

    def official_month(self, month: str = NOW, currency: str = "USD") -> OfficialMonth:
        """The official rates of a month (YYYY-MM), with close and average; without one, of that of today."""
        asked = {"month": self._given("month", month, NOW), "currency": currency}
        answer = self._get("/v1/fx/official/month", asked)
        return OfficialMonth(
            month=answer["month"],
            close=_decimal(answer["close"]),
            close_value_date=answer["close_value_date"],
            average=_decimal(answer["average"]),
            rows=_days_of(answer),
            missing=tuple(answer["missing"]),
        )

    def calendar(self, start: Optional[str] = None, end: Optional[str] = None) -> Calendar:
        """The banking days, both ends included; without them those around today."""
        ends = {"from": self._given("from", start, None), "to": self._given("to", end, None)}
        answer = self._get("/v1/fx/calendar", ends)
        days = (
            BankDay(one["date"], one["business_day"], one["next_value_date"], one.get("holiday"))
            for one in answer["days"]
        )
        return Calendar(tuple(days), answer["announced_until"])

    def _given(self, field: str, value: Any, when_absent: Optional[str]) -> Optional[str]:
        """The text to ask for; None when it is left out. An empty one is refused before the service is asked."""
        if value == when_absent:
            return None
        text = "" if value is None else str(value).strip()
        if not text:
            raise VesfxError("invalid_format", _text(self._language, "empty", field), field=field)
        return text

    def _get(self, path: str, query: Mapping[str, Optional[str]]) -> Dict[str, Any]:
        given = {name: value for name, value in query.items() if value}
        address = f"{self._url}{path}?{urllib.parse.urlencode(given)}"
        headers = {"X-API-Key": self._key, "Accept-Language": self._language}
        request = urllib.request.Request(address, headers=headers)
        tried = 1
        while True:
            try:
                with self._opener.open(request, timeout=TIMEOUT_SEC) as answer:
                    # Decimal, so that money stays what the service says.
                    return json.load(answer, parse_float=Decimal)
            except urllib.error.HTTPError as refused:
                error = _error_of(refused, self._language)
                wait_sec = tried if error.retry_after_sec is None else error.retry_after_sec
                again = error.status in (429, 503) and tried < TRIES
                if not again or wait_sec > LONGEST_WAIT_SEC:
                    raise error from None
            except (OSError, ValueError) as failed:
                message = _text(self._language, "silent", self._url, failed)
                raise VesfxError("network_error", message) from failed
            time.sleep(wait_sec)
            tried += 1


def _decimal(number: Any) -> Optional[Decimal]:
    return None if number is None else Decimal(number)


def _days_of(answer: Mapping[str, Any]) -> Tuple[OfficialDay, ...]:
    changes = _changes_of(answer)

    def day_of(one: Mapping[str, Any]) -> OfficialDay:
        return OfficialDay(
            date=one["date"],
            rate=Decimal(one["rate"]),
            value_date=one["value_date"],
            business_day=one["business_day"],
            carried_days=one["carried_days"],
            next_banking_day=one.get("next_banking_day"),
            next_banking_day_rate=_decimal(one.get("next_banking_day_rate")),
            unit_changes=tuple(change for change in changes if change.on > one["date"]),
        )

    return tuple(day_of(one) for one in answer["rows"])


def _rate_of(row: Mapping[str, Any]) -> Rate:
    return Rate(
        market=row["market"],
        base=row["base"],
        mid=Decimal(row["mid"]),
        ask=_decimal(row.get("ask")),
        bid=_decimal(row.get("bid")),
        updated_at=row["updated_at"],
        effective_date=row.get("effective_date"),
        unit_changes=_changes_of(row.get("as_of")),
        as_of=_as_of(row.get("as_of")),
    )


def _as_of(given: Optional[Mapping[str, Any]]) -> Optional[AsOf]:
    return given and AsOf(
        date=given["date"],
        rule=given.get("rule"),
        business_day=given["business_day"],
        value_date=given.get("value_date"),
        captured_at=given["captured_at"],
        carried_days=given.get("carried_days"),
    )


def _changes_of(answer: Optional[Mapping[str, Any]]) -> Tuple[UnitChange, ...]:
    changes = (answer or {}).get("unit_changes", [])
    return tuple(UnitChange(one["on"], one["factor"]) for one in changes)


def _error_of(refused: urllib.error.HTTPError, language: str) -> VesfxError:
    wait = refused.headers.get("Retry-After", "")
    known = {"status": refused.code, "retry_after_sec": int(wait) if wait.isdigit() else None}
    try:
        body = json.load(refused)
        more = {"field": body.get("field"), "details": body.get("details")}
        return VesfxError(body["code"], body["message"], **known, **more)
    except (AttributeError, KeyError, OSError, TypeError, ValueError):
        return VesfxError("unexpected_answer", _text(language, "status", refused.code), **known)


def age_of(seconds: int, language: str) -> str:
    if seconds < 3600:
        return f"{seconds // 60} min"
    if seconds < 172800:
        return f"{seconds // 3600} h"
    return _text(language, "days", seconds // 86400)


def main(amount: str = "100", via: str = "") -> None:
    language = _language()
    client = Vesfx(
        os.environ.get("VESFX_URL", "http://127.0.0.1:8080"), os.environ.get("VESFX_KEY", "")
    )
    quote = client.convert("USD", "VES", amount, via=via)
    print(f"{quote.from_amount} USD = {quote.to_amount} VES")
    print(f"1 USD = {quote.rate} VES, {quote.market}")
    if quote.effective_date is not None:
        print(_text(language, "value date", quote.effective_date))
    stale = _text(language, "stale") if quote.stale else ""
    print(_text(language, "age", age_of(quote.staleness_sec or 0, language)) + stale)


if __name__ == "__main__":
    try:
        main(*sys.argv[1:3])
    except VesfxError as error:
        sys.exit(f"{error} ({error.code})")
