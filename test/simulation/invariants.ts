/** Invariants, checked against the model: after each day for the last days, at the end for all days. */
import { createHash } from 'node:crypto'
import { daysBetween } from '../support/prices.ts'
import { bandOf, hoursOf, minutesOf, mtuMinutes, plusDays, sixDecimals, startOf, ZONES, type Zone } from './model.ts'
import { expectLines, Violation } from './violation.ts'
import type { World } from './world.ts'

/** How many days back corrections and imports reach. */
const RECENT_DAYS = 8
const HOUR_MS = 3_600_000

export async function checkDay(world: World, date: string): Promise<void> {
  const from = plusDays(date, -RECENT_DAYS)
  const to = plusDays(date, 1)
  await checkStored(world, from)
  await checkViews(world, plusDays(date, -2), to)
  await checkDailyViews(world, from, to)
  await checkAnswers(world, firstCheckedDay(date), to)
  await checkPast(world, from)
  await checkMirror(world)
  await checkQuarantine(world)
  await checkEvents(world)
}

/** Checks `as_of` just before and at a correction of the last days. */
async function checkPast(world: World, from: string): Promise<void> {
  const replaced = [...world.model.zoneDays].flatMap(([key, held]) => {
    const [zone, day = ''] = key.split(' ') as [Zone, string]
    return day < from
      ? []
      : [...new Set(held.replaced.map(({ version }) => version.to as number))].map((at) => ({ zone, day, at }))
  })
  const chosen = replaced[Math.floor(world.random() * replaced.length)]
  if (chosen === undefined) return
  for (const atMs of [chosen.at - 1_000, chosen.at].filter((ms) => ms <= world.nowMs))
    await world.callers.checkAsOf(chosen.day, chosen.zone, atMs)
}

/** Each correction that a publisher makes to its own values and each late day must be reported, and no others. */
async function checkEvents(world: World): Promise<void> {
  const { sql, corrected } = world
  const rows = await sql<{ source: string; kind: string; day: string; at: Temporal.Instant }[]>`
    select source, kind, market_day as day, occurred_at as at from source_events where kind in ('corrected', 'late')`
  expectLines(
    'Operators hear of each correction once.',
    rows
      .filter(({ kind }) => kind === 'corrected')
      .map(({ source, day, at }) => `${source} ${day} ${at}`)
      .sort(),
    [...corrected].sort(),
  )
  const latenessMs = (day: string) => completeSince(world, day) - publicationDeadline(day)
  const isDue = (day: string) =>
    day > world.firstDay &&
    !world.imported.has(day) &&
    publicationDeadline(day) + 2 * RETRY_AFTER_REFUSAL_MS < world.nowMs &&
    (latenessMs(day) <= 0 || latenessMs(day) > RETRY_AFTER_REFUSAL_MS)
  expectLines(
    'Operators hear of each late publication once.',
    rows
      .filter(({ source, kind, day }) => source === 'gme-mgp' && kind === 'late' && isDue(day))
      .map(({ day }) => day)
      .sort(),
    daysBetween(world.firstDay, plusDays(world.today(), 1)).filter((day) => isDue(day) && latenessMs(day) > 0),
  )
}

/** 15:00 on the day before. */
const publicationDeadline = (day: string) =>
  Temporal.PlainDate.from(day).subtract({ days: 1 }).toZonedDateTime({ timeZone: 'Europe/Rome', plainTime: '15:00' })
    .epochMilliseconds
/** A day that arrives with this retry need not be reported as late: no attempt has failed since the deadline. */
const RETRY_AFTER_REFUSAL_MS = HOUR_MS

/** Returns the time from which the first source's values of all zones were stored. */
function completeSince({ model }: World, day: string): number {
  return Math.max(
    ...ZONES.map((zone) => {
      const held = model.zoneDays.get(`${zone} ${day}`)
      const versions = [...(held?.intervals ?? []), ...(held?.replaced ?? []).map(({ version }) => version)]
      const own = versions.flatMap((one) => (one?.source === 'gme-mgp' ? [one.from] : []))
      return Math.min(Number.POSITIVE_INFINITY, ...own)
    }),
  )
}

export async function checkEnd(world: World): Promise<void> {
  await checkStored(world, '2000-01-01')
  await checkBands(world)
  await checkLedger(world)
  world.subscribers.checkDeliveries()
}

