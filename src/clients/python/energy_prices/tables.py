"""Hours and daily prices as Python sequences, convertible to pandas, polars and pyarrow if installed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Dict, List, TypeVar, Union, overload

from .time import instant

Row = TypeVar("Row")


class Rows(Sequence[Row]):
    """A sequence with `len()`, indexing, slicing and iteration. The underlying list is `rows`."""

    #: Published values, in order. A missing hour or day has no row.
    rows: List[Row]

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, index: int) -> Row: ...

    @overload
    def __getitem__(self, index: slice) -> List[Row]: ...

    def __getitem__(self, index: Union[int, slice]) -> Union[Row, List[Row]]:
        return self.rows[index]


@dataclass(frozen=True)
class Hour:
    #: Market day in Rome.
    date: date
    #: Hour of the day by elapsed time, from 1.
    hour: int
    starts_at: datetime
    ends_at: datetime
    value: float
    band: str
    #: Quarter-hour of the day by elapsed time, from 1. Only with `granularity="quarter"`.
    quarter: Union[int, None] = None


@dataclass(frozen=True)
class Hours(Rows[Hour]):
    zone: str
    unit: str
    source: str
    attribution: str
    rows: List[Hour]
    #: Number of hours, or quarter-hours, missing from the returned days.
    missing: int

    def to_pandas(self) -> Any:
        """Returns a DataFrame indexed by start in Rome time. The index remains unique on daylight-saving change days."""
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


@dataclass(frozen=True)
class DailyPrice:
    #: Market day.
    date: date
    value: float
    #: `daily_mean`: the source's daily mean of a PUN whose hours are not known.
    basis: Union[str, None] = None


@dataclass(frozen=True)
class DailyPrices(Rows[DailyPrice]):
    asset: str
    unit: str
    #: First and last day of the interval, both included.
    from_: date
    to: date
    #: None if there are no rows.
    source: Union[str, None]
    attribution: str
    rows: List[DailyPrice]
    #: Whether your plan truncates the interval, and the plan that includes all of it.
    truncated: bool
    required_tier: Union[str, None]
    #: `min`, `max`, `avg`; None if there are no rows.
    stats: Union[Dict[str, float], None]

    def to_pandas(self) -> Any:
        """Returns a Series indexed by market day, without a time zone."""
        import pandas

        days = pandas.DatetimeIndex([row.date for row in self.rows], name="date")
        return pandas.Series([row.value for row in self.rows], index=days, name=self.asset)


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


def daily_prices_of(reply: Any) -> DailyPrices:
    return DailyPrices(
        asset=reply["asset"],
        unit=reply["unit"],
        from_=date.fromisoformat(reply["from"]),
        to=date.fromisoformat(reply["to"]),
        source=reply.get("source"),
        attribution=reply["attribution"],
        rows=[DailyPrice(date.fromisoformat(one["date"]), one["value"], one.get("basis")) for one in reply["points"]],
        truncated=reply.get("truncated", False),
        required_tier=reply.get("required_tier"),
        stats=reply.get("stats"),
    )
