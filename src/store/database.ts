/** The database that the service works on, embedded or a server; nothing above the store knows which. */
import type { Kysely } from 'kysely'
import { once } from '../platform/once.ts'
import { type ConnectOptions, connectSql, endSql, POOL_SIZE, type Sql, type Transaction } from './connect-sql.ts'
import { ReadReplicas } from './read-replicas.ts'
import type { Schema } from './schema.generated.ts'

export type { Sql, Transaction }

export interface Database extends AsyncDisposable {
  /** Reads and writes. */
  sql: Sql
  /** Reads that may come from a replica, once `replicas` follow the data version; the same as `sql` where there is none. */
  read: Sql
  replicas: ReadReplicas | undefined
  /** Typed short queries, on the connections of `sql`; loaded with the first of them. */
  kysely(): Promise<Kysely<Schema>>
  close(): Promise<void>
}

/** How many concurrent callers a database serves well: the embedded engine runs one statement at a time, while another is prepared or read. */
export const ASKERS_AT_ONCE = { engine: 2, server: POOL_SIZE } as const

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
    kysely: once(() => openKysely(sql)),
    close,
    [Symbol.asyncDispose]: close,
  }
}

async function openKysely(sql: Sql): Promise<Kysely<Schema>> {
  const [{ Kysely }, { PostgresJSDialect }] = await Promise.all([import('kysely'), import('kysely-postgres-js')])
  return new Kysely<Schema>({ dialect: new PostgresJSDialect({ postgres: withScripts(sql) }) })
}

/** Lets Kysely run whole files: a statement without parameters goes by the simple protocol, which takes several at once. */
function withScripts(sql: Sql): Sql {
  const reserve = async () => {
    const connection = await sql.reserve()
    return new Proxy(connection, {
      get(target, name, receiver) {
        if (name !== 'unsafe') return Reflect.get(target, name, receiver)
        return (...[text, parameters = [], options]: Parameters<typeof target.unsafe>) =>
          parameters.length === 0 ? target.unsafe(text).simple() : target.unsafe(text, parameters, options)
      },
    })
  }
  return new Proxy(sql, {
    get: (target, name, receiver) => (name === 'reserve' ? reserve : Reflect.get(target, name, receiver)),
  })
}
