/** Gathers rows (day, interval, price per zone) into zone-days. Shared by every format that states prices by interval. */

import type { FundamentalArea, FundamentalSeries } from '../../market/fundamentals.ts'
import {
  intervalsInMarketDay,
  type MarketDay,
  parseMarketDay,
  type ResolutionMinutes,
  startOfMarketDay,
} from '../../market/market-day.ts'
import type { ZoneCode } from '../../market/zones.ts'
import type { FaultCode } from '../faults.ts'
import type { DocumentFault, FundamentalDay, FundamentalKey, ZoneDay } from '../observations.ts'
import { DayBuffer } from './day-buffer.ts'

/** Enough to explain any day; bounds memory for a file that repeats one faulty row endlessly. */
const FAULTS_PER_ZONE_DAY = 100

/** A fault without its place, which the caller adds. */
export interface PartialFault {
  code: FaultCode
  detail: string
}

/** `Zone` is the key of the prices; fundamentals are gathered in the same way, by `FundamentalName`. */
export class ZoneDays<Zone extends string = ZoneCode> extends DayBuffer<OpenDay<Zone>, ZoneDay<Zone>> {
  /** Returns the day to record a row's prices in; undefined for a date that does not exist. `isoDay` is `YYYY-MM-DD`. */
  open(isoDay: string, resolutionMinutes: ResolutionMinutes): OpenDay<Zone> | undefined {
    const { current } = this
    if (current?.isoDay === isoDay && current.resolutionMinutes === resolutionMinutes) return current
    return this.getOrCreate(`${isoDay} ${resolutionMinutes}`, () => {
      const marketDay = parseMarketDay(isoDay)
      return marketDay && new OpenDay<Zone>(isoDay, marketDay, resolutionMinutes)
    })
  }

  /** Returns the zone-days of a day; if the document breaks off in it, only the complete ones. */
  protected itemsOf(day: OpenDay<Zone>, isTruncated: boolean): ZoneDay<Zone>[] {
    return isTruncated ? day.zoneDays().filter(({ prices }) => !prices.includes(undefined)) : day.zoneDays()
  }
}

/** One market day of a document at one resolution, all its zones. */
export class OpenDay<Zone extends string = ZoneCode> {
  readonly isoDay: string
  readonly resolutionMinutes: ResolutionMinutes
  /** Number of intervals the day has. */
  readonly intervals: number
  /** Milliseconds since 1970 at which the first interval starts. */
  readonly startMilliseconds: number
  readonly #day: MarketDay
  readonly #zones = new Map<Zone, ZoneDay<Zone>>()

  constructor(isoDay: string, day: MarketDay, resolutionMinutes: ResolutionMinutes) {
    this.isoDay = isoDay
    this.#day = day
    this.resolutionMinutes = resolutionMinutes
    this.intervals = intervalsInMarketDay(day, resolutionMinutes)
    this.startMilliseconds = startOfMarketDay(day).epochMilliseconds
  }

  /** Milliseconds since 1970 at which the n-th interval (from 1) starts. */
  startOf(ordinal: number): number {
    return this.startMilliseconds + (ordinal - 1) * this.resolutionMinutes * 60_000
  }

  /** Records a price; returns a fault if the day has no such interval, or already has another price for it. */
  put(zone: Zone, ordinal: number, price: number): PartialFault | undefined {
    const { prices } = this.#zone(zone)
    if (!(ordinal >= 1 && ordinal <= this.intervals)) {
      return {
        code: 'interval_out_of_day',
        detail: `${this.isoDay} has ${this.intervals} intervals, none numbered ${ordinal}`,
      }
    }
    const before = prices[ordinal - 1]
    if (before !== undefined && before !== price) {
      return { code: 'duplicate_interval', detail: `interval ${ordinal} is stated twice, as ${before} and as ${price}` }
    }
    prices[ordinal - 1] = price
    return undefined
  }

  report(zone: Zone, place: string, trouble: PartialFault): void {
    const { faults } = this.#zone(zone)
    if (faults.length < FAULTS_PER_ZONE_DAY) faults.push({ code: trouble.code, place, detail: trouble.detail })
  }

  zoneDays(): ZoneDay<Zone>[] {
    return [...this.#zones.values()]
  }

  /** Returns a zone of the day; a zone is added only once the document mentions it. */
  #zone(zone: Zone): ZoneDay<Zone> {
    let zoneDay = this.#zones.get(zone)
    if (zoneDay === undefined) {
      zoneDay = {
        kind: 'zone-day',
        zone,
        day: this.#day,
        resolutionMinutes: this.resolutionMinutes,
        prices: new Array<number | undefined>(this.intervals).fill(undefined),
        faults: [],
      }
      this.#zones.set(zone, zoneDay)
    }
    return zoneDay
  }
}

/** Fundamentals are gathered under `series/area` in place of a zone. */
export type FundamentalName = `${FundamentalSeries}/${FundamentalArea}`

export function fundamentalName({ series, area }: FundamentalKey): FundamentalName {
  return `${series}/${area}`
}

export function asFundamental(gathered: ZoneDay<FundamentalName> | DocumentFault): FundamentalDay | DocumentFault {
  if (gathered.kind === 'document-fault') return gathered
  const { zone, day, resolutionMinutes, prices, faults } = gathered
  const [series, area] = zone.split('/') as [FundamentalSeries, FundamentalArea]
  return { kind: 'fundamental-day', series, area, day, resolutionMinutes, values: prices, faults }
}
