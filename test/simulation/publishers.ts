/** Publishers that serve what a history prescribes at each instant, in their real formats, and report each day that they serve. */
import { ZONE_BY_TAG } from '../../src/publishers/gme-mgp/parse.ts'
import { commaDecimal, type GmeTag, gmeDocument, gmeRows } from '../support/gme-documents.ts'
import { CREDENTIALS } from '../support/publishers/credentials.ts'
import { entsoe } from '../support/publishers/entsoe.ts'
import { gmeMgas } from '../support/publishers/gme-mgas.ts'
import { gmeMgp } from '../support/publishers/gme-mgp.ts'
import { type Fault, type PublisherServer, startPublisherServer } from '../support/publishers/publisher-server.ts'
import type { Truth } from '../support/publishers/truth.ts'
import { minutesOf, mtuMinutes, type PublishedDay, plusDays, startOf, ZONES, type Zone } from './model.ts'
import { hashToUnit } from './random.ts'

type Prices = ReadonlyMap<Zone, readonly (number | undefined)[]>
export type Source = 'gme-mgp' | 'entsoe' | 'gme-mgas'

export interface Correction {
  day: string
  zone: Zone
  from: number
  count: number
  price: number
  atMs: number
}

export interface Spoil {
  day: string
  zone: Zone
  how: 'zeros' | 'hole' | 'beyond'
  fromMs: number
  toMs: number
}

export interface Outage {
  source: Source
  fault: Fault
  fromMs: number
  toMs: number
}

export type ServedDay = PublishedDay & { source: 'gme-mgp' | 'entsoe' }

const HOUR_MS = 3_600_000
/** The first zones, in which the neighbouring hours contradict a run of zeros. */
const GRADUAL_ZONES = 5
/** Publication time on the day before, in minutes after midnight: 12:55, and 20:00 for gas. */
const PUBLISHED_MINUTES = { power: 12 * 60 + 55, gas: 20 * 60 }

export class Publishers implements AsyncDisposable {
  readonly #salt: number
  readonly #lateMinutes: (day: string) => number
  readonly #servers: PublisherServer[] = []
  readonly corrections: Correction[] = []
  readonly spoils: Spoil[] = []
  readonly outages: Outage[] = []
  readonly #now: () => number
  onServed: (served: ServedDay) => void = () => {}
  /** Called when another day than the requested one is served, with `gme-mgp zone:nord 2026-10-25`. */
  onOtherDay: (served: string) => void = () => {}
  onGas: (day: string, price: number) => void = () => {}

  private constructor(salt: number, lateMinutes: (day: string) => number, now: () => number) {
    this.#salt = salt
    this.#lateMinutes = lateMinutes
    this.#now = now
  }

