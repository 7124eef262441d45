/** The database of the service, embedded or a server; nothing above the store depends on which. */
import { type ConnectOptions, connectSql, endSql, POOL_SIZE, type Sql, type Transaction } from './connect-sql.ts'
import { ReadReplicas } from './read-replicas.ts'

export type { Sql, Transaction }

export interface Database extends AsyncDisposable {
  /** Reads and writes. */
  sql: Sql
  /** Reads that may come from a replica, once `replicas` follow the data version; the same as `sql` if there is none. */
  read: Sql
  replicas: ReadReplicas | undefined
  close(): Promise<void>
}

/** Concurrent callers that a database serves well: the embedded engine runs one statement while another is prepared or its rows are read. */
export const CONCURRENT_CALLERS = { engine: 2, server: POOL_SIZE } as const

interface DatabaseAddress extends ConnectOptions {
  url: string
  readUrls?: readonly string[]
}

export function connectDatabase(address: DatabaseAddress): Database {
  const sql = connectSql(address.url, address)
  const copies = (address.readUrls ?? []).map((url) => connectSql(url, address))
  const replicas = copies.length > 0 ? new ReadReplicas(sql, copies) : undefined
  const close = async () => {
    await Promise.all([sql, ...copies].map(endSql))
  }
  return {
    sql,
    read: replicas?.sql ?? sql,
    replicas,
    close,
    [Symbol.asyncDispose]: close,
  }
}
