/** When each source is next caught up with: its holes filled, its last days read again. */
import type { Sql } from './database.ts'

interface CatchUpState {
  /** Undefined: at once. */
  catchUpAt: Temporal.Instant | undefined
  /** Undefined: never yet. */
  rereadAt: Temporal.Instant | undefined
  /** Failures in a row. */
  failures: number
}

export async function findCatchUp(sql: Sql, source: string): Promise<CatchUpState> {
  const [row] = await sql<
    { catch_up_at: Temporal.Instant | null; reread_at: Temporal.Instant | null; failures: number }[]
  >`select catch_up_at, reread_at, failures from source_states where source = ${source}`
  return {
    catchUpAt: row?.catch_up_at ?? undefined,
    rereadAt: row?.reread_at ?? undefined,
    failures: row?.failures ?? 0,
  }
}

/** Omitted fields stay unchanged. */
export async function setCatchUp(sql: Sql, source: string, state: Partial<CatchUpState>): Promise<void> {
  const { catchUpAt, rereadAt, failures } = state
  await sql`
    insert into source_states as s (source, catch_up_at, reread_at, failures)
    values (
      ${source}, ${catchUpAt?.toString() ?? null}::timestamptz, ${rereadAt?.toString() ?? null}::timestamptz, ${failures ?? 0}
    )
    on conflict (source) do update
      set catch_up_at = coalesce(excluded.catch_up_at, s.catch_up_at), reread_at = coalesce(excluded.reread_at, s.reread_at),
          failures = case when ${failures === undefined} then s.failures else excluded.failures end`
}
