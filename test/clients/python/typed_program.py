"""What a type checker accepts and refuses of a user's program; it is never run."""

from datetime import date, datetime
from typing import List

from energy_prices import DailyPrice, EnergyPrices, Hours

client = EnergyPrices("http://127.0.0.1:8080", key="svc_live_")
hours: Hours = client.pun.hourly("nord", date(2026, 3, 29))
starts: List[datetime] = [row.starts_at for row in hours.rows]
series = client.prices.series("pun", unit="kwh", as_of="2026-11-20T00:00:00Z")
days: List[DailyPrice] = series[:2]
last: date = series[-1].date
client.get_prices_series(asset="pun", from_="2026-11-01")
client.pun.hourly("nord", 20260329)  # pyright: ignore[reportArgumentType]
client.get_prices_series(asset="gold")  # pyright: ignore[reportArgumentType]
client.get_prices_series(asset="pun", form="csv")  # pyright: ignore[reportCallIssue]
starts_at: str = hours.rows[0].starts_at  # pyright: ignore[reportAssignmentType]
