"""Verification of webhooks, which are signed according to Standard Webhooks 1.0."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from typing import Any, Mapping, Union

from .errors import WebhookVerificationError


def verify_webhook(
    body: bytes, headers: Mapping[str, str], secret: str, *, tolerance: float = 300, now: Union[float, None] = None
) -> Any:
    """Verifies a webhook and returns its parsed body. `body`: raw bytes, before any parsing. Deduplicate by the header webhook-id."""
    sent = {name.lower(): value for name, value in headers.items()}
    event_id, timestamp = sent.get("webhook-id"), sent.get("webhook-timestamp", "")
    if not event_id or not timestamp.isdigit() or abs((time.time() if now is None else now) - int(timestamp)) > tolerance:
        raise WebhookVerificationError("The webhook has no id, or its timestamp is outside the tolerance.")
    key = base64.b64decode(secret.removeprefix("whsec_"))
    digest = hmac.new(key, f"{event_id}.{timestamp}.".encode() + body, hashlib.sha256).digest()
    expected = f"v1,{base64.b64encode(digest).decode()}"
    if not any(hmac.compare_digest(expected, given) for given in sent.get("webhook-signature", "").split(" ")):
        raise WebhookVerificationError("No signature matches the body.")
    return json.loads(body)
