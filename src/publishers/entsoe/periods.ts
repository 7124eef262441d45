/**
 * Streams the periods of a `Publication_MarketDocument` (prices), a `GL_MarketDocument` (load and generation) or a
 * `Balancing_MarketDocument` (imbalance prices), each with the attributes of its time series. An `Acknowledgement_MarketDocument` fails
 * with the publisher's reason. Elements are identified by path without namespace: `:7:0` and `:7:3` do not differ in the elements read.
 */

import type { ResolutionMinutes } from '../../market/market-day.ts'
import { NothingPublished, UnreadableDocument } from '../faults.ts'
import { describePriceFault, readDecimal } from '../reading/decimals.ts'
import { GuardedXmlReader } from '../reading/guarded-xml.ts'
import type { PartialFault } from '../reading/zone-days.ts'
import {
  ACKNOWLEDGEMENT_ROOT,
  BALANCING_ROOT,
  CURVE_OF_BLOCKS,
  CURVE_OF_POINTS,
  IMBALANCE_DOCUMENT_TYPE,
  MINUTES_BY_RESOLUTION,
  NO_DATA,
  PRICE_DOCUMENT_TYPE,
  PRICES_ROOT,
  QUANTITIES_ROOT,
} from './codes.ts'

const LIMITS = { depthMax: 16, taglessMax: 64 * 1024 }
/** Maximum points in one period: a leap year of quarter-hours. The API returns a year at most. */
const POINTS_MAX = 366 * 96
const REASON_CHARACTERS_MAX = 300

/** The kind of document to read. */
export interface DocumentShape {
  root: string
  /** Document type, `A44`. */
  type: string
  /** Element of a point that holds its value. */
  value: string
}

export const PRICES: DocumentShape = { root: PRICES_ROOT, type: PRICE_DOCUMENT_TYPE, value: 'price.amount' }

/** Imbalance prices. The document names the area, not its time series; surplus and shortage have had the same price since 2022. */
export const IMBALANCE_PRICES: DocumentShape = {
  root: BALANCING_ROOT,
  type: IMBALANCE_DOCUMENT_TYPE,
  value: 'imbalance_Price.amount',
}

export function quantitiesShape(type: string): DocumentShape {
  return { root: QUANTITIES_ROOT, type, value: 'quantity' }
}

export interface PublishedPeriod {
  /** Elements of the time series by name, `in_Domain.mRID`, `curveType` and so on. The schema puts them before the periods. */
  series: ReadonlyMap<string, string>
  /** `2026-01-13T23:00Z`, as written; undefined if the element is missing. */
  start: string | undefined
  end: string | undefined
  resolution: string | undefined
  points: PublishedPoint[]
  /** Line on which the period ends. */
  line: number
}

/** A point as published. */
interface PublishedPoint {
  position: string
  /** Empty if the point has none. */
  value: string
  line: number
}

const SERIES = 'TimeSeries'
const PERIOD = `${SERIES}/Period`
const POINT = `${PERIOD}/Point`

/** Fields of the document, added to each of its time series. */
const DOCUMENT_FIELDS: ReadonlySet<string> = new Set(['area_Domain.mRID', 'docStatus/value'])
/** Paths below the root that are read; everything else in a document is ignored. */
const SERIES_FIELDS: ReadonlySet<string> = new Set(
  [
    'in_Domain.mRID',
    'out_Domain.mRID',
    'inBiddingZone_Domain.mRID',
    'outBiddingZone_Domain.mRID',
    'MktPSRType/psrType',
    'quantity_Measure_Unit.name',
    'contract_MarketAgreement.type',
    'currency_Unit.name',
    'price_Measure_Unit.name',
    'classificationSequence_AttributeInstanceComponent.position',
    'curveType',
  ].map((name) => `${SERIES}/${name}`),
)
const PERIOD_FIELDS: ReadonlySet<string> = new Set(
  ['timeInterval/start', 'timeInterval/end', 'resolution'].map((name) => `${PERIOD}/${name}`),
)

/** Yields each period at its end; then fails with UnreadableDocument if the text is truncated or is not such a document. */
export function readPeriods(
  text: AsyncIterable<string>,
  shape: DocumentShape = PRICES,
): AsyncGenerator<PublishedPeriod, void, undefined> {
  return new PeriodReader(shape).read(text)
}

class PeriodReader extends GuardedXmlReader<PublishedPeriod> {
  readonly #shape: DocumentShape
  readonly #document = new Map<string, string>()
  #series = new Map<string, string>()
  #period = new Map<string, string>()
  #point = new Map<string, string>()
  #points: PublishedPoint[] = []
  #reason = ''
  #text = ''

  constructor(shape: DocumentShape) {
    super({ ...LIMITS, roots: [shape.root, ACKNOWLEDGEMENT_ROOT] })
    this.#shape = shape
  }

  protected enter(): void {
    this.#text = ''
    const path = this.#pathBelowRoot()
    if (path === SERIES) this.#series = new Map(this.#document)
    if (path === PERIOD) {
      this.#period = new Map()
      this.#points = []
    }
    if (path === POINT) this.#point = new Map()
  }

