/**
 * The single entry point for prices and offers, whether fetched, imported or synthetic. Each item passes the gate; accepted days are
 * stored with the revisions they cause, refused ones are quarantined. Writes are batches of whole days: an interruption leaves no day
 * half stored, and ingesting the same documents again completes the work.
 */
import { type MarketDay, marketDayOf } from '../market/market-day.ts'
import type { Clock } from '../platform/clock.ts'
import type { OfferDay, PublishedValues } from '../publishers/arera-offers/offer.ts'
import type { Fault } from '../publishers/faults.ts'
import type { DailyPrice, FundamentalDay, Parsed, ZoneDay } from '../publishers/observations.ts'
import type { Sql } from '../store/database.ts'
import type { DocumentOrigin } from '../store/documents.ts'
import { nearestOfferCount, writeOfferDay } from '../store/offer-writer.ts'
import { listNearestLevels } from '../store/price-levels.ts'
import type { PriceLimitsOn } from '../store/price-limits.ts'
import {
  addCounts,
  NOTHING_STORED,
  type PriceBatch,
  type RefusedDay,
  type StoredCounts,
  writePrices,
} from '../store/price-writer.ts'
import { type PublishedCounts, writePublishedValues } from '../store/published-values.ts'
import { gateDailyPrice, gateFundamentalDay, gateZoneDay, POWER_DAYS_AHEAD, type Verdict } from './gate.ts'
import { gateOfferDay, type OfferDayReport, reportOfferDay } from './offer-days.ts'
import { dependsOnLevel, isComparable, LEVEL_DAYS, levelOf, storedAs, wrongUnitFaults } from './wrong-unit.ts'

/** Intervals per transaction: enough for throughput, few enough for constant memory and short locks. */
const BATCH_INTERVALS = 20_000
/** Intervals in the first batch: few, so that writing starts early. */
const FIRST_BATCH_INTERVALS = 2_000
/** Refused days per transaction: a file may contain nothing else. */
const BATCH_REFUSED = 1_000

export interface IngestSummary extends StoredCounts {
  /** Values read: intervals and daily prices. */
  read: number
  /** Days and documents that were refused, by series, day and reason. */
  refused: { document: string; series: string; day: string | null; faults: Fault[] }[]
  /** Lists of offers that were stored. */
  offerDays: OfferDayReport[]
  /** Stored figures that are published alongside offers: regulated parameters and monthly indices. */
  publishedValues: (PublishedCounts & { document: string; series: string })[]
}

export const emptySummary = (): IngestSummary => ({
  ...NOTHING_STORED,
  read: 0,
  refused: [],
  offerDays: [],
  publishedValues: [],
})

export interface IngestSession {
  /** Adds one item of a document; stores the batch once it is full. Rethrows the error of an earlier batch. */
  add(item: Parsed, document: DocumentOrigin, observedAt?: Temporal.Instant): Promise<void>
  pricesRead(): number
  /** Stores the rest and returns the summary of the session. */
  finish(): Promise<IngestSummary>
}

interface IngestOptions {
  sql: Sql
  clock: Clock
  limits: PriceLimitsOn
  /** Id of the publisher of everything in this session. */
  source: string
  /** Whether corrected and quarantined days become events (`src/store/source-events.ts`). */
  emitEvents?: boolean
}

