from __future__ import annotations

import asyncio
import json
import random
import re
import time
import urllib.parse
from datetime import date, datetime
from typing import Any, AsyncIterator, Dict, Iterator, Mapping, Tuple, Union

from ._generated import OPERATIONS, AsyncOperations, Operations
from .errors import InvalidKeyError
from .intervals import fetch_parts, merge_responses, parts_for
from .tables import DailyPrices, Hours, daily_prices_of, hours_of
from .time import Day, day_text
from .transport import BROKEN, Transport

#: The service sends a heartbeat comment every 15 seconds.
SILENCE_SECONDS = 40
WAIT_SECONDS = 30
ARROW = "application/vnd.apache.arrow.stream"

Days = Union[Day, Tuple[Day, Day]]


class EnergyPrices(Operations):
    """Synchronous client with a method for each operation and helpers for common tasks. For asyncio, see AsyncEnergyPrices."""

    def __init__(
        self,
        url: str = "http://127.0.0.1:8080",
        key: Union[str, None] = None,
        *,
        retries: int = 4,
        wait_seconds_max: float = 60,
        timeout: float = 60,
        cache_entries: int = 100,
    ) -> None:
        self._transport = Transport(url, key, retries, wait_seconds_max, timeout, cache_entries)
        #: Half the time-out at most, so that a response without changes arrives before it.
        self._wait_seconds = max(1, min(WAIT_SECONDS, int(timeout // 2)))
        self.pun = Pun(self)
        self.prices = Prices(self)

    def _call(self, name: str, arguments: Mapping[str, Any]) -> Any:
        def fetch(part: Mapping[str, Any]) -> Any:
            content = self._bytes(name, {**arguments, **part}, "application/json")
            return json.loads(content) if content else None

        parts = parts_for(name, arguments)
        return fetch({}) if parts is None else merge_responses(fetch_parts(parts, fetch), parts)

    def csv(self, name: str, **arguments: Any) -> str:
        """Returns an operation's response as CSV, by default with separator `;` and decimal comma. `name`: method name or operationId."""
        name = _operation_name(name)
        texts = fetch_parts(
            parts_for(name, _strip_underscores(arguments)) or [{}],
            lambda part: self._bytes(name, {**_strip_underscores(arguments), **part}, "text/csv").decode(),
        )
        return texts[0] + "".join(text.split("\n", 1)[1] for text in texts[1:])

    def arrow(self, name: str, **arguments: Any) -> Any:
        """Returns an operation's response as a pyarrow table. Requires pyarrow."""
        import pyarrow

        name = _operation_name(name)
        parts = parts_for(name, _strip_underscores(arguments)) or [{}]
        bodies = fetch_parts(parts, lambda part: self._bytes(name, {**_strip_underscores(arguments), **part}, ARROW))
        return pyarrow.concat_tables([pyarrow.ipc.open_stream(body).read_all() for body in bodies])

    def changes(
        self,
        *,
        since: Union[str, None] = None,
        dataset: Union[str, None] = None,
        events: Union[str, None] = None,
        limit: Union[int, None] = None,
        wait: Union[int, None] = None,
        follow: bool = False,
    ) -> Iterator[Dict[str, Any]]:
        """Iterates over changes, fetching pages as needed. Store the `cursor` of each to resume after it. `follow` waits for new ones."""
        if wait is None and follow:
            wait = self._wait_seconds
        while True:
            query = {"since": since, "dataset": dataset, "events": events, "limit": limit, "wait": wait}
            page = self._call("listChanges", query)
            yield from page["changes"]
            if not page["more"] and not follow:
                return
            since = page["next"]

    def stream(
        self, *, since: Union[str, None] = None, dataset: Union[str, None] = None, events: Union[str, None] = None
    ) -> Iterator[Dict[str, Any]]:
        """Streams changes as they happen, as long as the key is valid. Reconnects after interruptions without skipping a change."""
        filters = {"dataset": dataset, "events": events}
        path = _path("streamChanges", filters)
        last_id = None if since == "latest" else since
        retry = 2.0
        while True:
            try:
                more = last_id is not None
                while more:  # the stream replays only recent changes
                    page = self._call("listChanges", {**filters, "since": last_id})
                    yield from page["changes"]
                    last_id, more = page["next"], page["more"]
                headers: Dict[str, str] = {"Last-Event-ID": last_id} if last_id else {}
                with self._transport.open(path, headers, SILENCE_SECONDS) as answer:
                    event: Dict[str, str] = {}
                    for line in answer:
                        name, _, value = line.decode().rstrip("\r\n").partition(": ")
                        if name:
                            event[name] = value
                            continue
                        last_id = event.get("id", last_id)
                        retry = int(event["retry"]) / 1000 if "retry" in event else retry
                        kind, data, event = event.get("event"), event.get("data"), {}
                        if kind == "bye" and '"key"' in (data or ""):
                            raise InvalidKeyError("invalid_key", "The key is no longer valid.", status=401)
                        if kind not in (None, "bye") and data:
                            yield json.loads(data)
            except BROKEN:
                pass
            time.sleep(retry * random.uniform(0.5, 1.5))

    def _bytes(self, name: str, arguments: Mapping[str, Any], accept: str) -> bytes:
        return self._transport.read(OPERATIONS[name]["method"], _path(name, arguments), accept, arguments.get("body"))


class Pun:
    def __init__(self, client: EnergyPrices) -> None:
        self._client = client

    def hourly(self, zone: str, days: Days, *, granularity: str = "hour", as_of: Union[str, None] = None) -> Hours:
        """Returns hourly or quarter-hourly prices of a zone, for a day or an interval, `("2026-03-01", "2026-03-31")`."""
        span = {"from": day_text(days[0]), "to": day_text(days[1])} if isinstance(days, tuple) else {"date": day_text(days)}
        query = {"zone": zone, "granularity": granularity, "as_of": as_of, **span}
        return hours_of(self._client._call("getPunHourly", query))


class Prices:
    def __init__(self, client: EnergyPrices) -> None:
        self._client = client

    def series(
        self,
        asset: str,
        from_: Union[Day, None] = None,
        to: Union[Day, None] = None,
        *,
        unit: Union[str, None] = None,
        as_of: Union[str, None] = None,
    ) -> DailyPrices:
        """Returns the daily prices of an index."""
        span = {"from": from_ and day_text(from_), "to": to and day_text(to)}
        query = {"asset": asset, "unit": unit, "as_of": as_of, **span}
        return daily_prices_of(self._client._call("getPricesSeries", query))


class AsyncEnergyPrices(AsyncOperations):
    """Asyncio client with the same operations. Requests run in threads, since the standard library has no asynchronous HTTP client. Each
    request in flight and each open stream occupies a thread of asyncio's default executor."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self._client = EnergyPrices(*arguments, **options)

    async def _call(self, name: str, arguments: Mapping[str, Any]) -> Any:
        return await asyncio.to_thread(self._client._call, name, arguments)

    async def hourly(
        self, zone: str, days: Days, *, granularity: str = "hour", as_of: Union[str, None] = None
    ) -> Hours:
        return await asyncio.to_thread(self._client.pun.hourly, zone, days, granularity=granularity, as_of=as_of)

    async def series(
        self,
        asset: str,
        from_: Union[Day, None] = None,
        to: Union[Day, None] = None,
        *,
        unit: Union[str, None] = None,
        as_of: Union[str, None] = None,
    ) -> DailyPrices:
        return await asyncio.to_thread(self._client.prices.series, asset, from_, to, unit=unit, as_of=as_of)

    def changes(self, **options: Any) -> AsyncIterator[Dict[str, Any]]:
        return _in_thread(self._client.changes(**options))

    def stream(self, **options: Any) -> AsyncIterator[Dict[str, Any]]:
        return _in_thread(self._client.stream(**options))


async def _in_thread(items: Iterator[Dict[str, Any]]) -> AsyncIterator[Dict[str, Any]]:
    def following() -> Union[Dict[str, Any], None]:
        return next(items, None)

    while (item := await asyncio.to_thread(following)) is not None:
        yield item


def _strip_underscores(arguments: Mapping[str, Any]) -> Dict[str, Any]:
    """Renames `from_` to `from`, which is a reserved word in Python."""
    return {name.rstrip("_"): value for name, value in arguments.items()}


def _operation_name(name: str) -> str:
    """Returns the operationId of a method: both `get_pun_zones` and `getPunZones` give `getPunZones`."""
    first, *others = name.split("_")
    found = first + "".join(word.capitalize() for word in others)
    if found not in OPERATIONS:
        raise TypeError(f"there is no operation {name}")
    return found


def _path(name: str, arguments: Mapping[str, Any]) -> str:
    operation = OPERATIONS[name]
    path = operation["path"]
    names = [*re.findall(r"{(\w+)}", path), *operation["query"]]
    for argument, value in arguments.items():
        # A misspelt name would otherwise be dropped silently.
        if value is not None and argument not in (*names, "body"):
            raise TypeError(f"{argument} is not a parameter of {name}, which has {', '.join(names) or 'none'}")
    for argument, value in arguments.items():
        path = path.replace(f"{{{argument}}}", urllib.parse.quote(str(value), safe=""))
    query = {one: _text(arguments[one]) for one in operation["query"] if arguments.get(one) is not None}
    return ("" if path == "/" else path) + (f"?{urllib.parse.urlencode(query)}" if query else "")


def _text(value: Any) -> str:
    return day_text(value) if isinstance(value, (date, datetime)) else str(value)
