/** Fetched publishers, with their request counts and outcomes. */
import type { AttemptOutcome } from '../api/contract/status.ts'
import type { MarketDay } from '../market/market-day.ts'
import { daysIn } from '../publishers/fetch-days.ts'
import type { Sql, Transaction } from './database.ts'
import { type DaySource, filterCompleteDays } from './publications.ts'
import { run, runOne } from './run.ts'
import { query } from './sql-files.ts'

export interface SourceState {
  source: string
  state: 'on' | 'off'
  way: string | null
  /** Why it is disabled. */
  reason: string | null
}

interface Attempt {
  source: string
  at: Temporal.Instant
  outcome: AttemptOutcome
  /** A sentence for the operator; null if the outcome is self-explanatory. */
  detail: string | null
}

export interface SourceFetching {
  source: string
  redistributable: boolean
  /** Null if it cannot be fetched from, or no worker has run yet. */
  state: 'on' | 'off' | null
  way: string | null
  reason: string | null
  attemptedAt: Temporal.Instant | null
  outcome: AttemptOutcome | null
  detail: string | null
  completedAt: Temporal.Instant | null
}

/** Records at start-up which sources are enabled and which may be redistributed. */
export async function recordSourceStates(
  sql: Sql,
  states: readonly SourceState[],
  redistributable: ReadonlyMap<string, boolean>,
): Promise<void> {
  await sql.begin(async (tx: Transaction) => {
    for (const row of states) {
      await run(tx, (db) =>
        db
          .insertInto('source_fetching')
          .values(row)
          .onConflict((last) => last.column('source').doUpdateSet(row)),
      )
    }
    for (const [source, allowed] of redistributable) {
      await run(tx, (db) =>
        db
          .updateTable('sources')
          .set({ redistributable: allowed })
          .where('id', '=', source)
          .where('redistributable', '<>', allowed),
      )
    }
  })
}

/** Records the outcome of an attempt; returns whether it differs from the last one and so is worth logging. */
export async function recordAttempt(sql: Sql, { source, at, outcome, detail }: Attempt): Promise<boolean> {
  const attempt = { attempted_at: at, outcome, detail, ...(outcome === 'complete' && { completed_at: at }) }
  return sql.begin(async (tx: Transaction) => {
    const last = await runOne(tx, (db) =>
      db.selectFrom('source_fetching').select(['outcome', 'detail']).where('source', '=', source).forUpdate(),
    )
    await run(tx, (db) =>
      db
        .insertInto('source_fetching')
        .values({ source, state: 'on', ...attempt })
        .onConflict((same) => same.column('source').doUpdateSet(attempt)),
    )
    return last?.outcome !== outcome || last.detail !== detail
  })
}

/** Consumes one request of a day's budget; returns false if it is used up. */
export async function consumeSourceBudget(sql: Sql, source: string, day: MarketDay, budget: number): Promise<boolean> {
  const { count } = await run(sql, (db) =>
    db
      .insertInto('source_requests')
      .values({ source, day: day.toString(), requests: 1 })
      .onConflict((taken) =>
        taken
          .columns(['source', 'day'])
          .doUpdateSet((eb) => ({ requests: eb('source_requests.requests', '+', 1) }))
          .where('source_requests.requests', '<', budget),
      ),
  )
  return count > 0
}

const LIST = query<SourceFetching>('source_fetching_list')

/** Returns every publisher, including those that are not fetched from. */
export async function listSourceFetching(sql: Sql): Promise<SourceFetching[]> {
  return LIST(sql)
}

/** Returns the market days of the span that are complete for the source, YYYY-MM-DD. If the source has zones, the PUN is one of them. */
export async function listCompleteDays(sql: Sql, source: DaySource, from: MarketDay, to: MarketDay): Promise<string[]> {
  return filterCompleteDays(sql, source, [...daysIn({ from, to })])
}
