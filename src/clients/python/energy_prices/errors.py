"""Exceptions for the error codes of the service."""

from __future__ import annotations

import json
import time
from email.message import Message
from email.utils import mktime_tz, parsedate_tz
from typing import Dict, Type, Union


class ApiError(Exception):
    """Error response of the service. Each error code has its own subclass."""

    def __init__(
        self,
        code: str,
        message: str,
        *,
        status: int,
        required_tier: Union[str, None] = None,
        param: Union[str, None] = None,
        retry_after: Union[float, None] = None,
        request_id: Union[str, None] = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.status = status
        self.required_tier = required_tier
        self.param = param
        #: Seconds to wait before retrying, from `Retry-After`.
        self.retry_after = retry_after
        self.request_id = request_id


class InvalidParameterError(ApiError): ...


class MissingKeyError(ApiError): ...


class InvalidKeyError(ApiError): ...


class TierRequiredError(ApiError): ...


class NotFoundError(ApiError): ...


class MethodNotAllowedError(ApiError): ...


class RateLimitedError(ApiError): ...


class QuotaExceededError(ApiError): ...


class InternalError(ApiError): ...


class NoDataError(ApiError): ...


class ConnectionFailedError(Exception):
    """The service could not be reached, or the response broke off, and no retry succeeded."""


class WebhookVerificationError(Exception):
    """The webhook has an invalid signature, no ID, or a timestamp outside the tolerance."""


CLASSES: Dict[str, Type[ApiError]] = {
    "invalid_parameter": InvalidParameterError,
    "missing_key": MissingKeyError,
    "invalid_key": InvalidKeyError,
    "tier_required": TierRequiredError,
    "not_found": NotFoundError,
    "method_not_allowed": MethodNotAllowedError,
    "rate_limited": RateLimitedError,
    "quota_exceeded": QuotaExceededError,
    "internal_error": InternalError,
    "no_data": NoDataError,
}


def error_of(status: int, headers: Message, body: bytes) -> ApiError:
    try:
        fields = json.loads(body)
    except ValueError:
        fields = {}
    code = str(fields.get("error"))
    if code not in CLASSES:
        code = "internal_error"
    return CLASSES[code](
        code,
        fields.get("message") or f"The service answered {status}.",
        status=status,
        required_tier=fields.get("required_tier"),
        param=fields.get("param"),
        retry_after=_retry_after(headers),
        request_id=headers.get("X-Request-Id"),
    )


def _retry_after(headers: Message) -> Union[float, None]:
    """Returns `Retry-After` in seconds. A date is relative to the response's `Date`, if sent, since the local clock may be off."""
    text = headers.get("Retry-After") or ""
    if text.isdigit():
        return float(text)
    moment, answered = parsedate_tz(text), parsedate_tz(headers.get("Date") or "")
    if moment is None:
        return None
    return max(0.0, mktime_tz(moment) - (mktime_tz(answered) if answered else time.time()))
