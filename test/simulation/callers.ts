/** Holders of keys: parallel requests at the limits of a key, keys that are rotated or revoked meanwhile, and requests for past values. */
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import type { FileStore } from '../../src/delivery/bulk/file-store.ts'
import { publishFile } from '../../src/delivery/bulk/publish-files.ts'
import { insertApiKey, revokeApiKey } from '../../src/store/api-keys.ts'
import { newApiKey } from '../support/api-keys.ts'
import { seedIssue } from '../support/forecasts.ts'
import type { Act } from './history.ts'
import { dayOf, plusDays, sixDecimals, type Zone } from './model.ts'
import { expectLines, Violation } from './violation.ts'
import type { World } from './world.ts'

const QUOTA = 40
const PER_MINUTE = 3
const HOUR_MS = 3_600_000
const OPEN_PATH = '/v1/prices'

interface Caller {
  id: string
  key: string
  /** Counted requests by month. */
  used: Map<string, number>
  previous: { key: string; untilMs: number } | undefined
}

interface CallRequest {
  key: string
  body?: object
}

export class Callers {
  readonly #world: World
  readonly #callers: Caller[] = []
  /** PUN days that were forecast, with the instant of the issue. */
  readonly issued: { day: string; atMs: number }[] = []
  #issues = 0

  private constructor(world: World) {
    this.#world = world
  }

  static async open(world: World): Promise<Callers> {
    const callers = new Callers(world)
    for (let i = 0; i < 3; i++) callers.#callers.push(await callers.#newCaller())
    return callers
  }

