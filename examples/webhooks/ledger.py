"""Keeps the official rate of each day in a table of SQLite, as a webhook tells it.

    VESFX_WEBHOOK_SECRET=whsec_… LEDGER=ledger.db PORT=8000 python3 ledger.py

With receiver.py and vesfx.py beside it. The webhook asks for `official.published` and
`official.corrected`. A message that comes twice changes nothing, and one that comes late does not undo
a newer one: each day and currency keeps what was told last, by the time in the message.

    select rate from official_rate where value_date = '2026-11-20' and currency = 'USD'

A rate that was withdrawn is null.
"""

import os
import sqlite3
from contextlib import closing

from receiver import serve
from vesfx import WebhookMessage

TABLES = """
create table if not exists message (id text primary key, type text not null, told_at text not null);
create table if not exists official_rate (
    value_date text not null,
    currency text not null,
    rate text, -- decimal, as the service says it
    told_at text not null,
    message_id text not null references message (id),
    primary key (value_date, currency)
);
"""

KEEP = """
insert into official_rate (value_date, currency, rate, told_at, message_id) values (?, ?, ?, ?, ?)
on conflict (value_date, currency) do update
set rate = excluded.rate, told_at = excluded.told_at, message_id = excluded.message_id
where excluded.told_at >= official_rate.told_at
"""

RATE_IN = {"official.published": "rate", "official.corrected": "is"}


def keep(message: WebhookMessage) -> None:
    """All of it or nothing: what fails is sent again."""
    name = RATE_IN.get(message.type)
    if name is None:
        return
    with closing(sqlite3.connect(LEDGER, timeout=10)) as ledger, ledger:
        row = (message.id, message.type, message.timestamp)
        new = ledger.execute("insert into message values (?, ?, ?) on conflict do nothing", row)
        if new.rowcount == 0:
            return
        for currency, figures in message.data["rates"].items():
            rate = None if figures[name] is None else str(figures[name])
            day = message.data["value_date"]
            ledger.execute(KEEP, (day, currency, rate, message.timestamp, message.id))


LEDGER = os.environ.get("LEDGER", "ledger.db")

if __name__ == "__main__":
    with closing(sqlite3.connect(LEDGER)) as created:
        created.executescript(TABLES)
    serve(keep)