async function checkStored({ sql, model }: World, from: string): Promise<void> {
  const epoch = (column: string) => sql.unsafe(`(extract(epoch from ${column}) * 1000)::bigint`)
  const since = (lines: string[]) => lines.filter((line) => (/\d{4}-\d\d-\d\d/.exec(line)?.[0] ?? '') >= from).sort()
  const lines = async (rows: PromiseLike<{ line: string }[]>) => (await rows).map(({ line }) => line).sort()
  const expected = model.lines()
  expectLines(
    'Every stored value is the newest accepted one.',
    await lines(sql`
      select format('%s %s #%s %s %s %s %s', zone, market_day, ordinal, resolution_minutes, price_eur_mwh, source, ${epoch('fetched_at')}) as line
      from analytics.prices_by_interval where market_day >= ${from}`),
    since(expected.intervals),
  )
  expectLines(
    'A correction keeps what it replaces, and `as_of` answers both.',
    await lines(sql`
      select format('%s %s #%s %s %s %s %s %s', zone, market_day, ordinal, resolution_minutes, price_eur_mwh, source,
        ${epoch('fetched_at')}, ${epoch('superseded_at')}) as line
      from price_interval_revisions where market_day >= ${from}`),
    since(expected.replaced),
  )
  expectLines(
    'Every stored value is the newest accepted one.',
    await lines(sql`
      select format('%s %s %s', market_day, price, ${epoch('fetched_at')}) as line
      from daily_prices where asset = 'PSV' and market_day >= ${from}`),
    since(expected.gas),
  )
  expectLines(
    'A correction keeps what it replaces, and `as_of` answers both.',
    await lines(sql`
      select format('%s %s %s %s', market_day, price, ${epoch('fetched_at')}, ${epoch('superseded_at')}) as line
      from daily_price_revisions where asset = 'PSV' and market_day >= ${from}`),
    since(expected.gasReplaced),
  )
}

async function checkViews({ sql, model }: World, from: string, to: string): Promise<void> {
  const rows = await sql<{ zone: Zone; day: string; hour: number; starts: number; band: string; price: number }[]>`
    select zone, market_day as day, hour, (extract(epoch from starts_at) * 1000)::bigint as starts, band, price_eur_mwh as price
    from analytics.prices_by_hour where market_day between ${from} and ${to} and price_eur_mwh is not null
      and starts_at >= ${new Date(startOf(from)).toISOString()}::timestamptz`
  const actual = rows.map(
    (row) => `${row.zone} ${row.day} ${row.hour} ${row.starts} ${row.band} ${sixDecimals(row.price)}`,
  )
  const expected = daysBetween(from, to).flatMap((day) =>
    ZONES.flatMap((zone) => {
      const held = model.zoneDays.get(`${zone} ${day}`)
      if (held === undefined) return []
      return hourlyPrices(held).flatMap((price, index) => {
        const starts = startOf(day) + index * HOUR_MS
        return price === undefined
          ? []
          : [`${zone} ${day} ${index + 1} ${starts} ${bandOf(starts)} ${sixDecimals(price)}`]
      })
    }),
  )
  expectLines(
    'Both change days are stored and answered whole, in hours and quarter-hours, in every zone.',
    actual.sort(),
    expected.sort(),
  )
}

function hourlyPrices({
  minutes,
  intervals,
}: {
  minutes: 15 | 60
  intervals: readonly ({ price: number } | undefined)[]
}): (number | undefined)[] {
  const perHour = 60 / minutes
  return Array.from({ length: Math.ceil(intervals.length / perHour) }, (_, hour) => {
    const parts = intervals.slice(hour * perHour, (hour + 1) * perHour)
    if (parts.length < perHour || parts.includes(undefined)) return undefined
    return hoursOf(
      parts.map((one) => (one as { price: number }).price),
      minutes,
    )[0]
  })
}

async function checkDailyViews({ sql, model }: World, from: string, to: string): Promise<void> {
  const rows = await sql<{ zone: Zone; day: string; price: number }[]>`
    select zone, market_day as day, price_eur_mwh as price
    from analytics.prices_by_day where market_day between ${from} and ${to} and is_complete`
  expectLines(
    'A mean weights each price by the length of its interval.',
    rows.map(({ zone, day, price }) => `${zone} ${day} ${sixDecimals(price)}`).sort(),
    daysBetween(from, to)
      .flatMap((day) =>
        ZONES.flatMap((zone) => {
          const mean = model.mean(zone, day)
          return mean === undefined ? [] : [`${zone} ${day} ${sixDecimals(mean)}`]
        }),
      )
      .sort(),
  )
}

interface Row {
  hour: number
  quarter?: number
  starts_at: string
  value: number
}

