/**
 * How much of a bare Express route's speed is left when a warm answer carries everything the service adds: request id, access log,
 * strict parameters, security headers, entity tag. Both servers run in this process, the load comes from a thread of its own, and
 * the rounds alternate, so that what disturbs the machine disturbs both.
 */
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { devNull } from 'node:os'
import autocannon, { type Result } from 'autocannon'
import express from 'express'
import { createLogger, logDestination } from '../../src/log.ts'
import { startStubService } from '../support/stub-service.ts'
import { type BenchRow, median } from './bench.ts'

const CONNECTIONS = 50
const ROUNDS = 9
const ROUND_SECONDS = 2
const PATHS = ['/v1/today', '/v1/pun/today']

const PRICES = (['PUN', 'PSV', 'TTF', 'Brent', 'CO2'] as const).map((asset, i) => ({
  asset,
  day: '2026-11-21',
  price: 118.43 + i,
}))

export default async function warmAnswers(): Promise<BenchRow[]> {
  // Lines are formatted and written as in production, to nowhere.
  const log = createLogger({ level: 'info', destination: logDestination(devNull) })
  const service = await startStubService({ prices: PRICES, log, config: { environment: 'production' } })
  try {
    const rows: BenchRow[] = []
    for (const path of PATHS) rows.push(...(await compare(service.baseUrl, path)))
    return rows
  } finally {
    await service.stop()
  }
}

async function compare(baseUrl: string, path: string): Promise<BenchRow[]> {
  const bytes = await (await fetch(baseUrl + path)).text()
  const bare = await listen(bareExpress(bytes))
  try {
    await load(bare.url)
    await load(baseUrl + path)
    const rounds: { ours: Result; plain: Result }[] = []
    for (let i = 0; i < ROUNDS; i++) rounds.push({ plain: await load(bare.url), ours: await load(baseUrl + path) })
    return rowsOf(path, rounds)
  } finally {
    bare.server.close()
    bare.server.closeAllConnections()
  }
}

function bareExpress(body: string): RequestListener {
  const app = express()
  app.get('/x', (_req, res) => {
    res.type('json').send(body)
  })
  return app
}

async function listen(handler: RequestListener): Promise<{ server: Server; url: string }> {
  const server = createServer(handler)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/x` }
}

async function load(url: string): Promise<Result> {
  const result = await autocannon({ url, connections: CONNECTIONS, duration: ROUND_SECONDS, workers: 1 })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refusals, ${result.errors} errors`)
  return result
}

function rowsOf(path: string, rounds: { ours: Result; plain: Result }[]): BenchRow[] {
  const rate = (side: 'ours' | 'plain') => Math.round(median(rounds.map((round) => round[side].requests.average)))
  const p99 = (side: 'ours' | 'plain') => median(rounds.map((round) => round[side].latency.p99))
  return [
    {
      name: `${path} warm: requests/s of a bare route`,
      measured: median(rounds.map(({ ours, plain }) => ours.requests.average / plain.requests.average)),
      unit: 'ratio',
      bound: { atLeast: 0.8 },
      details: `${rate('ours')}/s against ${rate('plain')}/s, ${CONNECTIONS} connections, ${ROUNDS} rounds`,
    },
    {
      name: `${path} warm: p99 of a bare route`,
      measured: median(rounds.map(({ ours, plain }) => ours.latency.p99 / plain.latency.p99)),
      unit: 'ratio',
      bound: { atMost: 2 },
      details: `${p99('ours')} ms against ${p99('plain')} ms`,
    },
  ]
}
