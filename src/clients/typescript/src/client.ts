import {
  type Change,
  type ListChangesArguments,
  OPERATIONS,
  type OperationRow,
  type Operations,
  type StreamChangesArguments,
} from './api.generated.ts'
import { InvalidKeyError } from './errors.ts'
import { serverEvents } from './events.ts'
import { fetchParts, mergeResponses, partsOf } from './intervals.ts'
import { type DailyPrices, dailyPricesOf, type Hours, hoursOf } from './rows.ts'
import { daysBetween, dayText, type MarketDay } from './time.ts'
import { type CallOptions, type ClientOptions, pause, Transport, throwIfAborted } from './transport.ts'

type OperationName = keyof Operations
type Arguments<Name extends OperationName> = Operations[Name]['arguments']
type Reply<Name extends OperationName> = Operations[Name]['reply']

/** One method per operation, named by its `operationId` in the OpenAPI document, with all parameters in one object. */
export type OperationMethods = {
  [Name in Exclude<OperationName, 'streamChanges'>]: (
    args: Arguments<Name>,
    options?: CallOptions,
  ) => Promise<Reply<Name>>
}

// biome-ignore lint/suspicious/noTsIgnore: an error only where the package is not installed.
/** @ts-ignore: then it is any. */
type ArrowTable = import('apache-arrow').Table

type Zone = NonNullable<Exclude<Arguments<'getPunHourly'>, void>['zone']>
type AssetSlug = Arguments<'getPricesSeries'>['asset']

/** Optional parameters of a helper: those of its operation except zone, asset, days and the CSV dialect. */
type Query<Name extends OperationName> = Omit<
  Exclude<Arguments<Name>, void>,
  'zone' | 'asset' | 'date' | 'from' | 'to' | 'sep' | 'decimal' | 'times'
>

export interface ChangesOptions extends CallOptions, ListChangesArguments {
  /** Whether to wait for new changes after the last one. Default: `false`. */
  follow?: boolean
}
export interface StreamOptions extends CallOptions, StreamChangesArguments {}

/** The service sends a heartbeat comment every 15 seconds. */
const SILENCE_MS = 40_000
const WAIT_SECONDS = 30

class Client {
  readonly #transport: Transport
  /** Half the time-out at most, so that a response without changes arrives before it. */
  readonly #waitSeconds: number

  constructor(options: ClientOptions = {}) {
    this.#transport = new Transport(options)
    this.#waitSeconds = Math.max(1, Math.min(WAIT_SECONDS, Math.floor((options.timeoutSeconds ?? 60) / 2)))
    for (const name of Object.keys(OPERATIONS) as OperationName[])
      Object.defineProperty(this, name, {
        value: (args: never, callOptions?: CallOptions) => this.call(name, args, callOptions),
      })
  }