const romeIso = (ms: number) =>
  Temporal.Instant.fromEpochMilliseconds(ms)
    .toZonedDateTimeISO('Europe/Rome')
    .toString({ timeZoneName: 'never', smallestUnit: 'second' })

/** Endpoints that answer on any day, with data or with the reason why there is none. */
const ALWAYS_AVAILABLE = [
  '/v1/today',
  '/v1/status',
  '/v1/prices',
  '/v1/pun/now-and-next',
  '/v1/pun/zones?zones=all',
  '/v1/feeds/evcc',
  '/v1/tools/cheapest-window?hours=3',
  '/v1/forecast/pun',
]

const SERIES = ['pun', 'psv'] as const
const seriesPath = (asset: string, from: string, to: string) => `/v1/prices/${asset}/series?from=${from}&to=${to}`
const firstCheckedDay = (date: string) => plusDays(date, -3)

/** Reads in the morning what is checked in the evening, so that a stale cached answer is detected. */
export async function warmCaches({ callers }: World, date: string): Promise<void> {
  for (const asset of SERIES) await callers.getIfPresent(seriesPath(asset, firstCheckedDay(date), plusDays(date, 1)))
}

async function checkAnswers(world: World, from: string, to: string): Promise<void> {
  const { model, callers } = world
  for (const target of ALWAYS_AVAILABLE) await callers.getIfPresent(target)
  const zone = ZONES[Math.floor(world.random() * ZONES.length)] as Zone
  for (const granularity of ['hour', 'quarter'] as const) {
    const answer = await callers.getIfPresent(
      `/v1/pun/hourly?zone=${zone}&from=${from}&to=${to}&granularity=${granularity}`,
    )
    const days = (answer?.days ?? []) as { date: string; hours?: Row[]; quarters?: Row[] }[]
    expectLines(
      'What is stored is served.',
      days
        .filter(({ date }) => model.prices(zone, date) !== undefined)
        .flatMap(({ date, hours, quarters }) =>
          (hours ?? quarters ?? []).map((row) => `${date} ${row.quarter ?? row.hour} ${row.starts_at} ${row.value}`),
        ),
      daysBetween(from, to).flatMap((day) => {
        const known = model.prices(zone, day)
        if (known === undefined || (granularity === 'quarter' && known.minutes === 60)) return []
        const prices = granularity === 'hour' ? hoursOf(known.prices, known.minutes) : known.prices
        const lengthMs = granularity === 'hour' ? HOUR_MS : HOUR_MS / 4
        return prices.map((price, i) => `${day} ${i + 1} ${romeIso(startOf(day) + i * lengthMs)} ${sixDecimals(price)}`)
      }),
    )
  }
  for (const asset of SERIES) {
    const valueOn = (day: string) => (asset === 'pun' ? model.mean('nazionale', day) : model.gas.get(day)?.now.price)
    const series = await callers.getIfPresent(seriesPath(asset, from, to))
    const points = (series?.points ?? []) as { date: string; value: number }[]
    const last = series?.to as string | undefined
    expectLines(
      'What is stored is served.',
      points.map(({ date, value }) => `${asset} ${date} ${value}`),
      daysBetween(from, last ?? to).flatMap((day) => {
        const value = valueOn(day)
        return value === undefined ? [] : [`${asset} ${day} ${sixDecimals(value)}`]
      }),
    )
  }
}

/** Checks a copy that has followed all changes. */
export async function checkMirror({ model, subscribers }: World): Promise<void> {
  await subscribers.followChanges()
  for (const [name, rows] of subscribers.mirror) {
    const [dataset, day = ''] = name.split(' ')
    const hours = model.zoneDays.get(`nazionale ${day}`)
    const expected =
      dataset === 'psv'
        ? [String(model.gas.get(day)?.now.price)]
        : dataset === 'pun'
          ? hourlyPrices(hours ?? { minutes: 60, intervals: [] }).flatMap((price, i) =>
              price === undefined ? [] : [`${i + 1} ${sixDecimals(price)}`],
            )
          : model.mean('nazionale', day) === undefined
            ? undefined
            : ZONES.slice(1).flatMap((zone) => {
                const mean = model.mean(zone, day)
                return mean === undefined ? [] : [`${zone} ${sixDecimals(mean)}`]
              })
    if (expected === undefined) continue
    expectLines(
      'A mirror that follows the changes equals the database.',
      rows.map((row) => `${name} ${row}`),
      expected.map((row) => `${name} ${row}`),
    )
  }
}

