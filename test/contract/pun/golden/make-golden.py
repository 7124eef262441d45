"""Writes the golden answers of this folder: what /pun/hourly and /pun/zones must say of the two change days of 2026.

It shares no code with the service: own arithmetic, Python's time zones. Run it (python3 make-golden.py, then npm run format) only
when the contract changes, and read the difference. Prices are multiples of 1/16, so every mean is exact.
test/contract/pun/change-days.ts stores them.
"""
import json
from datetime import date, datetime, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

ROME = ZoneInfo('Europe/Rome')
GME = 'Gestore dei Mercati Energetici S.p.A. (GME)'
CREDITS = {'source': GME, 'attribution': f'Source: {GME}, via Italian Energy Prices, https://energy.example/'}


def pun_quarter(quarter):
    hour = (quarter - 1) // 4 + 1
    return -20 + 10 * ((hour * 5) % 6) + (quarter % 4) * 0.25


ZONE_HOURS = {
    'nord': ('North', lambda hour: 100 + hour),
    'cnor': ('Centre-North', lambda hour: 40.5),
    'sud': ('South', lambda hour: -hour),
}
ZONE_QUARTERS = {'csud': ('Centre-South', lambda quarter: 50 + quarter * 0.25)}


def spans(day, minutes):
    """Starts and ends of the intervals of a day, in Rome: equal steps of elapsed time from midnight to midnight."""
    at = datetime(day.year, day.month, day.day, tzinfo=ROME).astimezone(timezone.utc)
    following = day + timedelta(days=1)
    end = datetime(following.year, following.month, following.day, tzinfo=ROME).astimezone(timezone.utc)
    while at < end:
        following = at + timedelta(minutes=minutes)
        yield at.astimezone(ROME).isoformat(), following.astimezone(ROME).isoformat()
        at = following


def mean(values):
    return sum(values) / len(values)


def plain(value):
    return int(value) if value == int(value) else value


def hourly(day, granularity):
    quarters = [pun_quarter(n) for n in range(1, len(list(spans(day, 15))) + 1)]
    hours = [mean(quarters[i : i + 4]) for i in range(0, len(quarters), 4)]
    values = quarters if granularity == 'quarter' else hours
    rows = []
    for n, ((start, end), value) in enumerate(
        zip(spans(day, 15 if granularity == 'quarter' else 60), values, strict=True), 1
    ):
        numbers = {'quarter': n, 'hour': (n - 1) // 4 + 1} if granularity == 'quarter' else {'hour': n}
        rows.append({**numbers, 'starts_at': start, 'ends_at': end, 'value': plain(value), 'band': 'F3'})  # both days are Sundays
    cheapest = sorted(range(1, len(hours) + 1), key=lambda hour: (hours[hour - 1], hour))[:3]
    return {
        'zone': 'nazionale',
        'date': day.isoformat(),
        'unit': '€/MWh',
        'timezone': 'Europe/Rome',
        'count': len(rows),
        'expected': len(rows),
        f'{granularity}s': rows,
        'cheapest_hours': cheapest,
        'stats': {'min': plain(min(values)), 'max': plain(max(values)), 'avg': round(mean(values), 6)},
        **CREDITS,
    }


def zones(day):
    quarters, hours = len(list(spans(day, 15))), len(list(spans(day, 60)))
    national = mean([pun_quarter(n) for n in range(1, quarters + 1)])
    daily = {code: (name, mean([price(n) for n in range(1, hours + 1)])) for code, (name, price) in ZONE_HOURS.items()}
    daily |= {code: (name, mean([price(n) for n in range(1, quarters + 1)])) for code, (name, price) in ZONE_QUARTERS.items()}
    return {
        'date': day.isoformat(),
        'unit': '€/MWh',
        'national': round(national, 6),
        'zones': [
            {'code': code, 'name': daily[code][0], 'value': plain(daily[code][1]), 'spread_vs_pun': round(daily[code][1] - national, 6)}
            for code in ('nord', 'cnor', 'csud', 'sud')
        ],
        **CREDITS,
    }


def csv(columns, rows):
    def cell(value):
        return str(value).replace('.', ',') if isinstance(value, (int, float)) else value

    lines = [';'.join(columns)] + [';'.join(cell(row[column]) for column in columns) for row in rows]
    return ''.join(f'{line}\r\n' for line in lines)


def write(name, answer, columns, rows):
    folder = Path(__file__).parent
    (folder / f'{name}.json').write_text(json.dumps(answer, ensure_ascii=False))
    (folder / f'{name}.csv').write_bytes(csv(columns, rows).encode())


for day in (date(2026, 3, 29), date(2026, 10, 25)):
    for granularity in ('hour', 'quarter'):
        answer = hourly(day, granularity)
        head = {key: answer[key] for key in ('zone', 'unit', 'date')}
        ordinals = ['quarter', 'hour'] if granularity == 'quarter' else ['hour']
        columns = ['zone', 'unit', 'date', *ordinals, 'starts_at', 'value', 'band', 'ends_at']
        write(f'{day}-{granularity}s', answer, columns, [{**head, **row} for row in answer[f'{granularity}s']])
    answer = zones(day)
    head = {key: answer[key] for key in ('date', 'unit', 'national')}
    columns = ['date', 'unit', 'national', 'code', 'name', 'value', 'spread_vs_pun']
    write(f'{day}-zones', answer, columns, [{**head, **row} for row in answer['zones']])