  /** Calls an operation. An interval longer than its limit is split and the responses are merged. */
  async call<Name extends OperationName>(
    name: Name,
    args: Arguments<Name>,
    options: CallOptions = {},
  ): Promise<Reply<Name>> {
    const json = async (part: object) => {
      const text = new TextDecoder().decode(await this.#bytes(name, { ...args, ...part }, 'application/json', options))
      return text === '' ? null : JSON.parse(text)
    }
    const parts = partsFor(name, args)
    if (parts === undefined) return json({})
    const answers = await fetchParts(parts, json)
    return mergeResponses(answers, { from: parts[0]?.from ?? '', to: parts.at(-1)?.to ?? '' }) as Reply<Name>
  }

  /** Returns the response as CSV, by default with separator `;` and decimal comma. */
  async csv<Name extends OperationName>(name: Name, args: Arguments<Name>, options: CallOptions = {}): Promise<string> {
    const fetchPart = async (part: object) =>
      new TextDecoder().decode(await this.#bytes(name, { ...args, ...part }, 'text/csv', options))
    const texts = await fetchParts(partsFor(name, args) ?? [{} as never], fetchPart)
    return texts.map((text, i) => (i === 0 ? text : text.slice(text.indexOf('\n') + 1))).join('')
  }

  /** Returns the response as an Arrow table. Requires the package `apache-arrow`. */
  async arrow<Name extends OperationName>(
    name: Name,
    args: Arguments<Name>,
    options: CallOptions = {},
  ): Promise<ArrowTable> {
    const { tableFromIPC } = await import('apache-arrow')
    const fetchPart = async (part: object) =>
      tableFromIPC(
        new Uint8Array(await this.#bytes(name, { ...args, ...part }, 'application/vnd.apache.arrow.stream', options)),
      )
    const [first, ...others] = await fetchParts(partsFor(name, args) ?? [{} as never], fetchPart)
    return (first as ArrowTable).concat(...others)
  }

  readonly pun = {
    /** Returns hourly or quarter-hourly prices of a zone, for one day or an interval of days. */
    hourly: async (
      zone: Zone,
      days: MarketDay | { from: MarketDay; to: MarketDay },
      { signal, ...query }: CallOptions & Query<'getPunHourly'> = {},
    ): Promise<Hours> => {
      const isSpan = typeof days === 'object' && 'from' in days
      const span = isSpan ? { from: dayText(days.from), to: dayText(days.to) } : { date: dayText(days) }
      return hoursOf(await this.call('getPunHourly', { ...query, zone, ...span }, { signal }))
    },
  }

  readonly prices = {
    /** Returns the daily prices of an index. */
    series: async (
      asset: AssetSlug,
      { from, to, ...query }: { from?: MarketDay; to?: MarketDay } & Query<'getPricesSeries'> = {},
      options?: CallOptions,
    ): Promise<DailyPrices> => {
      const span = { ...(from && { from: dayText(from) }), ...(to && { to: dayText(to) }) }
      return dailyPricesOf(await this.call('getPricesSeries', { ...query, asset, ...span }, options))
    },
  }

  /** Iterates over changes, fetching pages as needed. Store the `cursor` of each change to resume after it. */
  async *changes({ follow = false, signal, ...query }: ChangesOptions = {}): AsyncGenerator<Change> {
    const wait = follow ? this.#waitSeconds : undefined
    for (let { since } = query; ; ) {
      const page = await this.call('listChanges', { wait, ...query, since }, { signal })
      yield* page.changes
      if (!page.more && !follow) return
      since = page.next
    }
  }

  /** Streams changes as they happen, as long as the key is valid. Reconnects after interruptions without skipping a change. */
  async *stream({ signal, since, ...query }: StreamOptions = {}): AsyncGenerator<Change> {
    let lastId = since === 'latest' ? undefined : since
    let retryMs = 2_000
    for (;;) {
      // The stream replays only recent changes; read older ones from `listChanges` first.
      for (let more = lastId !== undefined; more; ) {
        const page = await this.call('listChanges', { ...query, since: lastId }, { signal })
        yield* page.changes
        lastId = page.next
        more = page.more
      }
      const response = await this.#transport.open({
        method: 'GET',
        path: pathOf(OPERATIONS.streamChanges, { ...query }),
        accept: 'text/event-stream',
        headers: lastId === undefined ? {} : { 'last-event-id': lastId },
        signal,
      })
      try {
        for await (const { id, event, data, retry } of serverEvents(response, SILENCE_MS)) {
          lastId = id ?? lastId
          retryMs = retry ?? retryMs
          if (event === 'bye' && data?.includes('"key"'))
            throw new InvalidKeyError('invalid_key', 'The key is no longer valid.', { status: 401 })
          if (event !== undefined && event !== 'bye' && data !== undefined) yield JSON.parse(data) as Change
        }
      } catch (err) {
        throwIfAborted(signal)
        if (err instanceof InvalidKeyError) throw err
      }
      await pause(retryMs * (0.5 + Math.random()), signal)
    }
  }

  #bytes(name: OperationName, args: object, accept: string, options: CallOptions): Promise<ArrayBuffer> {
    const row = rowOf(name)
    const { body, ...parameters } = args as Record<string, unknown>
    rejectUnknownParameters(name, row, parameters)
    return this.#transport.bytes({ method: row.method, path: pathOf(row, parameters), accept, body, ...options })
  }
}

/** Client with a method for each operation. The constructor defines these methods from `OPERATIONS`. */
export type EnergyPrices = Client & OperationMethods
export const EnergyPrices = Client as new (options?: ClientOptions) => EnergyPrices

function rowOf(name: OperationName): OperationRow {
  if (!Object.hasOwn(OPERATIONS, name)) throw new TypeError(`there is no operation ${name}`)
  return OPERATIONS[name]
}

/** Throws on an unknown parameter: a misspelt name would otherwise be dropped silently. */
function rejectUnknownParameters(
  name: string,
  { path, query = [] }: OperationRow,
  args: Record<string, unknown>,
): void {
  const names = [...[...path.matchAll(/\{(\w+)\}/g)].map(([, one]) => one as string), ...query]
  const unknown = Object.keys(args).find((one) => args[one] !== undefined && !names.includes(one))
  if (unknown !== undefined)
    throw new TypeError(`${unknown} is not a parameter of ${name}, which has ${names.join(', ') || 'none'}`)
}

function pathOf({ path, query = [] }: OperationRow, args: Record<string, unknown>): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(args[name])))
  const given = query.filter((name) => args[name] !== undefined)
  const search = new URLSearchParams(given.map((name) => [name, textOf(args[name])]))
  return (filled === '/' ? '' : filled) + (given.length === 0 ? '' : `?${search}`)
}

function textOf(value: unknown): string {
  if (value instanceof Date)
    throw new TypeError('a Date is neither a market day nor text: use marketDayOf() or toISOString()')
  return String(value)
}

/** Returns undefined if the operation accepts the whole interval in one request. */
function partsFor(name: OperationName, args: unknown) {
  const { days } = rowOf(name)
  const { from, to, granularity = 'hour', ...others } = (args ?? {}) as Record<string, string>
  if (days === undefined || from === undefined || to === undefined) return undefined
  const limits = typeof days === 'object' ? [granularity, ...Object.values(others)].map((value) => days[value]) : [days]
  const max = Math.min(...limits.filter((limit) => typeof limit === 'number'))
  return daysBetween(from, to) > max ? partsOf(from, to, max) : undefined
}
