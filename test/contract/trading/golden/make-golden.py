"""Writes golden.json: what the trading endpoints must say of real prices, computed without any code of the service.

python3 make-golden.py <folder of the publishers' files>. Run it only when the method changes, and read the difference. Everything
is computed from its definition over the whole history, with Python's own statistics; nothing is fast here.
"""
import csv
import gzip
import json
import statistics
import sys
from collections import defaultdict
from datetime import date, timedelta
from pathlib import Path

DATA = Path(sys.argv[1])
EFFICIENCY, EMISSION_FACTOR = 0.53, 0.202


def rows(name):
    path = DATA / name
    with (gzip.open if name.endswith('.gz') else open)(path, 'rt', encoding='utf-8') as file:
        yield from csv.DictReader(file)


def daily(name, day_column, price_column):
    return {row[day_column]: float(row[price_column]) for row in rows(name) if row[price_column] != ''}


def pun_hours():
    hours = defaultdict(list)
    for row in rows('power/gme_pun_hourly_2004-04_2022-12.csv.gz'):
        hours[row['flow_date']].append(float(row['pun_eur_mwh']))
    return hours


def allowances():
    auctions = defaultdict(list)
    for row in rows('co2/eex_eua_primary_auctions_2012_2022.csv'):
        if row['contract'] == 'T3PA' and row['auction_price_eur_tco2']:
            auctions[row['auction_date']].append((float(row['auction_price_eur_tco2']), float(row['auction_volume_tco2'])))
    return {day: sum(p * v for p, v in some) / sum(v for _, v in some) for day, some in auctions.items()}


HOURS = pun_hours()
PUN = {day: sum(prices) / len(prices) for day, prices in HOURS.items()}
PSV = daily('gas/gme_mgpgas_psv_daily_2020-10_2024-09.csv', 'gas_day', 'mgp_gas_continuous_wavg_eur_mwh')
TTF = daily('gas/ttf_front_month_daily_2019_2024.csv', 'date', 'price_eur_mwh')
BRENT = daily('oil/brent_daily_1987_2024.csv', 'date', 'brent_spot_usd_bbl')
CO2 = allowances()


def latest(prices, day):
    for back in range(8):
        candidate = (date.fromisoformat(day) - timedelta(days=back)).isoformat()
        if candidate in prices:
            return prices[candidate]
    raise LookupError(day)


def wilder(bars, periods=14):
    ranges = [
        max(high - low, abs(high - close), abs(low - close))
        for (_, _, close), (high, low, _) in zip(bars, bars[1:])
    ]
    average = statistics.fmean(ranges[:periods])
    for true_range in ranges[periods:]:
        average = (average * (periods - 1) + true_range) / periods
    return average


def vitals(day):
    pun, psv, ttf, co2 = PUN[day], latest(PSV, day), latest(TTF, day), latest(CO2, day)
    return {
        'date': day,
        'spark_spread': pun - psv / EFFICIENCY,
        'clean_spark_spread': pun - psv / EFFICIENCY - co2 * EMISSION_FACTOR / EFFICIENCY,
        'psv_ttf_spread': psv - ttf,
        'atr_pun': wilder([(max(HOURS[d]), min(HOURS[d]), PUN[d]) for d in sorted(HOURS) if d <= day]),
        'atr_psv': wilder([(PSV[d], PSV[d], PSV[d]) for d in sorted(PSV) if d <= day]),
    }


def correlation(last, window):
    first = (date.fromisoformat(last) - timedelta(days=window)).isoformat()

    def pair(a, b):
        days = sorted(d for d in a if d in b and first <= d <= last)
        steps = list(zip(days, days[1:]))
        return statistics.correlation([a[t] / a[s] - 1 for s, t in steps], [b[t] / b[s] - 1 for s, t in steps])

    assets = (PUN, PSV, TTF)
    return {'last': last, 'window_days': window, 'matrix': [[pair(a, b) for b in assets] for a in assets]}


