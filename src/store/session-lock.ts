/** Locks that outlast transactions: one process at a time, of all that share the database. */
import type { Sql } from './database.ts'

export type Connection = Awaited<ReturnType<Sql['reserve']>>

/** Runs `run` on the connection that holds the lock; others wait. A killed process loses its lock with its connection. */
export async function withSessionLock(
  sql: Sql,
  name: string,
  run: (connection: Connection) => Promise<void>,
): Promise<void> {
  const connection = await sql.reserve()
  try {
    await connection`select pg_advisory_lock(hashtext(${name}))`
    try {
      await run(connection)
    } finally {
      await connection`select pg_advisory_unlock(hashtext(${name}))`
    }
  } finally {
    connection.release()
  }
}
