"""Market days are calendar days in Rome; hours are instants. The local time zone is never used."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Union
from zoneinfo import ZoneInfo

ROME = ZoneInfo("Europe/Rome")
Day = Union[str, date]


def day_text(day: Day) -> str:
    """Formats a market day as `2026-03-29`. Rejects a datetime, which is an instant, not a day."""
    if isinstance(day, datetime):
        raise TypeError(f"a market day is a date, not {day!r}; market_day_of() gives the market day of an instant")
    return (date.fromisoformat(day) if isinstance(day, str) else day).isoformat()


def instant(text: str) -> datetime:
    """Parses a timestamp and converts it to Rome time, where the offset distinguishes the repeated hour in October."""
    return datetime.fromisoformat(text.replace("Z", "+00:00")).astimezone(ROME)


def market_day_of(moment: datetime) -> date:
    """Returns the market day of an aware datetime."""
    if moment.tzinfo is None:
        raise TypeError("a datetime without a time zone is no instant")
    return moment.astimezone(ROME).date()


def add_days(day: Day, days: int) -> str:
    return (date.fromisoformat(day_text(day)) + timedelta(days=days)).isoformat()


def days_between(first: Day, last: Day) -> int:
    """Returns the number of days in an interval, both ends included."""
    return (date.fromisoformat(day_text(last)) - date.fromisoformat(day_text(first))).days + 1
