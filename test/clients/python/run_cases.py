"""Runs the cases on standard input with the installed client, and prints what came of each."""

import json
import sys
import time
from datetime import timezone

import energy_prices
from energy_prices import ApiError, ConnectionFailedError, EnergyPrices


def instant(moment):
    return moment.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def outcome_of(client, call):
    if "hours" in call:
        zone, days = call["hours"]
        hours = client.pun.hourly(zone, days if isinstance(days, str) else tuple(days))
        rows = {
            str(i): {
                "date": row.date.isoformat(),
                "hour": row.hour,
                "starts_at": instant(row.starts_at),
                "ends_at": instant(row.ends_at),
                "value": row.value,
            }
            for i, row in enumerate(hours.rows)
        }
        return {"zone": hours.zone, "unit": hours.unit, "count": len(hours.rows), "missing": hours.missing, "rows": rows}
    if "operation" in call:
        return {"reply": client._call(call["operation"], call["arguments"])}
    if "changes" in call:
        changes = list(client.changes(**call["changes"]))
    else:
        about = call["stream"]
        oldest = client.list_changes(dataset=about["dataset"], limit=1)["changes"][0]["cursor"]
        changes = []
        for change in client.stream(dataset=about["dataset"], since=oldest):
            changes.append(change)
            if len(changes) >= about["take"]:
                break
    positions = [int(change["cursor"].split("-")[0]) for change in changes]
    return {"changes": len(changes), "first_kind": changes[0]["kind"], "in_order": positions == sorted(set(positions))}


def run(case):
    client = EnergyPrices(case["url"], case.get("key"), retries=2, wait_seconds_max=case.get("wait_seconds_max", 5))
    started = time.monotonic()
    for _ in range(case.get("times", 1)):
        try:
            outcome = outcome_of(client, case["call"])
        except ConnectionFailedError:
            outcome = {"error": "connection"}
        except ApiError as err:
            assert isinstance(err, energy_prices.errors.CLASSES[err.code])
            outcome = {
                "error": err.code,
                "status": err.status,
                "param": err.param,
                "required_tier": err.required_tier,
                "retry_after": err.retry_after,
            }
    return {**outcome, "seconds": time.monotonic() - started}


print(json.dumps([run(case) for case in json.load(sys.stdin)]))
