/** Subscribers to changes: webhook receivers that fail for hours, a stream reader that reconnects, and a copy fed by the changes. */
import { createHmac } from 'node:crypto'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import {
  closeSocket,
  type ReceivedCall,
  respondWith,
  startWebhookReceiver,
  TEST_CA,
  type WebhookReceiver,
} from '../support/webhook-receiver.ts'
import { Alerts } from './alerts.ts'
import type { Act } from './history.ts'
import type { Zone } from './model.ts'
import { expectLines, Violation } from './violation.ts'
import type { World } from './world.ts'

const HOUR_MS = 3_600_000
/** Minimum time between two outages of a receiver, so that all retries of the first are made. */
const RECOVERY_MS = 26 * HOUR_MS
const PAGE_SIZE = 40

export interface Change {
  cursor: string
  kind: string
  dataset?: string
  day?: string
  zones?: string[]
  version?: number
  as_of: string
  details: Record<string, unknown>
  url?: string
}

interface Subscription {
  id: string
  secret: string
  path: string
  accepts(change: Change): boolean
}

const SUBSCRIPTIONS = [
  { events: ['day.published', 'day.corrected'] },
  { events: ['day.published', 'day.corrected', 'hours.negative'], datasets: ['pun', 'psv'] },
  { events: ['day.corrected', 'key.rotated'], zones: ['nord'] },
]

export class Subscribers {
  readonly #world: World
  readonly #receiver: WebhookReceiver
  readonly #faults = new Map<number, { does: string; untilMs: number }>()
  readonly #subscriptions: Subscription[] = []
  /** Calls that were answered with success. */
  readonly #accepted = new Set<ReceivedCall>()
  /** Day changes that `/v1/changes` must list: kind, dataset, day and instant. */
  readonly #expected = new Set<string>()
  readonly changes: Change[] = []
  readonly alerts: Alerts
  readonly mirror = new Map<string, string[]>()
  #cursor = ''
  #streamFrom = ''
  key = ''

  private constructor(world: World, receiver: WebhookReceiver) {
    this.#world = world
    this.#receiver = receiver
    this.alerts = new Alerts(world)
  }

  static async start(world: World): Promise<Subscribers> {
    setDefaultCACertificates([...getCACertificates('default'), TEST_CA])
    const receiver = await startWebhookReceiver()
    const subscribers = new Subscribers(world, receiver)
    receiver.setReaction((req, res, call) => {
      const bad = subscribers.#faultOf(Number(call.path.split('/')[1]))
      const reaction = {
        fail: respondWith(500),
        redirect: respondWith(302, { location: 'https://127.0.0.1:1/' }),
        busy: respondWith(429, { 'retry-after': '3600' }),
        cut: closeSocket,
        close: closeSocket,
        well: respondWith(204),
      }[(bad ?? 'well') as 'fail']
      reaction(req, res, call)
      if (bad === undefined) subscribers.#accepted.add(call)
    })
    return subscribers
  }

  get port(): number {
    return this.#receiver.port
  }

