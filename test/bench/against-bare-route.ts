/**
 * How much of a bare Express route's speed is left when the service answers the same bytes. Both servers run in this process, the
 * load comes from a separate thread, and the rounds alternate, so that other load affects both.
 */
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import autocannon, { type Result } from 'autocannon'
import express from 'express'
import { type BenchRow, median } from './bench.ts'

const CONNECTIONS = 50
const ROUNDS = 9
const ROUND_SECONDS = 2

export interface Measured {
  name: string
  url: string
  headers?: Record<string, string>
  /** Least share of the bare route's requests per second. */
  rateAtLeast: number
}

export async function againstBareRoute({ name, url, headers = {}, rateAtLeast }: Measured): Promise<BenchRow[]> {
  const answer = await fetch(url, { headers })
  if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`)
  const bare = await listen(bareExpress(await answer.text()))
  try {
    await load(bare.url, headers)
    await load(url, headers)
    const rounds: Round[] = []
    for (let i = 0; i < ROUNDS; i++)
      rounds.push({ plain: await load(bare.url, headers), ours: await load(url, headers) })
    return rowsOf(name, rateAtLeast, rounds)
  } finally {
    bare.server.close()
    bare.server.closeAllConnections()
  }
}

interface Round {
  ours: Result
  plain: Result
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

async function load(url: string, headers: Record<string, string>): Promise<Result> {
  const result = await autocannon({ url, headers, connections: CONNECTIONS, duration: ROUND_SECONDS, workers: 1 })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refusals, ${result.errors} errors`)
  return result
}

function rowsOf(name: string, rateAtLeast: number, rounds: Round[]): BenchRow[] {
  const rate = (side: keyof Round) => Math.round(median(rounds.map((round) => round[side].requests.average)))
  const p99 = (side: keyof Round) => median(rounds.map((round) => round[side].latency.p99))
  return [
    {
      name: `${name}: requests/s of a bare route`,
      measured: median(rounds.map(({ ours, plain }) => ours.requests.average / plain.requests.average)),
      unit: 'ratio',
      bound: { atLeast: rateAtLeast },
      details: `${rate('ours')}/s against ${rate('plain')}/s, ${CONNECTIONS} connections, ${ROUNDS} rounds`,
    },
    {
      name: `${name}: p99 of a bare route`,
      measured: median(rounds.map(({ ours, plain }) => ours.latency.p99 / plain.latency.p99)),
      unit: 'ratio',
      bound: { atMost: 2 },
      details: `${p99('ours')} ms against ${p99('plain')} ms`,
    },
  ]
}
