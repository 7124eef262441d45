"""Hours and daily prices as Python has them, and as tables of pandas, polars and pyarrow where those are installed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Dict, List, Union

from .time import instant


@dataclass(frozen=True)
class Hour:
    #: Market day in Rome.
    date: date
    #: By elapsed time, from 1.
    hour: int
    starts_at: datetime
    ends_at: datetime
    value: float
    band: str
    #: Of quarter-hours.
    quarter: Union[int, None] = None


@dataclass(frozen=True)
class Hours:
    zone: str
    unit: str
    source: str
    attribution: str
    #: What is published, in order. A missing hour has no row.
    rows: List[Hour]
    #: How many hours of the days answered are missing.
    missing: int

    def to_pandas(self) -> Any:
        """A DataFrame by start in Roman time: 23 or 25 different instants on the days of the daylight-saving changes."""
        import pandas

        starts = pandas.to_datetime([row.starts_at.timestamp() for row in self.rows], unit="s", utc=True)
        index = pandas.DatetimeIndex(starts).tz_convert("Europe/Rome").rename("starts_at")
        return pandas.DataFrame({name: [getattr(row, name) for row in self.rows] for name in self._columns()}, index=index)

    def to_polars(self) -> Any:
        import polars

        starts = polars.Series("starts_at", [round(row.starts_at.timestamp() * 1000) for row in self.rows])
        starts = starts.cast(polars.Datetime("ms", "UTC")).dt.convert_time_zone("Europe/Rome")
        return polars.DataFrame([starts, *(polars.Series(name, self._column(name)) for name in self._columns())])

    def to_arrow(self) -> Any:
        import pyarrow

        starts = pyarrow.array([row.starts_at for row in self.rows], pyarrow.timestamp("ms", "Europe/Rome"))
        return pyarrow.table({"starts_at": starts, **{name: self._column(name) for name in self._columns()}})

    def _columns(self) -> List[str]:
        quarters = ["quarter"] if any(row.quarter is not None for row in self.rows) else []
        return ["date", "hour", *quarters, "value", "band"]

    def _column(self, name: str) -> List[Any]:
        return [getattr(row, name) for row in self.rows]


class DailyPrices(Dict[str, Any]):
    """The answer of the daily series. `truncated` and `required_tier` say where the plan has cut the interval."""

    def to_pandas(self) -> Any:
        """A Series by market day, which has no time zone."""
        import pandas

        days = pandas.DatetimeIndex([point["date"] for point in self["points"]], name="date")
        return pandas.Series([point["value"] for point in self["points"]], index=days, name=self["asset"])


def hours_of(reply: Any) -> Hours:
    days = reply.get("days", [reply])
    rows = [
        Hour(
            date=date.fromisoformat(day["date"]),
            hour=row["hour"],
            starts_at=instant(row["starts_at"]),
            ends_at=instant(row["ends_at"]),
            value=row["value"],
            band=row["band"],
            quarter=row.get("quarter"),
        )
        for day in days
        for row in day.get("quarters", day.get("hours", []))
    ]
    missing = sum(day["expected"] - day["count"] for day in days)
    return Hours(reply["zone"], reply["unit"], reply["source"], reply["attribution"], rows, missing)
