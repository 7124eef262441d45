/**
 * How the service compares with a bare Express route and with bare `node:http` when all answer the same bytes, the latter with the
 * same headers too. All run in this process, the load comes from another (`wrk`, else autocannon), and the rounds alternate, so that
 * what disturbs the machine disturbs all.
 */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import autocannon from 'autocannon'
import express from 'express'
import { rawRequest } from '../support/stub-service.ts'
import { type BenchRow, median } from './bench.ts'

const CONNECTIONS = 50
const ROUNDS = 3
const ROUND_SECONDS = 1
/** A tail as short as the platform's own, within what rounds differ by. */
const P99_OF_NODE = 1.2
const run = promisify(execFile)

export interface Measured {
  name: string
  url: string
  headers?: Record<string, string>
  /** Asks with the entity tag, so that the answer is a 304. */
  isUnchanged?: boolean
  /** Least shares of their requests per second. */
  ofExpress: number
  ofNode: number
}

interface Load {
  perSecond: number
  p99Ms: number
}

interface Cost extends Load {
  /** Processor time of a request on the thread that all servers share; other work on the machine hardly changes it. */
  processorUs: number
}

interface Side {
  url: string
  headers: Record<string, string>
}

export async function againstBareRoute({ name, url, headers = {}, ...asked }: Measured): Promise<BenchRow[]> {
  const whole = await ask({ url, headers })
  if (whole.status !== 200) throw new Error(`${url} answered ${whole.status}: ${whole.body}`)
  const body = whole.body.toString()
  const ours = asked.isUnchanged ? unchanged({ url, headers }, whole.etag) : { url, headers }
  const { status, ownHeaders } = await ask(ours)

  const app = await listen(bareExpress(body))
  const node = await listen((_req, res) => void res.writeHead(status, ownHeaders).end(status === 304 ? '' : body))
  try {
    const plain = { url: app.url, headers }
    const sides = {
      ours,
      express: asked.isUnchanged ? unchanged(plain, (await ask(plain)).etag) : plain,
      node: { url: node.url, headers: ours.headers },
    }
    for (const side of Object.values(sides)) await load(side)
    const rounds: Record<keyof typeof sides, Cost>[] = []
    for (let i = 0; i < ROUNDS; i++)
      rounds.push({ ours: await load(sides.ours), express: await load(sides.express), node: await load(sides.node) })
    return rowsOf(name, asked, rounds)
  } finally {
    for (const { server } of [app, node]) {
      server.close()
      server.closeAllConnections()
    }
  }
}

async function ask({ url, headers }: Side) {
  const { origin, pathname, search } = new URL(url)
  const answer = await rawRequest(origin, pathname + search, { headers })
  const { date: _date, connection: _connection, 'keep-alive': _keepAlive, ...own } = answer.headers
  return { ...answer, etag: answer.headers.etag, ownHeaders: Object.entries(own).flat() as string[] }
}

function unchanged(side: Side, etag: string | undefined): Side {
  if (etag === undefined) throw new Error(`${side.url} has no entity tag`)
  return { ...side, headers: { ...side.headers, 'If-None-Match': etag } }
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

const hasWrk = await run('wrk', ['-v']).then(
  () => true,
  (err: { code?: unknown }) => err.code !== 'ENOENT', // it has an exit code of its own
)

/** wrk takes less of the processor than what it measures; autocannon does not, and so brings all ratios closer to 1. */
async function load(side: Side): Promise<Cost> {
  const before = process.threadCpuUsage()
  const measured = await (hasWrk ? loadByWrk(side) : loadByAutocannon(side))
  const { user, system } = process.threadCpuUsage(before)
  return { ...measured, processorUs: (user + system) / (measured.perSecond * ROUND_SECONDS) }
}

async function loadByWrk({ url, headers }: Side): Promise<Load> {
  const sent = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const { stdout } = await run('wrk', ['-t1', `-c${CONNECTIONS}`, `-d${ROUND_SECONDS}s`, '--latency', ...sent, url])
  const perSecond = /Requests\/sec: +([\d.]+)/.exec(stdout)?.[1]
  const [, p99, unit] = /\n +99% +([\d.]+)(us|ms|s)\n/.exec(stdout) ?? []
  if (/Non-2xx|Socket errors/.test(stdout) || perSecond === undefined || p99 === undefined)
    throw new Error(`${url}: ${stdout}`)
  return { perSecond: Number(perSecond), p99Ms: Number(p99) * { us: 0.001, ms: 1, s: 1000 }[unit as 'us' | 'ms' | 's'] }
}

async function loadByAutocannon({ url, headers }: Side): Promise<Load> {
  const result = await autocannon({ url, headers, connections: CONNECTIONS, duration: ROUND_SECONDS, workers: 1 })
  if (result['4xx'] > 0 || result['5xx'] > 0 || result.errors > 0) throw new Error(`${url}: refusals or errors`)
  return { perSecond: result.requests.average, p99Ms: result.latency.p99 }
}

function rowsOf(
  name: string,
  { ofExpress, ofNode }: Pick<Measured, 'ofExpress' | 'ofNode'>,
  rounds: Record<'ours' | 'express' | 'node', Cost>[],
): BenchRow[] {
  const rate = (side: 'ours' | 'express' | 'node') => Math.round(median(rounds.map((one) => one[side].perSecond)))
  const p99 = (side: 'ours' | 'express' | 'node') => median(rounds.map((one) => one[side].p99Ms)).toFixed(1)
  const cost = (side: 'ours' | 'express' | 'node') => median(rounds.map((one) => one[side].processorUs)).toFixed(1)
  const share = (side: 'express' | 'node') => median(rounds.map((one) => one.ours.perSecond / one[side].perSecond))
  const ratio = { unit: 'ratio' as const }
  return [
    {
      ...ratio,
      name: `${name}: requests/s of a bare Express route`,
      measured: share('express'),
      bound: { atLeast: ofExpress },
      details: `${rate('ours')}/s against ${rate('express')}/s, ${CONNECTIONS} connections, ${hasWrk ? 'wrk' : 'autocannon'}; processor ${cost('ours')} against ${cost('express')} µs`,
    },
    {
      ...ratio,
      name: `${name}: requests/s of bare node:http with the same headers`,
      measured: share('node'),
      bound: { atLeast: ofNode },
      details: `against ${rate('node')}/s, ${cost('node')} µs`,
    },
    {
      ...ratio,
      name: `${name}: p99 of bare node:http with the same headers`,
      measured: median(rounds.map(({ ours, node }) => ours.p99Ms / node.p99Ms)),
      bound: { atMost: P99_OF_NODE },
      details: `${p99('ours')} ms against ${p99('node')} ms, Express ${p99('express')} ms`,
    },
  ]
}