async function checkQuarantine({ sql, model, otherDays }: World): Promise<void> {
  const rows = await sql<{ line: string; hasOtherDay: boolean }[]>`
    select distinct format('%s %s', series, market_day) as line, reasons @> array['wrong_day'] as "hasOtherDay"
    from quarantined_days where series like 'zone:%'`
  const linesWhere = (hasOtherDay: boolean) =>
    rows.filter((row) => row.hasOtherDay === hasOtherDay).map(({ line }) => line)
  const promise = 'A refused day waits in quarantine with its document and reason; the last valid data stay.'
  expectLines(promise, linesWhere(false).sort(), [...model.refused].sort())
  const missing = [...otherDays].filter((one) => !linesWhere(true).includes(one.slice(one.indexOf('zone:'))))
  expectLines(promise, [], missing)
}

async function checkBands(world: World): Promise<void> {
  const { model, callers } = world
  const month = world.firstDay.slice(0, 7)
  const answer = await callers.getIfPresent(`/v1/pun/bands?from=${month}&to=${month}`)
  const [shown] = (answer?.months ?? []) as Record<string, { value: number; hours: number } | undefined>[]
  const sums = new Map<string, number[]>()
  for (let day = `${month}-01`; day.startsWith(month); day = plusDays(day, 1))
    for (const [index, price] of (model.hours('nazionale', day) ?? []).entries()) {
      const band = bandOf(startOf(day) + index * HOUR_MS).toLowerCase()
      sums.set(band, [...(sums.get(band) ?? []), price])
    }
  for (const band of ['f1', 'f2', 'f3']) {
    const prices = sums.get(band) ?? []
    const mean = prices.reduce((sum, price) => sum + price, 0) / prices.length
    const { value, hours = 0 } = shown?.[band] ?? {}
    if (hours !== prices.length || (value !== undefined && Math.abs(value - mean) > 2e-6))
      throw new Violation(
        'Tariff bands are means of their hours.',
        `${month} ${band}: ${value} of ${hours} for ${mean} of ${prices.length}`,
      )
  }
}

/** Each row must include the hash of the one before it, and must have been issued before the first price of its day. */
async function checkLedger({ sql, model }: World): Promise<void> {
  const rows = await sql<Record<string, string | number>[]>`
    select chain, sequence, asset, role, model, version, to_char(issued_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as issued,
      info_date as info, target_date as target, horizon_days as horizon, p10, p50, p90, inputs_sha256 as inputs, previous_hash as previous, hash
    from forecasts order by chain, sequence`
  let previous = '0'.repeat(64)
  for (const [index, row] of rows.entries()) {
    const { chain, sequence, asset, role, version, issued, info, target, horizon, p10, p50, p90, inputs } = row
    const fields = [chain, sequence, asset, role, row.model, version, issued, info, target, horizon]
    const quantiles = [p10, p50, p90].map((value) => Number(value).toFixed(4))
    const hash = createHash('sha256')
      .update([...fields, ...quantiles, inputs, previous].join('|'))
      .digest('hex')
    if (row.previous !== previous || row.hash !== hash || sequence !== index + 1)
      throw new Violation(
        'Each issue enters a hash chain that anybody can recompute; a change or deletion shows.',
        JSON.stringify(row),
      )
    previous = hash
    const held = model.zoneDays.get(`nazionale ${target}`)
    const versions = [...(held?.intervals ?? []), ...(held?.replaced ?? []).map((one) => one.version)]
    const published = Math.min(...versions.flatMap((one) => (one ? [one.from] : [])))
    if (Date.parse(issued as string) > published || Date.parse(issued as string) >= startOf(target as string))
      throw new Violation('No forecast is issued for a day that has begun or been published.', JSON.stringify(row))
  }
}

/** The values that publishers state in the end must be stored, unless an operator has stored others. */
export async function checkLiveness(world: World, last: string): Promise<void> {
  const { model, publishers, nowMs } = world
  for (const day of daysBetween(world.firstDay, last)) {
    if (world.imported.has(day) || !publishers.isPublished(day, nowMs)) continue
    const stated = publishers.zones(day, nowMs, 'corrected')
    for (const zone of ZONES) {
      const known = model.prices(zone, day)
      const isWhole = known?.minutes === mtuMinutes(day) && known.prices.length === minutesOf(day) / known.minutes
      // Days up to a week old are read again.
      const isNewest = String(known?.prices) === String(stated.get(zone)) || day < plusDays(last, -4)
      if (!isWhole || !isNewest)
        throw new Violation(
          'A publication is fetched when the fault of its publisher has passed.',
          `${zone} ${day}: ${known?.prices} for ${stated.get(zone)}`,
        )
    }
  }
}