  static async start(salt: number, lateMinutes: (day: string) => number, now: () => number): Promise<Publishers> {
    const publishers = new Publishers(salt, lateMinutes, now)
    const start = (source: Source, publisher: ReturnType<typeof gmeMgp>) =>
      startPublisherServer({
        source,
        publisher,
        truth: publishers.#truthOf(source),
        now: () => Temporal.Instant.fromEpochMilliseconds(now()),
        faultOf: () => publishers.#faultOf(source),
        retryAfterSeconds: 120,
      })
    const neverExpires = () => Number.POSITIVE_INFINITY
    publishers.#servers.push(
      await start('gme-mgp', gmeMgp(neverExpires)),
      await start('gme-mgas', gmeMgas(neverExpires)),
      await start('entsoe', entsoe()),
    )
    return publishers
  }

  env(historyFrom: string): Record<string, string> {
    const perSource = this.#servers.flatMap(({ source, url }) => {
      const prefix = source.toUpperCase().replaceAll('-', '_')
      return [
        [`${prefix}_ADDRESS`, url],
        [`${prefix}_INTERVAL_MS`, '0'],
        [`${prefix}_REQUESTS_PER_DAY`, '100000'],
        [`${prefix}_HISTORY_FROM`, historyFrom],
        [`${prefix}_REDISTRIBUTABLE`, 'true'],
      ]
    })
    return {
      SOURCES: this.#servers.map(({ source }) => source).join(','),
      ...Object.fromEntries(perSource),
      GME_API_LOGIN: CREDENTIALS.gmeLogin,
      GME_API_PASSWORD: CREDENTIALS.gmePassword,
      ENTSOE_TOKEN: CREDENTIALS.entsoeToken,
    }
  }

  #faultOf(source: Source): Fault | undefined {
    const now = this.#now()
    return this.outages.find((one) => one.source === source && one.fromMs <= now && now < one.toMs)?.fault
  }

  publishedAt(day: string): number {
    const eve = plusDays(day, -1)
    return startOf(eve) + (PUBLISHED_MINUTES.power + this.#lateMinutes(eve)) * 60_000
  }

  isPublished(day: string, atMs: number): boolean {
    return this.publishedAt(day) <= atMs
  }

  /** Prices of the first source at that instant: as first published, as corrected by then, or spoilt as well. */
  zones(day: string, atMs: number, version: 'first' | 'corrected' | 'spoilt'): Prices {
    const minutes = mtuMinutes(day)
    const count = minutesOf(day) / minutes
    const dayNumber = startOf(day) / 24 / HOUR_MS
    return new Map(
      ZONES.map((zone, place) => {
        const level = 30 + 90 * hashToUnit(this.#salt, dayNumber | 0, 1)
        // Even cents, so that the mean of 96 of them is never a tie at the sixth decimal, which could be rounded either way.
        const price = (ordinal: number) => {
          const euros = level + place * 2 + 60 * hashToUnit(this.#salt, dayNumber | 0, place, ordinal)
          return (
            (Math.round(euros * 50) / 50) * (hashToUnit(this.#salt, dayNumber | 0, place, ordinal, 7) < 0.02 ? -1 : 1)
          )
        }
        const prices: (number | undefined)[] = Array.from({ length: count }, (_, index) => price(index + 1))
        if (version !== 'first') this.#correct(prices, zone, day, atMs)
        return [zone, version === 'spoilt' ? this.#spoil(prices, zone, day, atMs) : prices]
      }),
    )
  }

  #correct(prices: (number | undefined)[], zone: Zone, day: string, atMs: number): void {
    for (const one of this.corrections) {
      if (one.day !== day || one.zone !== zone || one.atMs > atMs) continue
      const first = (one.from - 1) % prices.length
      prices.fill(one.price, first, first + one.count)
    }
  }

  #spoil(prices: (number | undefined)[], zone: Zone, day: string, atMs: number): (number | undefined)[] {
    const found = this.spoils.find(
      (one) => one.day === day && one.zone === zone && one.fromMs <= atMs && atMs < one.toMs,
    )
    if (found === undefined) return prices
    if (found.how === 'hole') return prices.slice(0, -60 / mtuMinutes(day))
    if (found.how === 'beyond') return prices.with(5, 4_000.02)
    return prices.with(7, 60).with(8, 0).with(9, 0).with(10, 0).with(11, 60)
  }

  gasPrice(day: string): number {
    return Math.round((25 + 15 * hashToUnit(this.#salt, (startOf(day) / 24 / HOUR_MS) | 0, 99)) * 100) / 100
  }

  #isGasPublished(day: string, atMs: number): boolean {
    return startOf(plusDays(day, -1)) + PUBLISHED_MINUTES.gas * 60_000 <= atMs
  }

  #truthOf(source: Source): Truth {
    const hasNoFault = () => this.#faultOf(source) === undefined
    return {
      zones: (plainDay, at, isRequested = true) => {
        const [day, atMs] = [plainDay.toString(), at.epochMilliseconds]
        if (!this.isPublished(day, atMs)) return undefined
        const prices = this.zones(day, atMs, source === 'entsoe' ? 'first' : 'spoilt')
        const serve = (zone: Zone) => {
          const stated = { zone, day, minutes: mtuMinutes(day), prices: [...(prices.get(zone) ?? [])] }
          const fault = this.#faultOf(source)
          const isPrevious = fault === 'previous-day'
          if (isPrevious && !isRequested) this.onOtherDay(`${source} zone:${zone} ${day}`)
          else if (fault === undefined || isPrevious)
            this.onServed({ ...stated, source: source as ServedDay['source'] })
          // The series remain readable, but their prices do not.
          else if (fault === 'changed-columns' && source === 'entsoe') this.onServed({ ...stated, source, prices: [] })
          return prices.get(zone)
        }
        if (source === 'entsoe') return { get: serve } as unknown as ReadonlyMap<Zone, number[]>
        for (const zone of prices.keys()) serve(zone)
        return prices as ReadonlyMap<Zone, number[]>
      },
      price: (_asset, plainDay, at) => {
        const day = plainDay.toString()
        if (!this.#isGasPublished(day, at.epochMilliseconds)) return undefined
        if (hasNoFault()) this.onGas(day, this.gasPrice(day))
        return this.gasPrice(day)
      },
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.stop()))
  }
}

export const gradualZone = (place: number): Zone => ZONES[place % GRADUAL_ZONES] as Zone

const TAG_OF = new Map([...ZONE_BY_TAG].map(([tag, zone]) => [zone as Zone, tag as GmeTag]))

/** Makes a GME file with these days, each in hours, in quarters or in both. */
export function gmeFile(
  parts: { day: string; minutes: 15 | 60; prices: ReadonlyMap<Zone, readonly number[]> }[],
): string {
  const texts = parts.map(({ day, minutes, prices }) => {
    const byTag = new Map([...prices].map(([zone, list]) => [TAG_OF.get(zone), list]))
    return gmeRows({
      day,
      resolution: minutes,
      prices: (tag, ordinal) => {
        const price = byTag.get(tag)?.[ordinal - 1]
        return price === undefined ? undefined : commaDecimal(price)
      },
    })
  })
  return gmeDocument(texts.join(''))
}
