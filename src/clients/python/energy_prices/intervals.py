"""Splits intervals longer than an operation accepts, requests the parts sequentially, and merges the responses."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Mapping, Tuple, TypeVar, Union

from ._generated import OPERATIONS
from .errors import ApiError, NoDataError, NotFoundError
from .time import add_days, days_between

T = TypeVar("T")
Part = Dict[str, str]


def parts_for(name: str, arguments: Mapping[str, Any]) -> Union[List[Part], None]:
    """Splits an interval. Returns None if the operation accepts it in one request."""
    days = OPERATIONS[name].get("days")
    first, last = arguments.get("from"), arguments.get("to")
    if days is None or first is None or last is None:
        return None
    given = [str(value) for value in (arguments.get("granularity") or "hour", *arguments.values())]
    limits = [days[value] for value in given if value in days] if isinstance(days, dict) else [days]
    most = min(limits, default=None)
    if most is None or days_between(first, last) <= most:
        return None
    count = -(-days_between(first, last) // most)
    starts = [add_days(first, i * most) for i in range(count)]
    return [{"from": start, "to": min(add_days(start, most - 1), str(last))} for start in starts]


def fetch_parts(parts: List[Part], fetch: Callable[[Part], T]) -> List[T]:
    """Requests the parts and returns their responses. Parts without data are skipped; if all are, raises the first error."""
    answers: List[T] = []
    nothing: Union[ApiError, None] = None
    for part in parts:
        try:
            answers.append(fetch(part))
        except (NoDataError, NotFoundError) as err:
            nothing = nothing or err
    if not answers and nothing:
        raise nothing
    return answers


def merge_responses(answers: List[Dict[str, Any]], parts: List[Part]) -> Dict[str, Any]:
    """Merges the responses to the parts into one response for the whole interval."""
    whole: Dict[str, Any] = {**answers[0], "from": parts[0]["from"], "to": parts[-1]["to"]}
    lists = [name for name, value in whole.items() if isinstance(value, list)]
    for name in lists:
        whole[name] = [row for answer in answers for row in answer[name]]
    if "count" in whole:
        whole["count"] = sum(answer["count"] for answer in answers)
    if "stats" in whole:
        values = [value for name in lists for row in whole[name] for value in _values(row)]
        mean = {"avg": round(sum(values) / len(values), 2)} if all("avg" in one.get("stats", {}) for one in answers) else {}
        whole["stats"] = {"min": min(values), "max": max(values), **mean}
    return whole


def _values(row: Any) -> Tuple[float, ...]:
    if "value" in row:
        return (row["value"],)
    return tuple(one["value"] for one in row.get("quarters", row.get("hours", [])))
