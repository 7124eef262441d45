"""HTTP requests: authentication, ETag cache, retries."""

from __future__ import annotations

import gzip
import http.client
import json
import random
import re
import time
import urllib.error
import urllib.request
from collections import OrderedDict
from typing import Any, Callable, Dict, Tuple, TypeVar, Union

from .errors import ApiError, ConnectionFailedError, NoDataError, error_of

T = TypeVar("T")

#: Upper bound of the backoff before the first retry, in seconds; doubles with each retry.
BACKOFF = 0.5
#: Exceptions of failed and interrupted connections.
BROKEN = (OSError, http.client.HTTPException, EOFError)


class Transport:
    def __init__(
        self, url: str, key: Union[str, None], retries: int, wait_seconds_max: float, timeout: float, cache_entries: int
    ) -> None:
        if not re.match(r"https?://\w", url):
            raise ValueError(f'url must be the address of a service, such as https://energy.example; got "{url}"')
        self._base = re.sub(r"(/v1)?/*$", "", url, count=1) + "/v1"
        self._key = key
        self._retries = retries
        self._wait_seconds_max = wait_seconds_max
        self._timeout = timeout
        self._cache_entries = cache_entries
        self._cache: OrderedDict[str, Tuple[str, bytes]] = OrderedDict()

    def read(self, method: str, path: str, accept: str, body: Any = None) -> bytes:
        """Returns the body of a successful response, from the cache on 304."""
        name = f"{accept} {path}"
        known = self._cache.get(name) if method == "GET" else None

        def attempt() -> bytes:
            headers = {"Accept-Encoding": "gzip", **({"If-None-Match": known[0]} if known else {})}
            try:
                with self._open(method, path, accept, body, headers, self._timeout) as answer:
                    content = answer.read()
                    if answer.headers.get("Content-Encoding") == "gzip":
                        content = gzip.decompress(content)
            except urllib.error.HTTPError as err:
                if err.code == 304 and known:
                    return known[1]
                raise _to_api_error(err) from None
            etag = answer.headers.get("ETag")
            if etag and method == "GET" and self._cache_entries > 0:
                self._keep(name, etag, content)
            return content

        return self._with_retries(method, attempt)

    def open(self, path: str, headers: Dict[str, str], timeout: float) -> http.client.HTTPResponse:
        """Opens a streaming response; returns once its headers have arrived."""

        def attempt() -> http.client.HTTPResponse:
            try:
                return self._open("GET", path, "text/event-stream", None, headers, timeout)
            except urllib.error.HTTPError as err:
                raise _to_api_error(err) from None

        return self._with_retries("GET", attempt)

    def _open(
        self, method: str, path: str, accept: str, body: Any, headers: Dict[str, str], timeout: float
    ) -> http.client.HTTPResponse:
        request = urllib.request.Request(self._base + path, method=method, headers={"Accept": accept, **headers})
        if self._key:
            request.add_header("Authorization", f"Bearer {self._key}")
        if body is not None:
            request.data = json.dumps(body).encode()
            request.add_header("Content-Type", "application/json")
        return urllib.request.urlopen(request, timeout=timeout)

    def _with_retries(self, method: str, attempt: Callable[[], T]) -> T:
        repeat = 0
        while True:
            try:
                return attempt()
            except (ApiError, *BROKEN) as err:
                wait = self._wait(err, method, repeat)
                if wait is None or repeat >= self._retries:
                    if isinstance(err, ApiError):
                        raise
                    raise ConnectionFailedError(f"Could not connect to the service: {err}") from err
                time.sleep(wait)
                repeat += 1

    def _wait(self, err: Exception, method: str, repeat: int) -> Union[float, None]:
        """Returns the seconds before the next attempt, or None if the request must not be retried. Backoff with full jitter, added to
        `Retry-After`. Requests other than GET are retried only after 429, when they were certainly not executed."""
        jitter = random.uniform(0, min(self._wait_seconds_max, BACKOFF * 2**repeat))
        if not isinstance(err, ApiError):
            return jitter if method == "GET" else None
        if isinstance(err, NoDataError) and err.retry_after is None:
            return None
        if err.status != 429 and not (method == "GET" and err.status >= 500):
            return None
        retry_after = err.retry_after or 0
        return None if retry_after > self._wait_seconds_max else retry_after + jitter

    def _keep(self, name: str, etag: str, content: bytes) -> None:
        self._cache[name] = (etag, content)
        self._cache.move_to_end(name)
        if len(self._cache) > self._cache_entries:
            self._cache.popitem(last=False)


def _to_api_error(err: urllib.error.HTTPError) -> ApiError:
    with err:
        return error_of(err.code, err.headers, err.read())