def backtest(asset, strategy, first, last, params):
    prices = {'pun': PUN, 'psv': PSV, 'ttf': TTF}[asset]
    hedge = {'pun': TTF, 'psv': TTF, 'ttf': BRENT}[asset] if strategy == 'rolling_hedge' else prices
    days = sorted(d for d in prices if d in hedge and first <= d <= last and prices[d] > 0 and hedge[d] > 0)
    p, h = [prices[d] for d in days], [hedge[d] for d in days]
    returns = [None] + [b / a - 1 for a, b in zip(p, p[1:])]
    hedge_returns = [None] + [b / a - 1 for a, b in zip(h, h[1:])]

    def position(t, held):
        """Shares of asset and hedge for the return of day t, from what was known on day t - 1."""
        if strategy == 'sma_cross':
            fast = statistics.fmean(p[t - params['fast']:t])
            return (1.0 if fast > statistics.fmean(p[t - params['slow']:t]) else 0.0), 0.0
        if strategy == 'threshold':
            return (1.0 if p[t - 1] < params['buy_below'] else 0.0 if p[t - 1] > params['sell_above'] else held), 0.0
        window = slice(t - params['window'], t)
        return 1.0, -params['hedge_ratio'] * statistics.linear_regression(hedge_returns[window], returns[window]).slope

    begin = {'sma_cross': params.get('slow'), 'threshold': 1, 'rolling_hedge': params.get('window', 0) + 1}[strategy]
    equity, peak, drawdown, trades, earned, before = 1.0, 1.0, 0.0, 0, [], (0.0, 0.0)
    for t in range(begin, len(days)):
        now = position(t, before[0])
        turnover = abs(now[0] - before[0]) + abs(now[1] - before[1])
        trades += turnover > 0
        earned.append(now[0] * returns[t] + now[1] * hedge_returns[t] - turnover * params['cost_bps'] / 1e4)
        equity *= 1 + earned[-1]
        peak = max(peak, equity)
        drawdown = max(drawdown, 1 - equity / peak)
        before = now
    year = 365 if asset in ('pun', 'psv') and strategy != 'rolling_hedge' else 252
    return {
        'request': {'asset': asset, 'strategy': strategy, 'from': first, 'to': last, 'params': params},
        'total_return_pct': 100 * (equity - 1),
        'max_drawdown_pct': 100 * drawdown,
        'sharpe': statistics.fmean(earned) / statistics.stdev(earned) * year ** 0.5,
        'benchmark_return_pct': 100 * (p[-1] / p[begin - 1] - 1),
        'trades': trades,
        'from': days[begin],
        'to': days[-1],
    }


GOLDEN = {
    'vitals': [vitals(day) for day in ('2022-08-26', '2022-03-27', '2021-10-31', '2022-12-25')],
    'correlation': [correlation('2022-08-26', window) for window in (30, 90, 180)],
    'backtest': [
        backtest('pun', 'sma_cross', '2021-01-01', '2022-12-31', {'fast': 20, 'slow': 50, 'cost_bps': 5}),
        backtest('psv', 'sma_cross', '2021-01-01', '2024-09-30', {'fast': 5, 'slow': 60, 'cost_bps': 0}),
        backtest('psv', 'threshold', '2021-01-01', '2024-09-30', {'buy_below': 30, 'sell_above': 90, 'cost_bps': 10}),
        backtest('psv', 'rolling_hedge', '2021-01-01', '2024-09-30', {'window': 60, 'hedge_ratio': 1, 'cost_bps': 2}),
        backtest('pun', 'rolling_hedge', '2021-01-01', '2022-12-31', {'window': 30, 'hedge_ratio': 0.5, 'cost_bps': 0}),
        backtest('ttf', 'rolling_hedge', '2021-01-01', '2024-12-31', {'window': 120, 'hedge_ratio': 1, 'cost_bps': 5}),
    ],
}
Path(__file__).with_name('golden.json').write_text(json.dumps(GOLDEN, indent=2) + '\n', encoding='utf-8')
