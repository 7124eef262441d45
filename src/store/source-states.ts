/** When each source is next caught up: its holes are filled and its last days reread. */
import type { Sql } from './database.ts'
import { run, runOne } from './run.ts'

interface CatchUpState {
  /** Undefined: at once. */
  catchUpAt: Temporal.Instant | undefined
  /** Undefined: never yet. */
  rereadAt: Temporal.Instant | undefined
  /** Consecutive failures. */
  failures: number
}

export async function findCatchUp(sql: Sql, source: string): Promise<CatchUpState> {
  const row = await runOne(sql, (db) =>
    db.selectFrom('source_states').select(['catch_up_at', 'reread_at', 'failures']).where('source', '=', source),
  )
  return {
    catchUpAt: row?.catch_up_at ?? undefined,
    rereadAt: row?.reread_at ?? undefined,
    failures: row?.failures ?? 0,
  }
}

/** Omitted fields stay unchanged. */
export async function setCatchUp(sql: Sql, source: string, state: Partial<CatchUpState>): Promise<void> {
  const { catchUpAt: catch_up_at, rereadAt: reread_at, failures } = state
  const given = { catch_up_at, reread_at, failures }
  await run(sql, (db) =>
    db
      .insertInto('source_states')
      .values({ source, ...given })
      .onConflict((last) => last.column('source').doUpdateSet({ source, ...given })),
  )
}
