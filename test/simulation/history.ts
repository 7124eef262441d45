/** Histories as fast-check arbitraries: a start near a daylight-saving change or the change to quarter-hours, then days of acts. */
import fc from 'fast-check'

/** Each within a few days of a day of 23 or 25 hours, in hours and in quarter-hours, or of the first day of quarter-hours. */
export const STARTS = ['2025-03-27', '2025-09-28', '2025-10-23', '2026-03-26', '2026-10-22', '2024-10-24'] as const

/** Answers of publishers with no values that may be stored. */
export const OUTAGES = [
  'late',
  'empty',
  'truncated',
  'cut-off',
  'unreachable',
  'refused-401',
  'busy-429',
  'error-500',
  'quota-text',
  'wrong-content-type',
  'changed-columns',
  'previous-day',
] as const

/** Ways in which a statement or transaction of a job fails; `lease-passed`: another worker runs the job meanwhile. */
export const CRASHES = [
  'statement-lost',
  'answer-lost',
  'before-commit',
  'after-commit',
  'killed',
  'disk-full',
  'lease-passed',
] as const

/** Where requests are counted: in the process, in the database, or in Redis. */
const LIMITS_STORES = ['memory', 'memory', 'postgres', 'redis'] as const

const daysBack = fc.integer({ min: 0, max: 5 })
const zone = fc.integer({ min: 0, max: 7 })
const hours = fc.integer({ min: 1, max: 8 })
const price = fc.integer({ min: -1_000, max: 12_500 }).map((even) => even / 50 || 0.02)
const subscriber = fc.integer({ min: 0, max: 2 })

const act = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('correct' as const),
      daysBack,
      zone,
      from: fc.integer({ min: 1, max: 100 }),
      count: fc.integer({ min: 1, max: 8 }),
      price,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('spoil' as const),
      how: fc.constantFrom('zeros' as const, 'hole' as const, 'beyond' as const),
      daysBack: fc.integer({ min: -1, max: 2 }),
      zone,
      hours,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('outage' as const),
      source: fc.constantFrom('gme-mgp' as const, 'entsoe' as const, 'gme-mgas' as const),
      fault: fc.constantFrom(...OUTAGES),
      hours,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('import' as const),
      daysBack,
      days: fc.integer({ min: 1, max: 2 }),
      form: fc.constantFrom('both' as const, 'hours' as const, 'quarters' as const),
      zones: fc.integer({ min: 1, max: 255 }),
      version: fc.constantFrom('now' as const, 'first' as const),
      damage: fc.constantFrom(...(['none', 'none', 'none', 'cut', 'twice'] as const)),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('decide' as const),
      accept: fc.boolean(),
      nth: fc.integer({ min: 0, max: 3 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('crash' as const),
      how: fc.constantFrom(...CRASHES),
      /** Part of the name of the queue; `statement` counts from the next job of such a queue. */
      queue: fc.constantFrom(...(['', 'fetch', 'catch-up', 'aggregates', 'alerts.', 'webhooks'] as const)),
      statement: fc.integer({ min: 1, max: 12 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('clock-back' as const) }) },
  /** Lasts until an operator restarts the service. */
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('redis-away' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('two-workers' as const), hours }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('receiver' as const),
      subscriber,
      does: fc.constantFrom(...(['fail', 'redirect', 'cut', 'busy', 'close'] as const)),
      hours: fc.integer({ min: 1, max: 12 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('alert' as const),
      asset: fc.constantFrom(...(['pun', 'pun-zona-nord', 'psv'] as const)),
      condition: fc.constantFrom(...(['above', 'below'] as const)),
      threshold: fc.integer({ min: 20, max: 140 }),
      granularity: fc.constantFrom(...(['day', 'hour'] as const)),
      subscriber,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('burst' as const),
      caller: fc.integer({ min: 0, max: 2 }),
      requests: fc.integer({ min: 1, max: 12 }),
      revoke: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('rotate' as const), caller: fc.integer({ min: 0, max: 2 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('stream' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('as-of' as const),
      daysBack,
      zone,
      hoursAgo: fc.integer({ min: 1, max: 90 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('forecast' as const), days: fc.integer({ min: 1, max: 5 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('file' as const), fails: fc.boolean() }) },
)
export type Act = NonNullable<ReturnType<typeof act.generate>['value']>

const day = fc.record({
  /** Delay of the day-ahead result published on this day, and of the second source's. */
  lateMinutes: fc.oneof(
    { weight: 3, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 700 }) },
  ),
  acts: fc.array(fc.record({ minute: fc.integer({ min: 0, max: 1_379 }), act }), { maxLength: 8, size: 'max' }),
})
export type Day = NonNullable<ReturnType<typeof day.generate>['value']>

/** Generates exactly `count` days, but shrinks a failing history like any list. */
class DaysArbitrary extends fc.Arbitrary<Day[]> {
  readonly #exact: fc.Arbitrary<Day[]>
  readonly #shorter: fc.Arbitrary<Day[]>

  constructor(count: number) {
    super()
    this.#exact = fc.array(day, { minLength: count, maxLength: count, size: 'max' })
    this.#shorter = fc.array(day, { maxLength: count, size: 'max' })
  }

  override generate(random: fc.Random, bias: number | undefined): fc.Value<Day[]> {
    return new fc.Value(this.#exact.generate(random, bias).value, undefined)
  }

  override canShrinkWithoutContext(_value: unknown): _value is Day[] {
    return true
  }

  override shrink(value: Day[], context: unknown): fc.Stream<fc.Value<Day[]>> {
    return this.#shorter.shrink(value, context)
  }
}

export const historyArbitrary = (days: number) =>
  fc.record({
    start: fc.constantFrom(...STARTS),
    /** Seed of prices and of the order in which jobs run. */
    salt: fc.integer({ min: 0, max: 2 ** 30 }),
    /** Whether the database runs in a separate process, which is killed with the service. */
    killsEngine: fc.nat({ max: 7 }).map((drawn) => drawn === 7),
    limitsStore: fc.constantFrom(...LIMITS_STORES),
    days: new DaysArbitrary(days),
  })
export type History = NonNullable<ReturnType<ReturnType<typeof historyArbitrary>['generate']>['value']>
