/** The backtest engine alone: twenty years of days, and a thousand pairs of parameters. */
import { type DailyClose, priceHistory } from '../../src/market/backtest/price-history.ts'
import { rollingHedge } from '../../src/market/backtest/rolling-hedge.ts'
import { runBacktest } from '../../src/market/backtest/run-backtest.ts'
import { smaCross } from '../../src/market/backtest/sma-cross.ts'
import { threshold } from '../../src/market/backtest/threshold.ts'
import { type BenchRow, median, time } from './bench.ts'

const FIRST = Temporal.PlainDate.from('2006-11-21')
const DAYS = FIRST.until(FIRST.add({ years: 20 })).days
const PAIRS = 1_000
const ROUNDS = 20
const OPTIONS = { costBps: 5, daysPerYear: 365 }

const STRATEGIES = {
  sma_cross: smaCross({ fast: 20, slow: 50 }),
  threshold: threshold({ buyBelow: 50, sellAbove: 60 }),
  rolling_hedge: rollingHedge({ window: 60, hedgeRatio: 1 }),
}

export default async function backtest(): Promise<BenchRow[]> {
  const asset = closes((n) => 60 + 20 * Math.sin(n / 40) + 5 * Math.cos(n * 1.7))
  const hedge = closes((n) => 30 + 8 * Math.sin(n / 40) + 2 * Math.cos(n * 1.3))
  const rows: BenchRow[] = []
  for (const [name, strategy] of Object.entries(STRATEGIES)) {
    const run = async () => runBacktest(priceHistory(asset, hedge), strategy, OPTIONS)
    const [first = Number.NaN, ...further] = await time(ROUNDS, run) // the first runs are interpreted
    rows.push({
      name: `backtest of 20 years: ${name}`,
      measured: median(further),
      unit: 'ms',
      bound: { atMost: 20 },
      details: `${DAYS} days; ${first.toFixed(1)} ms at first, then ${median(further).toFixed(1)} ms`,
    })
  }
  const history = priceHistory(asset)
  const [duration = Number.NaN] = await time(1, async () => {
    for (let i = 0; i < PAIRS; i++) {
      runBacktest(history, smaCross({ fast: 1 + (i % 40), slow: 50 + Math.floor(i / 40) * 10 }), OPTIONS)
    }
  })
  rows.push({
    name: `${PAIRS} pairs of parameters over 20 years`,
    measured: duration / 1_000,
    unit: 's',
    bound: { atMost: 5 },
    details: `${(duration / PAIRS).toFixed(2)} ms each`,
  })
  return rows
}

function closes(price: (n: number) => number): DailyClose[] {
  return Array.from({ length: DAYS }, (_, n) => ({ date: FIRST.add({ days: n }).toString(), price: price(n) }))
}