  protected leave(name: string): void {
    const path = this.#pathBelowRoot()
    const text = this.#text.trim()
    this.#text = ''
    if (this.path[0] === ACKNOWLEDGEMENT_ROOT) {
      if (path === '') throw this.#refusal()
      if (path === 'Reason/code' || path === 'Reason/text') this.#reason += this.#reason === '' ? text : `: ${text}`
    } else if (path === POINT) this.#addPoint()
    else if (path === PERIOD) this.#addPeriod()
    else if (path === 'type' && text !== this.#shape.type) {
      throw this.unreadable(`is of the type ${JSON.stringify(text)}, not ${this.#shape.type}`)
    } else if (path === `${POINT}/position` || path === `${POINT}/${this.#shape.value}`) this.#point.set(name, text)
    else if (DOCUMENT_FIELDS.has(path)) this.#document.set(path, text)
    else if (PERIOD_FIELDS.has(path)) this.#period.set(name, text)
    else if (SERIES_FIELDS.has(path)) this.#series.set(name, text)
  }

  protected addText(text: string): void {
    this.#text += text
  }

  #addPoint(): void {
    if (this.#points.length >= POINTS_MAX) throw this.unreadable(`a period has more than ${POINTS_MAX} points`)
    const position = this.#point.get('position') ?? ''
    this.#points.push({ position, value: this.#point.get(this.#shape.value) ?? '', line: this.line })
  }

  #addPeriod(): void {
    this.emit({
      series: new Map(this.#series),
      start: this.#period.get('start'),
      end: this.#period.get('end'),
      resolution: this.#period.get('resolution'),
      points: this.#points,
      line: this.line,
    })
  }

  /** Returns the error for an acknowledgement. Usually, the day is simply not published yet. */
  #refusal(): UnreadableDocument {
    const reason = this.#reason.slice(0, REASON_CHARACTERS_MAX) || 'no reason is given'
    return NO_DATA.test(reason)
      ? new NothingPublished('document', `the publisher has not published the requested data (${reason})`)
      : new UnreadableDocument(
          'document',
          `the publisher does not answer with ${this.#shape.value === 'quantity' ? 'quantities' : 'prices'} (${reason})`,
        )
  }

  #pathBelowRoot(): string {
    return this.path.slice(1).join('/')
  }
}

// Places a period's points in time: interval n starts (n − 1) interval lengths after the period's start, regardless of local time.

/** A value for an interval, or its fault. An interval with neither is absent. */
interface StatedInterval {
  /** Start of the interval, in milliseconds since 1970. */
  startMilliseconds: number
  stated: number | PartialFault
  /** `position 3, line 17` */
  place: string
}

export interface PeriodIntervals {
  resolutionMinutes: ResolutionMinutes
  intervals: StatedInterval[]
}

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?Z$/

/** Returns the intervals in chronological order; fills omitted positions if the curve type requires it. Throws UnreadableDocument. */
export function intervalsOf(period: PublishedPeriod): PeriodIntervals {
  const resolutionMinutes = resolutionOf(period)
  const start = instantOf(period, 'start')
  const length = resolutionMinutes * 60_000
  const count = (instantOf(period, 'end') - start) / length
  if (!Number.isInteger(count) || count < 1 || count > POINTS_MAX) {
    const span = `${period.start} to ${period.end}`
    throw unreadable(period, `the period from ${span} cannot be cut into intervals of ${period.resolution}`)
  }
  const mustFill = fillsOmittedPositions(period)
  const intervals: StatedInterval[] = []
  let next = 1
  let before: StatedInterval | undefined
  for (const { position, point } of sortedByPosition(period.points, count)) {
    if (mustFill) fill(position)
    const place = `position ${point.position}, line ${point.line}`
    before = { startMilliseconds: start + (Math.min(position, count) - 1) * length, stated: read(point, count), place }
    intervals.push(before)
    next = position + 1
  }
  if (mustFill) fill(count + 1)
  return { resolutionMinutes, intervals }

  /** Repeats the previous price up to the position; an unreadable one is not repeated. */
  function fill(position: number): void {
    if (before === undefined || typeof before.stated !== 'number') return
    for (let at = next; at < position; at += 1) {
      intervals.push({ ...before, startMilliseconds: start + (at - 1) * length })
    }
  }
}

/** Sorts the points by position; points outside the period come last. */
function sortedByPosition(points: PublishedPoint[], count: number): { position: number; point: PublishedPoint }[] {
  return points
    .map((point) => ({ position: isWithin(point, count) ? Number(point.position) : count + 1, point }))
    .sort((a, b) => a.position - b.position)
}

function isWithin({ position }: PublishedPoint, count: number): boolean {
  return /^\d{1,5}$/.test(position) && Number(position) >= 1 && Number(position) <= count
}

function read(point: PublishedPoint, count: number): number | PartialFault {
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

function fillsOmittedPositions(period: PublishedPeriod): boolean {
  const curve = period.series.get('curveType') ?? CURVE_OF_POINTS
  if (curve === CURVE_OF_BLOCKS) return true
  if (curve === CURVE_OF_POINTS) return false
  throw unreadable(period, `the curve type ${JSON.stringify(curve)} is unknown`)
}

function unreadable(period: PublishedPeriod, detail: string): UnreadableDocument {
  return new UnreadableDocument(`period, line ${period.line}`, detail)
}