export function ingestSession({ sql, clock, limits, source, emitEvents = false }: IngestOptions): IngestSession {
  const summary = emptySummary()
  let batch = emptyBatch(source)
  let batchIntervals = FIRST_BATCH_INTERVALS
  /** The write in progress: one batch is stored while the next one is read. */
  let writing: Promise<void> = Promise.resolve()

  async function flush(): Promise<void> {
    const full = { ...batch, emitEvents, storedAt: clock.now() }
    batch = emptyBatch(source)
    if (full.zoneDays.length + full.dailyPrices.length + full.fundamentalDays.length + full.refused.length === 0) return
    await writing
    batchIntervals = BATCH_INTERVALS
    writing = write(full)
    writing.catch(() => {}) // rethrown by the next flush or by finish
  }

  async function write(full: PriceBatch): Promise<void> {
    Object.assign(summary, addCounts(summary, await writePrices(sql, full)))
  }

  function refuse(refused: RefusedDay, document: DocumentOrigin, observedAt: Temporal.Instant): void {
    batch.refused.push({ item: refused, document, observedAt })
    const { series, day, faults } = refused
    summary.refused.push({ document: document.address, series, day, faults })
  }

  async function addOffers(item: OfferDay, document: DocumentOrigin, observedAt: Temporal.Instant): Promise<void> {
    const today = marketDayOf(clock.now())
    const verdict = gateOfferDay(item, { nearbyOfferCount: await nearestOfferCount(sql, source, item), today })
    if (!verdict.accepted) {
      const refused = {
        series: `offers:${item.dataset}`,
        day: item.day.toString(),
        resolutionMinutes: null,
        prices: null,
      }
      return refuse({ ...refused, faults: verdict.faults }, document, observedAt)
    }
    const counts = await writeOfferDay(sql, { source, document, storedAt: clock.now(), item })
    summary.offerDays.push(reportOfferDay(item, document.address, counts))
  }

  async function addValues(
    item: PublishedValues,
    document: DocumentOrigin,
    observedAt: Temporal.Instant,
  ): Promise<void> {
    const { series, day, faults } = item
    if (faults.length > 0) {
      refuse({ series, day: day.toString(), resolutionMinutes: null, prices: null, faults }, document, observedAt)
      return
    }
    const counts = await writePublishedValues(sql, source, document, item, clock.now())
    summary.publishedValues.push({ ...counts, document: document.address, series })
  }

  async function addDay(item: Storable, document: DocumentOrigin, observedAt: Temporal.Instant): Promise<void> {
    const verdict = gateItem(item, { limits, today: marketDayOf(clock.now()) })
    summary.read += countPrices(item)
    const faults = verdict.accepted ? await unitFaults(item) : verdict.faults
    if (faults.length > 0) return refuse(refusedDay(item, faults), document, observedAt)
    const held = batch.held.get(keyOf(item))
    if (held !== undefined && resolutionOf(held) !== resolutionOf(item)) {
      // Keep only the finer resolution of a day: storing both in turn would look like a correction.
      if (resolutionOf(held) < resolutionOf(item)) return
      batch.zoneDays = batch.zoneDays.filter((one) => one.item !== held)
      batch.fundamentalDays = batch.fundamentalDays.filter((one) => one.item !== held)
    } else if (held !== undefined) await flush() // one SQL statement cannot compare two versions of a day
    batch.held.set(keyOf(item), item)
    batch.intervals += countPrices(item)
    if (item.kind === 'zone-day') batch.zoneDays.push({ item, document, observedAt })
    else if (item.kind === 'fundamental-day') batch.fundamentalDays.push({ item, document, observedAt })
    else batch.dailyPrices.push({ item, document, observedAt })
  }

  /** Compares a day of low prices with the nearest days, stored or about to be. */
  async function unitFaults(item: Storable): Promise<Fault[]> {
    if (item.kind === 'fundamental-day' || !dependsOnLevel(item)) return []
    await writing
    const pending = [...batch.zoneDays, ...batch.dailyPrices].map((one) => one.item)
    const levels = pending.filter((one) => isComparable(one, item)).map(levelOf)
    return wrongUnitFaults(item, [...levels, ...(await listNearestLevels(sql, storedAs(item), LEVEL_DAYS))])
  }

  /** Whether to flush before `next`. A full batch is not split within a day: its resolutions are compared in the batch. */
  function mustFlushBefore(next: Parsed): boolean {
    if (batch.refused.length >= BATCH_REFUSED) return true
    return (
      batch.intervals >= batchIntervals &&
      !(next.kind === 'zone-day' && batch.zoneDays.at(-1)?.item.day.equals(next.day)) &&
      !(next.kind === 'fundamental-day' && batch.fundamentalDays.at(-1)?.item.day.equals(next.day))
    )
  }

  return {
    async add(item, document, observedAt = document.fetchedAt) {
      if (mustFlushBefore(item)) await flush()
      if (item.kind === 'document-fault') {
        const series = { series: 'document', day: null, resolutionMinutes: null, prices: null }
        refuse({ ...series, faults: [item.fault] }, document, observedAt)
      } else if (item.kind === 'published-values') await addValues(item, document, observedAt)
      else if (item.kind === 'offer-day') await addOffers(item, document, observedAt)
      else await addDay(item, document, observedAt)
    },

    pricesRead: () => summary.read,

    async finish() {
      await flush()
      await writing
      return summary
    },
  }
}

interface PendingBatch extends Required<Omit<PriceBatch, 'storedAt' | 'emitEvents'>> {
  /** Items to store, by key. */
  held: Map<string, Storable>
  intervals: number
}

function emptyBatch(source: string): PendingBatch {
  return { source, zoneDays: [], dailyPrices: [], fundamentalDays: [], refused: [], held: new Map(), intervals: 0 }
}

type Storable = ZoneDay | DailyPrice | FundamentalDay

/** Before a long weekend, gas is traded for every day of it. */
const OTHER_DAYS_AHEAD = 7

function gateItem(item: Storable, { limits, today }: { limits: PriceLimitsOn; today: MarketDay }): Verdict {
  if (item.kind === 'fundamental-day') return gateFundamentalDay(item, today, limits('PUN', item.day).since)
  const asset = item.kind === 'zone-day' ? 'PUN' : item.asset
  const lastDay = today.add({ days: asset === 'PUN' ? POWER_DAYS_AHEAD : OTHER_DAYS_AHEAD })
  const context = { priceLimits: limits(asset, item.day), lastDay }
  return item.kind === 'zone-day' ? gateZoneDay(item, context) : gateDailyPrice(item, context)
}

/** Minutes of an interval; 0 for a daily price. */
function resolutionOf(item: Storable): number {
  return item.kind === 'daily-price' ? 0 : item.resolutionMinutes
}

function keyOf(item: Storable): string {
  if (item.kind === 'fundamental-day') return `${item.series} ${item.area} ${item.day}`
  return `${item.kind === 'zone-day' ? item.zone : item.asset} ${item.day}`
}

function countPrices(item: Storable): number {
  if (item.kind === 'fundamental-day') return item.values.filter((value) => value !== undefined).length
  return item.kind === 'zone-day' ? item.prices.length : 1
}

function refusedDay(item: Storable, faults: Fault[]): RefusedDay {
  const day = item.day.toString()
  if (item.kind === 'daily-price') {
    return { series: `asset:${item.asset}`, day, resolutionMinutes: null, prices: [item.price], faults }
  }
  const { resolutionMinutes } = item
  return item.kind === 'zone-day'
    ? { series: `zone:${item.zone}`, day, resolutionMinutes, prices: item.prices, faults }
    : { series: `fundamental:${item.series}/${item.area}`, day, resolutionMinutes, prices: item.values, faults }
}