  async #newCaller(): Promise<Caller> {
    const { key, record } = newApiKey({ plan: 'API', requestsPerMonth: QUOTA, requestsPerMinute: 1_000_000 })
    await this.#insert(record)
    return { id: record.id, key, used: new Map(), previous: undefined }
  }

  async newKey(plan: 'Enterprise', about = {}): Promise<string> {
    const { key, record } = newApiKey({ plan, requestsPerMinute: 1_000_000, ...about })
    await this.#insert(record)
    return key
  }

  async #insert(record: ReturnType<typeof newApiKey>['record']): Promise<void> {
    await insertApiKey(this.#world.sql, { ...record, createdAt: this.#world.now() })
    await this.#world.process.ctx.dataVersion.refresh()
  }

  async getStatus(target: string, key: string): Promise<number> {
    const response = await this.#send(target, { key })
    await response.arrayBuffer()
    return response.status
  }

  async #send(target: string, { key, body }: CallRequest): Promise<Response> {
    this.#world.counts.checks += 1
    const response = await fetch(this.#world.process.url + target, {
      headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
    if (response.status >= 500 && response.status !== 503)
      throw new Violation('No answer is an internal error.', `${target}: ${response.status} ${await response.text()}`)
    return response
  }

  async requestJson(target: string, request: CallRequest): Promise<Record<string, unknown>> {
    const response = await this.#send(target, request)
    const text = await response.text()
    if (response.status >= 300)
      throw new Violation('What is stored is served.', `${target}: ${response.status} ${text}`)
    return JSON.parse(text)
  }

  /** Returns undefined for 404 and 503. */
  async getIfPresent(target: string): Promise<Record<string, unknown> | undefined> {
    const response = await this.#send(target, { key: this.#world.subscribers.key })
    const text = await response.text()
    if (response.status === 404 || response.status === 503) return undefined
    if (response.status !== 200)
      throw new Violation('What is stored is served.', `${target}: ${response.status} ${text}`)
    return JSON.parse(text)
  }

  #currentMonth(): string {
    return this.#world.today().slice(0, 7)
  }

  #count(caller: Caller, requests: number): void {
    caller.used.set(this.#currentMonth(), Math.min(QUOTA, (caller.used.get(this.#currentMonth()) ?? 0) + requests))
  }

  async burst({ caller: index, requests, revoke }: Extract<Act, { kind: 'burst' }>): Promise<void> {
    await this.#checkMinuteLimit(requests)
    const caller = this.#callers[index] as Caller
    const left = QUOTA - (caller.used.get(this.#currentMonth()) ?? 0)
    const asked = Array.from({ length: requests }, () => this.getStatus(OPEN_PATH, caller.key))
    if (revoke) {
      await revokeApiKey(this.#world.sql, caller.id, this.#world.now())
      await this.#world.process.ctx.dataVersion.refresh()
    }
    const statuses = await Promise.all(asked)
    const admitted = statuses.filter((status) => status === 200).length
    if (!revoke && admitted !== Math.min(requests, left))
      throw new Violation(
        'A monthly quota is exact under parallel requests and across processes.',
        `${requests} with ${left} left: ${statuses}`,
      )
    if (admitted > left)
      throw new Violation(
        'A monthly quota is exact under parallel requests and across processes.',
        `${admitted} of ${left}`,
      )
    this.#count(caller, admitted)
    if (!revoke) return this.#checkUsage(caller)
    const after = await this.getStatus(OPEN_PATH, caller.key)
    if (after !== 401) throw new Violation('A revoked or replaced key is refused by every process.', `${after}`)
    this.#callers[index] = await this.#newCaller()
  }

  /** Checks that the limit of a key that has not been used yet is exact. */
  async #checkMinuteLimit(requests: number): Promise<void> {
    const key = await this.newKey('Enterprise', { requestsPerMinute: PER_MINUTE })
    const statuses = await Promise.all(Array.from({ length: requests }, () => this.getStatus(OPEN_PATH, key)))
    const admitted = statuses.filter((status) => status === 200).length
    const most = this.#world.isLimitsStoreLost ? 2 * PER_MINUTE : PER_MINUTE
    if (admitted < Math.min(requests, PER_MINUTE) || admitted > most)
      throw new Violation(
        'The limit of a key is exact under parallel requests.',
        `${requests} of ${PER_MINUTE}: ${statuses}`,
      )
  }

  async #checkUsage(caller: Caller): Promise<void> {
    const used = caller.used.get(this.#currentMonth()) ?? 0
    const response = await this.#send('/v1/usage', { key: caller.key })
    const answer = (await response.json()) as { used?: number }
    if (response.status !== 200 || answer.used !== used)
      throw new Violation(
        'A monthly quota is exact under parallel requests and across processes.',
        `used ${answer.used}, counted ${used}`,
      )
    this.#count(caller, 1)
  }

  async rotate(index: number): Promise<void> {
    const caller = this.#callers[index] as Caller
    if (caller.previous !== undefined) return this.#checkPrevious(caller)
    const response = await this.#send('/v1/keys/rotate', { key: caller.key, body: { overlap_hours: 24 } })
    if (response.status >= 300)
      throw new Violation('A rotated key keeps limits, use and alerts of its holder.', await response.text())
    const { key, id } = (await response.json()) as { key: string; id: string }
    this.#count(caller, 1)
    caller.previous = { key: caller.key, untilMs: this.#world.nowMs + 24 * HOUR_MS }
    caller.key = key
    caller.id = id
    await this.#checkUsage(caller)
  }

  async #checkPrevious(caller: Caller): Promise<void> {
    const { key, untilMs } = caller.previous as { key: string; untilMs: number }
    const isFull = (caller.used.get(this.#currentMonth()) ?? 0) >= QUOTA
    const status = await this.getStatus(OPEN_PATH, key)
    const expected = this.#world.nowMs >= untilMs ? 401 : isFull ? 429 : 200
    if (status !== expected)
      throw new Violation(
        'A revoked or replaced key is refused by every process.',
        `the old key: ${status}, not ${expected}`,
      )
    if (status === 200) this.#count(caller, 1)
  }

  /** Checks the hours of a day as known at `atMs`, or the current ones. */
  async checkAsOf(day: string, zone: Zone, atMs?: number): Promise<void> {
    const at = atMs === undefined ? 'now' : Temporal.Instant.fromEpochMilliseconds(atMs).toString()
    if (atMs === undefined && this.#world.model.prices(zone, day) === undefined) return
    const answer = await this.getIfPresent(
      `/v1/pun/hourly?zone=${zone}&date=${day}${atMs === undefined ? '' : `&as_of=${at}`}`,
    )
    const hours = (answer?.hours as { value: number }[] | undefined)?.map(({ value }) => value)
    const expected = this.#world.model.completeHours(zone, day, atMs)?.map(sixDecimals)
    if (JSON.stringify(hours) !== JSON.stringify(expected))
      throw new Violation(
        'A correction keeps what it replaces, and `as_of` answers both.',
        `${zone} ${day} at ${at}: ${hours} for ${expected}`,
      )
  }

  /** Issues forecasts of the next days in the form in which the model process delivers them. */
  async issueForecast(days: number): Promise<void> {
    const { nowMs, sql } = this.#world
    this.#issues += 1
    const info = dayOf(nowMs)
    const last = Math.max(0, ...this.issued.map(({ atMs }) => atMs))
    const inputs = String(this.#issues).padStart(64, '0')
    const about = {
      asset: 'PUN' as const,
      infoDate: plusDays(info, -1),
      issuedAt: this.#world.now().toString(),
      days: days + 2,
      inputs,
    }
    try {
      await seedIssue(sql, about)
    } catch (err) {
      if (nowMs < last && err instanceof Error && 'code' in err && err.code === '23514') return
      throw err
    }
    for (let i = 1; i <= days + 2; i++) this.issued.push({ day: plusDays(info, i - 1), atMs: nowMs })
  }

  /** Makes the file of all zones, which must have the rows of the database. With `fails`, the disk is full halfway through. */
  async makeFile(fails: boolean): Promise<void> {
    const { ctx } = this.#world.process
    const of = { dataset: 'pun-hourly', format: 'csv.gz' } as const
    const truncatingStore: FileStore = {
      ...ctx.files,
      async put(file, name) {
        const content = await readFile(file)
        await writeFile(ctx.files.path?.(name) as string, content.subarray(0, content.length / 2))
        throw Object.assign(new Error('no space left (simulated)'), { code: 'ENOSPC' })
      },
    }
    const made = publishFile(of, {
      sql: ctx.database.sql,
      niceness: 0,
      databaseUrl: ctx.databaseUrl.reveal(),
      isServer: false,
      store: fails ? truncatingStore : ctx.files,
      folder: ctx.config.bulk.folder,
      now: () => this.#world.now(),
      signal: new AbortController().signal,
    })
    if (fails) {
      const problem = await made.then(
        ({ outcome }) => outcome,
        (err: Error & { code?: string }) => err.code,
      )
      if (problem !== 'ENOSPC' && problem !== 'unchanged' && problem !== 'empty')
        throw new Violation('A file that is offered is whole.', `${problem} on a full disk`)
    } else await made
    const described = await this.getIfPresent('/v1/bulk/pun-hourly?format=csv.gz')
    if (described === undefined) return
    const url = new URL(described.download_url as string)
    const response = await fetch(this.#world.process.url + url.pathname + url.search)
    const bytes = Buffer.from(await response.arrayBuffer())
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    if (sha256 !== described.sha256) throw new Violation('A file that is offered is whole.', `${bytes.length} bytes`)
    if (fails) return
    const [, ...rows] = gunzipSync(bytes).toString().trim().split(/\r?\n/)
    expectLines(
      'Parquet, CSV, Arrow, files by year, API and SQL have the same rows.',
      rows.map((row) => row.replaceAll(',', '.').split(';').slice(0, 4).join(' ')).sort(),
      this.#world.model.fileLines().sort(),
    )
  }
}
