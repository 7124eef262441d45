"""Tables of polars on both change days. Prints `ok`."""

import json
import sys

from energy_prices import EnergyPrices

about = json.load(sys.stdin)
client = EnergyPrices(about["url"], about["key"])
for day, hours in (("2026-03-29", 23), ("2026-10-25", 25)):
    prices = client.pun.hourly("nord", day)
    frame = prices.to_polars()
    starts = frame["starts_at"].dt.epoch("s").to_list()
    assert starts == [row.starts_at.timestamp() for row in prices.rows] and len(starts) == hours
    assert frame["starts_at"].dtype.time_zone == "Europe/Rome" and frame["value"].to_list()[0] == 51
print("ok")
