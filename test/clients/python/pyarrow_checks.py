"""Tables of pyarrow on both change days, made here and answered by the service. Prints `ok`."""

import json
import sys

from energy_prices import EnergyPrices

about = json.load(sys.stdin)
client = EnergyPrices(about["url"], about["key"])
for day, hours in (("2026-03-29", 23), ("2026-10-25", 25)):
    prices = client.pun.hourly("nord", day)
    table = prices.to_arrow()
    assert table["starts_at"].to_pylist() == [row.starts_at for row in prices.rows] and table.num_rows == hours
assert client.arrow("getPunHourly", zone="nord", from_="2026-03-01", to="2026-04-30").num_rows == 61 * 24 - 1
print("ok")
