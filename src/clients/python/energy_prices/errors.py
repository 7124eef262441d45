"""What the service refuses, by the contract's codes."""

from __future__ import annotations

import json
from email.message import Message
from typing import Dict, Type, Union


class ApiError(Exception):
    """A refusal. There is a class for each code."""

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
        #: Seconds after which asking again makes sense.
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
    """The service was not reached, or its answer broke off, and repeating did not help."""


class WebhookVerificationError(Exception):
    """A webhook that is not authentic, or too old."""


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
        said = json.loads(body)
    except ValueError:
        said = {}
    code = str(said.get("error"))
    if code not in CLASSES:
        code = "internal_error"
    wait = headers.get("Retry-After") or ""
    return CLASSES[code](
        code,
        said.get("message") or f"The service answered {status}.",
        status=status,
        required_tier=said.get("required_tier"),
        param=said.get("param"),
        retry_after=float(wait) if wait.isdigit() else None,
        request_id=headers.get("X-Request-Id"),
    )
