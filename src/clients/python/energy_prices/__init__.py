"""Client for Italian wholesale energy prices."""

from .client import AsyncEnergyPrices, EnergyPrices
from .errors import (
    ApiError,
    ConnectionFailedError,
    InternalError,
    InvalidKeyError,
    InvalidParameterError,
    MethodNotAllowedError,
    MissingKeyError,
    NoDataError,
    NotFoundError,
    QuotaExceededError,
    RateLimitedError,
    TierRequiredError,
    WebhookVerificationError,
)
from .tables import DailyPrice, DailyPrices, Hour, Hours
from .time import market_day_of
from .webhooks import verify_webhook

__all__ = [
    "ApiError",
    "AsyncEnergyPrices",
    "ConnectionFailedError",
    "DailyPrice",
    "DailyPrices",
    "EnergyPrices",
    "Hour",
    "Hours",
    "InternalError",
    "InvalidKeyError",
    "InvalidParameterError",
    "MethodNotAllowedError",
    "MissingKeyError",
    "NoDataError",
    "NotFoundError",
    "QuotaExceededError",
    "RateLimitedError",
    "TierRequiredError",
    "WebhookVerificationError",
    "market_day_of",
    "verify_webhook",
]