  async subscribe(): Promise<void> {
    this.key = await this.#world.callers.newKey('Enterprise')
    this.#cursor = (await this.callApi('/v1/changes?since=latest')).next as string
    this.#streamFrom = this.#cursor
    for (const [index, subscription] of SUBSCRIPTIONS.entries()) {
      const path = `/${index}/changes`
      const created = await this.callApi('/v1/webhooks', {
        ...subscription,
        url: `https://127.0.0.1:${this.port}${path}`,
      })
      const { events, datasets, zones } = subscription as { events: string[]; datasets?: string[]; zones?: string[] }
      this.#subscriptions.push({
        id: created.id as string,
        secret: created.signing_secret as string,
        path,
        accepts: (change) =>
          events.includes(change.kind) &&
          (datasets === undefined || change.dataset === undefined || datasets.includes(change.dataset)) &&
          (zones === undefined || change.zones === undefined || change.zones.some((zone) => zones.includes(zone))),
      })
    }
  }

  /** Returns the JSON of a response that must succeed. */
  async callApi(target: string, body?: object): Promise<Record<string, unknown>> {
    return this.#world.callers.requestJson(target, { key: this.key, ...(body && { body }) })
  }

  #faultOf(subscriber: number): string | undefined {
    const bad = this.#faults.get(subscriber)
    return bad !== undefined && this.#world.nowMs < bad.untilMs ? bad.does : undefined
  }

  async startFault({ subscriber, does, hours }: Extract<Act, { kind: 'receiver' }>): Promise<void> {
    const { nowMs } = this.#world
    const before = this.#faults.get(subscriber)
    if (before !== undefined && nowMs < before.untilMs + RECOVERY_MS) return
    this.#faults.set(subscriber, { does, untilMs: nowMs + hours * HOUR_MS })
  }

  /** Resumes suspended webhooks and alerts, as their owner would, once their receiver has recovered. */
  async resumeRecovered(): Promise<void> {
    for (const kind of ['webhooks', 'alerts'] as const) {
      const listed = await this.#world.sql<{ id: string; url: string }[]>`
        select id, url from webhooks where status = 'suspended' and (asset is not null) = ${kind === 'alerts'}`
      for (const { id, url } of listed) {
        if (this.#faultOf(Number(new URL(url).pathname.split('/')[1])) !== undefined) continue
        this.#world.logStep(`resume ${url.replace(/^https:..[^/]*/, '')}`)
        await this.callApi(`/v1/${kind}/${id}/resume`, {})
        await this.#world.tick()
      }
    }
  }

  /** Records that stored values must appear as a change. */
  expectChange(dataset: string, day: string, atMs: number, zone?: Zone): void {
    const held = zone === undefined ? this.#world.model.gas.get(day) : this.#world.model.zoneDays.get(`${zone} ${day}`)
    const kind = held?.replaced.length ? 'day.corrected' : 'day.published'
    this.#expected.add(`${kind} ${dataset} ${day} ${Temporal.Instant.fromEpochMilliseconds(atMs)}`)
  }

  /** Reads all new changes, and the current values at the URL of each. */
  async followChanges(): Promise<void> {
    for (let more = true; more; ) {
      const page = await this.callApi(`/v1/changes?since=${this.#cursor}&limit=${PAGE_SIZE}`)
      const changes = page.changes as Change[]
      this.changes.push(...changes)
      // The URL returns the newest values, whatever the version of the change.
      const days = new Map(
        changes.filter(({ kind }) => kind.startsWith('day.')).map((one) => [`${one.dataset} ${one.day}`, one]),
      )
      for (const [name, { dataset, day = '', url = '' }] of days) {
        // Zones of the second source on a day without PUN: their URL answers 503.
        if (dataset === 'zones' && this.#world.model.mean('nazionale', day) === undefined) this.mirror.delete(name)
        else this.mirror.set(name, rowsOf(await this.callApi(new URL(url).pathname + new URL(url).search)))
      }
      this.#cursor = page.next as string
      more = page.more as boolean
    }
    const listed = new Set(
      this.changes
        .filter(({ kind }) => kind.startsWith('day.'))
        .map((one) => `${one.kind} ${one.dataset} ${one.day} ${Temporal.Instant.from(one.as_of)}`),
    )
    expectLines(
      'Every change is recorded once, in the transaction that makes it, and read in the order of commits.',
      [...listed].sort(),
      [...this.#expected].sort(),
    )
    const cursors = this.changes.map(({ cursor }) => Number(cursor.split('-')[0]))
    if (cursors.some((position, i) => i > 0 && position <= (cursors[i - 1] as number)))
      throw new Violation(
        'Every change is recorded once, in the transaction that makes it, and read in the order of commits.',
        cursors.join(' '),
      )
  }

  /** Reconnects with the last event ID, reads some of the events since then, and disconnects. */
  async followStream(): Promise<void> {
    const listed: string[] = []
    for (let [since, more] = [this.#streamFrom, true]; more; ) {
      const page = await this.callApi(`/v1/changes?since=${since}&limit=500`)
      listed.push(...(page.changes as Change[]).map(({ cursor }) => cursor))
      ;[since, more] = [page.next as string, page.more as boolean]
    }
    if (listed.length === 0) return
    const count = Math.max(1, Math.ceil(listed.length * this.#world.random()))
    const disconnect = new AbortController()
    const response = await fetch(`${this.#world.process.url}/v1/stream`, {
      headers: { authorization: `Bearer ${this.key}`, 'last-event-id': this.#streamFrom },
      signal: disconnect.signal,
    })
    if (response.status !== 200) throw new Violation('No answer is an internal error.', `stream: ${response.status}`)
    const seen: string[] = []
    let text = ''
    for await (const chunk of response.body as ReadableStream<Uint8Array>) {
      text += Buffer.from(chunk).toString()
      const events = text.split('\n\n')
      text = events.pop() ?? ''
      for (const event of events) {
        const id = /^id: (\S+)\nevent: /m.exec(event)?.[1]
        if (id !== undefined) seen.push(id)
      }
      if (seen.length >= count) break
    }
    disconnect.abort()
    expectLines(
      'A stream resumes after its last id without missing or repeating a change, also across kills.',
      seen,
      listed.slice(0, seen.length),
    )
    this.#streamFrom = seen.at(-1) ?? this.#streamFrom
  }

  /** Checks, at the end, that every change was delivered and that no other call was made. */
  checkDeliveries(): void {
    for (const subscription of this.#subscriptions) this.#checkSubscription(subscription)
    this.alerts.check((path) => this.#callsTo(path), this.#accepted)
  }

  #callsTo(path: string): ReceivedCall[] {
    return this.#receiver.calls.filter((call) => call.path === path)
  }

  #checkSubscription({ secret, path, accepts }: Subscription): void {
    const expected = new Map(this.changes.filter(accepts).map((change) => [change.cursor, change]))
    const idOf = new Map<string, string>()
    const accepted = new Set<string>()
    for (const received of this.#callsTo(path)) {
      const { headers, body } = received
      const call = JSON.parse(body) as { type: string; data: Change }
      if (this.#accepted.has(received)) accepted.add(call.data.cursor)
      const id = headers['webhook-id'] as string
      const signed = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
        .update(`${id}.${headers['webhook-timestamp']}.${body}`)
        .digest('base64')
      if (headers['webhook-signature'] !== `v1,${signed}`) throw new Violation('Calls are signed.', `${path} ${body}`)
      const known = idOf.get(call.data.cursor)
      if (known !== undefined && known !== id)
        throw new Violation(
          'A delivery is retried with the same id and body for 24 hours.',
          `${path}: ${call.data.cursor} as ${known} and ${id}`,
        )
      idOf.set(call.data.cursor, id)
      if (withoutUrl(call.data) !== withoutUrl(expected.get(call.data.cursor)))
        throw new Violation('A receiver is called about what has happened, and about nothing else.', `${path} ${body}`)
    }
    expectLines(
      'A receiver that was down is called although the service was killed.',
      [...accepted].sort(),
      [...expected.keys()].sort(),
    )
  }

  get callCount(): number {
    return this.#receiver.calls.length
  }

  async close(): Promise<void> {
    await this.#receiver[Symbol.asyncDispose]()
  }
}

/** Ignores the URL, because its host depends on the process that answers. */
function withoutUrl(change: Change | undefined): string {
  return JSON.stringify({ ...change, url: undefined })
}

/** Returns the values in an answer as lines. */
function rowsOf(answer: Record<string, unknown>): string[] {
  const { hours, zones, points } = answer as Record<string, Record<string, unknown>[]>
  return [
    ...(hours ?? []).map(({ hour, value }) => `${hour} ${value}`),
    ...(zones ?? []).map(({ code, value }) => `${code} ${value}`),
    ...(points ?? []).map(({ value }) => `${value}`),
  ]
}
