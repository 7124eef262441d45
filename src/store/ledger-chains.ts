/** What both ledgers of forecasts have: chains that grow row by row, each row sealed by the hash of the one before it. */
import { FORECAST_CHAINS, type ForecastChain } from '../api/contract/forecasts.ts'
import type { KeptHead } from '../market/ledger.ts'
import type { MarketDay } from '../market/market-day.ts'
import type { Sql } from './database.ts'

type Ledger = 'forecasts' | 'hourly_forecasts'

export interface ChainHead {
  sequence: number
  hash: string
  issuedAt: Temporal.Instant
}

export interface LedgerChains {
  head(chain: ForecastChain): Promise<ChainHead | undefined>
  /** The chain's last hash on each day of the span on which it grew. */
  dayHashes(
    chain: ForecastChain,
    span: { from: MarketDay; to: MarketDay },
  ): Promise<{ day: string; sequence: number; hash: string }[]>
}

export function ledgerChains(sql: Sql, ledger: Ledger): LedgerChains {
  return {
    async head(chain) {
      const [row] = await sql<ChainHead[]>`
        select sequence, hash, issued_at as "issuedAt" from ${sql(ledger)} where chain = ${chain}
        order by issued_at desc, sequence desc limit 1`
      return row
    },

    async dayHashes(chain, { from, to }) {
      return sql`
        select distinct on (market_day_of(issued_at)) market_day_of(issued_at) as day, sequence, hash from ${sql(ledger)}
        where chain = ${chain}
          and issued_at >= market_day_start(${from.toString()}::date)
          and issued_at < market_day_start(${to.toString()}::date + 1)
        order by market_day_of(issued_at), sequence desc`
    },
  }
}

/** The last row of each chain that has any. */
export async function ledgerHeads(sql: Sql): Promise<(KeptHead & { issuedAt: Temporal.Instant })[]> {
  const heads: (KeptHead & { issuedAt: Temporal.Instant })[] = []
  for (const [ledger, prefix] of [
    ['forecasts', ''],
    ['hourly_forecasts', 'hours '],
  ] as const) {
    for (const chain of FORECAST_CHAINS) {
      const head = await ledgerChains(sql, ledger).head(chain)
      if (head === undefined) continue
      const [row] = await sql<{ hash: string }[]>`
        select hash from ${sql(ledger)} where chain = ${chain} order by sequence limit 1`
      heads.push({ ...head, chain: `${prefix}${chain}`, first: row?.hash as string })
    }
  }
  return heads
}

/** Every row, chain by chain, in order. `read` returns some rows of a chain from behind a position, none at its end. */
export async function* rowsOfChains<Row extends { sequence: number }>(
  read: (chain: ForecastChain, after: number) => Promise<readonly Row[]>,
): AsyncGenerator<Row> {
  for (const chain of FORECAST_CHAINS) {
    for (let rows = await read(chain, 0); ; rows = await read(chain, rows.at(-1)?.sequence as number)) {
      if (rows.length === 0) break
      yield* rows
    }
  }
}
