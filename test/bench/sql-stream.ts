/**
 * A million rows by `POST /v1/sql?stream=true` from a PostgreSQL server made for the purpose: memory of the API's process beyond what it
 * has after ordinary answers, whose garbage V8 collects when it likes, and time.
 */
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { applyRoles } from '../../src/store/roles.ts'
import { seedApiKey } from '../support/api-keys.ts'
import { startPlainServer } from '../support/plain-server.ts'
import { type Product, startProduct } from '../support/product.ts'
import { residentMb } from '../support/resident-memory.ts'
import type { BenchRow } from './bench.ts'

const ROWS = 1_000_000
/** Of the most rows that an answer without a stream has. */
const ORDINARY = { answers: 50, rows: 10_000 }
const LOOK_EVERY_MS = 50
/** As prices come: a text, an instant, a day and two numbers. */
const statement = (rows: number) => `
  select 'nord' as zone, timestamptz '2011-01-01' + n * interval '15 minutes' as starts_at, date '2011-01-01' + n / 96 as market_day,
    n % 96 as ordinal, n * 0.37::float8 as price_eur_mwh
  from generate_series(1, ${rows}) n`

export default async function sqlStream(): Promise<BenchRow[]> {
  await using stack = new AsyncDisposableStack()
  const server = stack.use(await startPlainServer({ poolSize: 2 }))
  await applyRoles(server.database.sql)
  const { key } = await seedApiKey(server.database.sql, { plan: 'Trading' })
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'energy-prices-sql-stream-'))
  stack.defer(() => rm(dataDir, { recursive: true }))
  const url = server.superuserUrl
  const env = { NODE_ENV: 'production', ROLE: 'api', MIGRATIONS: 'check', DATABASE_URL: url, ANALYST_DATABASE_URL: url }
  const product = await startProduct({ dataDir, env })
  stack.defer(async () => {
    const exited = once(product.process, 'exit')
    product.process.kill('SIGTERM')
    await exited
  })
  const rows: BenchRow[] = []
  for (const format of ['csv', 'arrow']) {
    for (let i = 0; i < ORDINARY.answers; i++) await download(product, key, `format=${format}`, ORDINARY.rows)
    const before = await residentMb(product.pid)
    const { mostMb, bytes, seconds } = await download(product, key, `format=${format}&stream=true`, ROWS)
    rows.push({
      name: `POST /sql: a million rows as ${format}, memory beyond`,
      measured: mostMb - before,
      unit: 'MB',
      bound: { atMost: 100 },
      details: `${before.toFixed(0)} MB before; ${(bytes / 1e6).toFixed(0)} MB sent in ${seconds.toFixed(1)} s`,
    })
  }
  return rows
}

async function download({ url, pid }: Product, key: string, query: string, rows: number) {
  const began = performance.now()
  const answer = await fetch(new URL(`/v1/sql?${query}`, url), {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ sql: statement(rows) }),
  })
  if (answer.status !== 200 || answer.body === null) throw new Error(`${answer.status}: ${await answer.text()}`)
  let [bytes, mostMb] = [0, 0]
  const watch = setInterval(async () => {
    mostMb = Math.max(mostMb, await residentMb(pid))
  }, LOOK_EVERY_MS)
  try {
    for await (const chunk of answer.body) bytes += chunk.length
  } finally {
    clearInterval(watch)
  }
  return { bytes, mostMb, seconds: (performance.now() - began) / 1000 }
}
