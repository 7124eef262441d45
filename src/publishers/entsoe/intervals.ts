/** Places a period's points in time: interval n starts at the period's start plus (n − 1) lengths, whatever the local clock shows. */
import type { ResolutionMinutes } from '../../market/market-day.ts'
import { UnreadableDocument } from '../faults.ts'
import { describePriceFault, readDecimal } from '../reading/decimals.ts'
import type { Trouble } from '../reading/zone-days.ts'
import { CURVE_OF_BLOCKS, CURVE_OF_POINTS, MINUTES_BY_RESOLUTION } from './codes.ts'
import { POINTS_MAX, type PublishedPeriod, type PublishedPoint } from './periods.ts'

/** A value for an interval, or its fault. An interval without either is absent. */
interface StatedInterval {
  /** Start of the interval, in milliseconds since 1970. */
  startMilliseconds: number
  stated: number | Trouble
  /** `position 3, line 17` */
  place: string
}

export interface PeriodIntervals {
  resolutionMinutes: ResolutionMinutes
  intervals: StatedInterval[]
}

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?Z$/

/** In order of time, with omitted positions filled in where the curve type demands it. Fails with UnreadableDocument. */
export function intervalsOf(period: PublishedPeriod): PeriodIntervals {
  const resolutionMinutes = resolutionOf(period)
  const start = instantOf(period, 'start')
  const length = resolutionMinutes * 60_000
  const count = (instantOf(period, 'end') - start) / length
  if (!Number.isInteger(count) || count < 1 || count > POINTS_MAX) {
    const span = `${period.start} to ${period.end}`
    throw unreadable(period, `the period from ${span} cannot be cut into intervals of ${period.resolution}`)
  }
  const repeats = repeatsLeftOut(period)
  const intervals: StatedInterval[] = []
  let next = 1
  let before: StatedInterval | undefined
  for (const { position, point } of inOrder(period.points, count)) {
    if (repeats) fill(position)
    const place = `position ${point.position}, line ${point.line}`
    before = { startMilliseconds: start + (Math.min(position, count) - 1) * length, stated: read(point, count), place }
    intervals.push(before)
    next = position + 1
  }
  if (repeats) fill(count + 1)
  return { resolutionMinutes, intervals }

  /** Repeats the previous price up to the position; an unreadable one is not repeated. */
  function fill(position: number): void {
    if (before === undefined || typeof before.stated !== 'number') return
    for (let at = next; at < position; at += 1) {
      intervals.push({ ...before, startMilliseconds: start + (at - 1) * length })
    }
  }
}

/** Points by position; those without a place in the period come last. */
function inOrder(points: PublishedPoint[], count: number): { position: number; point: PublishedPoint }[] {
  return points
    .map((point) => ({ position: isWithin(point, count) ? Number(point.position) : count + 1, point }))
    .sort((a, b) => a.position - b.position)
}

function isWithin({ position }: PublishedPoint, count: number): boolean {
  return /^\d{1,5}$/.test(position) && Number(position) >= 1 && Number(position) <= count
}

function read(point: PublishedPoint, count: number): number | Trouble {
  if (!isWithin(point, count)) {
    const detail = `position ${JSON.stringify(point.position)} is not one of the period's ${count}`
    return { code: 'interval_out_of_day', detail }
  }
  const value = readDecimal(point.value, '.')
  return typeof value === 'number' ? value : { code: value, detail: describePriceFault(value, point.value, '.') }
}

function resolutionOf(period: PublishedPeriod): ResolutionMinutes {
  const minutes = MINUTES_BY_RESOLUTION.get(period.resolution ?? '')
  if (minutes === undefined) throw unreadable(period, `the resolution ${JSON.stringify(period.resolution)} is unknown`)
  return minutes
}

function instantOf(period: PublishedPeriod, bound: 'start' | 'end'): number {
  const text = period[bound] ?? ''
  const instant = INSTANT.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(instant))
    throw unreadable(period, `the ${bound} of a period, ${JSON.stringify(text)}, is no instant`)
  return instant
}

function repeatsLeftOut(period: PublishedPeriod): boolean {
  const curve = period.series.get('curveType') ?? CURVE_OF_POINTS
  if (curve === CURVE_OF_BLOCKS) return true
  if (curve === CURVE_OF_POINTS) return false
  throw unreadable(period, `the curve type ${JSON.stringify(curve)} is unknown`)
}

function unreadable(period: PublishedPeriod, detail: string): UnreadableDocument {
  return new UnreadableDocument(`period, line ${period.line}`, detail)
}
