"""What the cases do not cover: the asynchronous client, CSV, days and instants, webhooks. Prints `ok`."""

import asyncio
import inspect
import json
import sys
from datetime import date, datetime, timezone

from energy_prices import AsyncEnergyPrices, EnergyPrices, NotFoundError, WebhookVerificationError, market_day_of, verify_webhook
from energy_prices._generated import OPERATIONS

about = json.load(sys.stdin)
client = EnergyPrices(about["url"], about["key"])


def refuses(kind, action):
    try:
        action()
    except kind:
        return
    raise AssertionError(f"no {kind.__name__}")


async def asynchronously():
    other = AsyncEnergyPrices(about["url"], about["key"])
    spring, autumn, today = await asyncio.gather(
        other.hourly("nord", date(2026, 3, 29)), other.hourly("nord", "2026-10-25"), other.get_pun_today()
    )
    assert (len(spring.rows), len(autumn.rows), today["value_native"]) == (23, 25, 120.485)
    assert [change["kind"] async for change in other.changes(dataset="pun")][0] == "day.published"


asyncio.run(asynchronously())
assert len(client.csv("getPunHourly", zone="nord", from_="2026-03-01", to="2026-04-30").strip().split("\n")) == 61 * 24
assert client.get_prices_series(asset="pun", from_=date(2026, 11, 1), to="2026-11-02")["count"] == 2
assert market_day_of(datetime(2026, 3, 28, 23, 30, tzinfo=timezone.utc)) == date(2026, 3, 29)
assert client.csv("get_pun_hourly", zone="nord", date="2026-03-29") == client.csv("getPunHourly", zone="nord", date="2026-03-29")
for address in (about["url"] + "/", about["url"] + "/v1", about["url"] + "/v1/"):
    assert EnergyPrices(address).get_pun_today()["value_native"] == 120.485
refuses(ValueError, lambda: EnergyPrices("energy.example"))
refuses(TypeError, lambda: client.csv("get_nothing"))
refuses(TypeError, lambda: client.csv("get_pun_hourly", dat="2026-03-29"))
refuses(TypeError, lambda: client.pun.hourly("nord", datetime(2026, 3, 29)))
refuses(TypeError, lambda: market_day_of(datetime(2026, 3, 29)))
for vector in about["vectors"]:
    headers = {
        "Webhook-Id": vector["id"],
        "Webhook-Timestamp": str(vector["timestamp"]),
        "Webhook-Signature": vector["webhookSignature"],
    }
    body, secret, now = vector["body"].encode(), vector["secret"], vector["timestamp"]
    assert verify_webhook(body, headers, secret, now=now + 10) == json.loads(body)
    refuses(WebhookVerificationError, lambda: verify_webhook(body + b" ", headers, secret, now=now))
    refuses(WebhookVerificationError, lambda: verify_webhook(body, headers, secret, now=now + 301))
hours = client.pun.hourly("nord", "2026-03-29", as_of=about["now"])
series = client.prices.series("pun", "2026-11-18", "2026-11-19", unit="mwh", as_of=about["now"])
for rows, length in ((hours, 23), (series, 2)):
    assert len(rows) == length and list(rows) == rows.rows and rows[-1] == rows.rows[-1] and rows[0] in rows
    assert rows[:2] == rows.rows[:2] and list(reversed(rows)) == rows.rows[::-1]
assert (series[0].date, series.to, series.truncated, series.required_tier) == (date(2026, 11, 18), date(2026, 11, 19), False, None)
refuses(NotFoundError, lambda: client.pun.hourly("nord", "2026-03-29", as_of="2026-01-01T00:00:00Z"))

# Days have a form of their own in the helpers, and the others are about CSV or repeat what a datetime says.
own_form = {"zone", "date", "from", "to", "sep", "decimal", "times"}
other = AsyncEnergyPrices(about["url"])
for operation, *helpers in (
    ("getPunHourly", client.pun.hourly, other.hourly),
    ("getPricesSeries", client.prices.series, other.series),
    ("listChanges", client.changes),
    ("streamChanges", client.stream),
):
    for helper in helpers:
        missing = set(OPERATIONS[operation]["query"]) - own_form - set(inspect.signature(helper).parameters)
        assert not missing, (operation, missing)
print("ok")
