"""Tables of pandas on both change days. Prints `ok`."""

import json
import sys

import pandas
from energy_prices import EnergyPrices

about = json.load(sys.stdin)
client = EnergyPrices(about["url"], about["key"])
for day, hours, first_utc, last_utc in (
    ("2026-03-29", 23, "2026-03-28T23:00Z", "2026-03-29T21:00Z"),
    ("2026-10-25", 25, "2026-10-24T22:00Z", "2026-10-25T22:00Z"),
):
    frame = client.pun.hourly("nord", day).to_pandas()
    assert len(frame) == hours and str(frame.index.tz) == "Europe/Rome"
    assert frame.index.is_unique and frame.index.is_monotonic_increasing
    assert frame.index[0] == pandas.Timestamp(first_utc) and frame.index[-1] == pandas.Timestamp(last_utc)
    assert (frame.index[1:] - frame.index[:-1] == pandas.Timedelta(hours=1)).all()
    assert (frame.index.date == pandas.Timestamp(day).date()).all()
    assert frame["value"].iloc[-1] - frame["value"].iloc[0] == hours - 1
series = client.prices.series("pun", "2026-10-24", "2026-10-26").to_pandas()
assert series.index.tz is None and list(series.index.strftime("%d")) == ["24", "25", "26"] and series.name == "PUN"
print("ok")
