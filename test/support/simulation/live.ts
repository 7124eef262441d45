/** Lets a service live through a scenario, in this process or in one that is killed again and again, and returns what is left. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createLogger } from '../../../src/platform/log.ts'
import { FETCHED_PUBLISHERS } from '../../../src/publishers/sources.ts'
import { productDatabase } from '../database.ts'
import { productEnvironment } from '../environment.ts'
import { type Publishers, startPublishers } from '../publishers/index.ts'
import { type EndState, endState } from './end-state.ts'
import type { Kill } from './kills.ts'
import { faultIn, type Scenario, statedIn } from './scenario.ts'
import { simulatedService } from './simulated-service.ts'
import type { LookReply } from './simulated-worker.ts'

const WORKER = path.join(import.meta.dirname, 'simulated-worker.ts')

export interface Lived {
  state: EndState
  /** What the log says about publishers, as lines of `state.events`. */
  events: string[]
  /** Jobs that failed permanently. */
  deadJobs: object[]
  looks: number
}

export async function live(scenario: Scenario): Promise<Lived> {
  const copy = await productDatabase()
  const lines: string[] = []
  const log = createLogger({ level: 'info', destination: { write: (line) => lines.push(line) } })
  const world = await startWorld(scenario)
  try {
    // Kills have a test of their own, and power loss too.
    const env = { ...world.env, ...copy.env, EMBEDDED_DURABILITY: 'off' }
    await using service = await simulatedService(env, log)
    let looks = 0
    while (!world.isOver()) {
      world.now = await service.lookAt(world.now, looks === 0)
      looks += 1
    }
    const { sql } = service.ctx.database
    const deadJobs = await sql`select name, data from pgboss.job where name like '%.dead' or state = 'failed'`
    return { state: await endState(sql), events: lines.flatMap(eventOf).sort(), deadJobs, looks }
  } finally {
    await world.publishers.stop()
    await copy.remove()
  }
}

/** The same in a worker process that is killed without warning, and started again where it was. */
export async function liveWithKills(scenario: Scenario, kills: readonly Kill[]): Promise<EndState> {
  const copy = await productDatabase()
  const world = await startWorld(scenario)
  let worker = await startWorker(world, copy.env)
  try {
    let starting = true
    for (let look = 0; !world.isOver(); look++) {
      const kill = kills.find((one) => one.look === look)
      const next: Temporal.Instant | undefined =
        kill === undefined ? undefined : await lookAndKill(world, worker, kill, starting)
      if (kill !== undefined) worker = await startWorker(world, copy.env)
      world.now = next ?? (await lookOf(worker, world.now, starting || kill !== undefined))
      starting = kill !== undefined && next !== undefined
    }
    worker.kill('SIGKILL')
    await exitOf(worker)
    await using opened = await copy.open()
    return await endState(opened.database.sql)
  } finally {
    worker.kill('SIGKILL')
    await exitOf(worker)
    await world.publishers.stop()
    await copy.remove()
  }
}

/** A line of the log as a line of `EndState.events`, where it is one. */
function eventOf(line: string): string[] {
  const { event = '', source, day, at } = JSON.parse(line)
  const [, kind] = /^source_(late|back|quarantined|corrected|refused)$/.exec(event) ?? []
  if (kind === undefined) return []
  return [[`${at.slice(0, 'YYYY-MM-DDTHH:MM'.length)}Z`, source, kind, ...(day === null ? [] : [day])].join(' ')]
}

interface World {
  now: Temporal.Instant
  publishers: Publishers
  env: Record<string, string>
  isOver(): boolean
  /** Called at each request to a publisher, before it is answered. */
  onRequest: () => void
}

async function startWorld(scenario: Scenario): Promise<World> {
  const ends = Temporal.Instant.from(scenario.ends)
  const world = {
    now: Temporal.Instant.from(scenario.starts),
    isOver: () => Temporal.Instant.compare(world.now, ends) > 0,
    onRequest: () => {},
  } as World
  world.publishers = await startPublishers({
    clock: { now: () => world.now },
    truth: statedIn(scenario),
    faultOf(source) {
      world.onRequest()
      return faultIn(scenario, source, world.now)
    },
  })
  const { env } = world.publishers
  const addresses = Object.keys(env).filter((name) => name.endsWith('_ADDRESS'))
  const history = addresses.map((name) => [name.replace('_ADDRESS', '_HISTORY_FROM'), scenario.historyFrom])
  // The month is one of prices: offers, load, generation and weather have separate tests.
  const SOURCES = FETCHED_PUBLISHERS.filter(({ assets, zones }) => assets.length + zones.length > 0)
    .map(({ id }) => id)
    .join(',')
  world.env = { ...env, SOURCES, ...Object.fromEntries(history) }
  return world
}

async function startWorker(world: World, env: Record<string, string>): Promise<ChildProcess> {
  const worker = spawn(process.execPath, [WORKER], {
    env: productEnvironment({ ...world.env, ...env }),
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  await Promise.race([
    once(worker, 'message'),
    exitOf(worker).then(() => Promise.reject(new Error('the worker ended'))),
  ])
  return worker
}

async function lookOf(worker: ChildProcess, now: Temporal.Instant, starting: boolean): Promise<Temporal.Instant> {
  const replied = once(worker, 'message')
  worker.send({ now: now.toString(), starting })
  const [reply] = (await replied) as [LookReply]
  return Temporal.Instant.from(reply.next)
}

/** The next instant where the look was over before the kill came. */
async function lookAndKill(
  world: World,
  worker: ChildProcess,
  { request, afterMs }: Kill,
  starting: boolean,
): Promise<Temporal.Instant | undefined> {
  let requests = 0
  const strike = () => worker.kill('SIGKILL')
  world.onRequest = () => {
    requests += 1
    if (requests === request) setTimeout(strike, afterMs)
  }
  const exited = exitOf(worker)
  const done = lookOf(worker, world.now, starting).then((next) => {
    strike()
    return next
  })
  const next = await Promise.race([done, exited.then(() => undefined)])
  await exited
  world.onRequest = () => {}
  return next
}

function exitOf(child: ChildProcess): Promise<unknown> {
  return child.exitCode !== null || child.signalCode !== null ? Promise.resolve() : once(child, 'exit')
}
