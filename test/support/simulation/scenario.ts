/**
 * A stretch of time in which publishers are late, correct themselves, fail for days, and publish nonsense: what they answer at each
 * instant, what is true in the end, and what operators must have heard. Instants are UTC.
 */

import type { AssetCode } from '../../../src/market/assets.ts'
import type { MarketDay } from '../../../src/market/market-day.ts'
import type { ZoneCode } from '../../../src/market/zones.ts'
import { type Fault, plainTruth, type Truth } from '../publishers/index.ts'

export interface Correction {
  day: string
  /** The publisher's own value before that instant is the wrong one; from it on the true one. */
  at: string
  zone: ZoneCode
  /** Of intervals, from 1. */
  ordinals: readonly number[]
}

export interface PriceCorrection {
  asset: Exclude<AssetCode, 'PUN'>
  day: string
  at: string
}

/** Until that instant the last intervals of the day are published as exactly 0. */
export interface Zeros {
  day: string
  until: string
  ordinals: readonly number[]
}

export interface Outage {
  source: string
  from: string
  to: string
  fault: Fault
}

/** A day whose zones the second source delivered first. */
export interface Fallback {
  day: string
  at: string
}

export interface Scenario {
  /** First market day that the service is configured to have. */
  historyFrom: string
  starts: string
  ends: string
  /** The last market day whose results are out at the end. */
  lastDay: string
  corrections: readonly Correction[]
  priceCorrections: readonly PriceCorrection[]
  zeros: readonly Zeros[]
  outages: readonly Outage[]
  fallbacks: readonly Fallback[]
  /** Every event that operators must get: `2026-10-24T13:00Z gme-mgp late 2026-10-25`. */
  events: readonly string[]
}

/** By how much a value is wrong before its correction. */
export const WRONG_BY = 7.25

/** What the publishers state at an instant. */
export function statedIn(scenario: Scenario): Truth {
  const truth = plainTruth()
  return {
    zones(day, at) {
      const prices = truth.zones(day, at)
      return prices && new Map([...prices].map(([zone, list]) => [zone, spoilt(scenario, zone, day, at, list)]))
    },
    price(asset, day, at) {
      const price = truth.price(asset, day, at)
      const wrong = scenario.priceCorrections.some(
        (one) => one.asset === asset && day.toString() === one.day && isBefore(at, one.at),
      )
      return price !== undefined && wrong ? price + WRONG_BY : price
    },
  }
}

export function faultIn({ outages }: Scenario, source: string, at: Temporal.Instant): Fault | undefined {
  return outages.find((one) => one.source === source && !isBefore(at, one.from) && isBefore(at, one.to))?.fault
}

function spoilt(
  { corrections, zeros }: Scenario,
  zone: ZoneCode,
  day: MarketDay,
  at: Temporal.Instant,
  prices: readonly number[],
): number[] {
  const name = day.toString()
  const wrong = corrections.filter((one) => one.day === name && one.zone === zone && isBefore(at, one.at))
  const unset = zeros.filter((one) => one.day === name && isBefore(at, one.until))
  return prices.map((price, index) => {
    if (unset.some(({ ordinals }) => ordinals.includes(index + 1))) return 0
    return wrong.some(({ ordinals }) => ordinals.includes(index + 1)) ? price + WRONG_BY : price
  })
}

function isBefore(at: Temporal.Instant, instant: string): boolean {
  return Temporal.Instant.compare(at, Temporal.Instant.from(instant)) < 0
}
