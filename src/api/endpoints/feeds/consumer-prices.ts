/** The price curve as a consumer pays it, for the feeds. */
import { toRomeIso } from '../../../market/market-day.ts'
import { movePoint, round } from '../../../market/rounding.ts'
import { NATIONAL_ZONE } from '../../../market/zones.ts'
import { tierRequired } from '../../contract/errors.ts'
import type { EvccFeed, FeedQuery } from '../../contract/feeds.ts'
import { planIncludes } from '../../contract/plans.ts'
import type { CallerContext } from '../../http/endpoint.ts'
import { type CurvePoint, priceCurve } from '../price-curve.ts'
import { getPunHourly } from '../pun/get-pun-hourly.ts'
import { missingPrices } from '../pun/missing-prices.ts'

/** A hundredth of a cent is precise enough for a price on a bill, but not for the sum. */
const DECIMALS = 6

export interface ConsumerPrice extends CurvePoint {
  /** €/kWh with surcharges and VAT. */
  value: number
}

/** Returns the prices from the start of today. Throws `no_data` if none are published for today. */
export async function consumerPrices(context: CallerContext, query: FeedQuery) {
  const { zone, granularity } = query
  if (zone !== NATIONAL_ZONE && !planIncludes(context.caller.plan, getPunHourly.plan))
    throw tierRequired(getPunHourly.plan, 'The feed of a market zone')
  const { today } = context
  const curve = await priceCurve(context, { zone, granularity, withForecast: query.forecast === 'tail' })
  const [first] = curve.points
  if (first?.date !== today.toString())
    throw await missingPrices({ zone, granularity, from: today, to: today }, context)
  const prices = curve.points.map((point): ConsumerPrice => ({ ...point, value: consumerPrice(point.price, query) }))
  return { prices, dayMeans: curve.dayMeans, sourceIds: curve.sourceIds }
}

/** `consumerPrice(100, { multiply: 1.1, add: 0.03, vat: 10 })` is 0.154. */
function consumerPrice(eurMwh: number, { multiply, add, vat }: Pick<FeedQuery, 'multiply' | 'add' | 'vat'>) {
  return round((movePoint(eurMwh, -3) * multiply + add) * (1 + vat / 100), DECIMALS)
}

/** Market price, €/kWh. */
export function marketPrice(eurMwh: number): number {
  return round(movePoint(eurMwh, -3), DECIMALS)
}

export function presentSpan({ startsAt, endsAt, value }: ConsumerPrice): EvccFeed[number] {
  return { start: romeIso(startsAt), end: romeIso(endsAt), value }
}

export function romeIso(seconds: number): string {
  return toRomeIso(Temporal.Instant.fromEpochMilliseconds(seconds * 1000))
}

/** Prices of a short day, for the examples. */
export function examplePrices(): ConsumerPrice[] {
  const midnight = Date.UTC(2026, 10, 21, 23) / 1000
  return [104.2, 99.87, 97.3].map((price, i) => ({
    ...{ date: '2026-11-22', price, isForecast: false },
    ...{ startsAt: midnight + i * 3600, endsAt: midnight + (i + 1) * 3600 },
    value: consumerPrice(price, { multiply: 1.1, add: 0.03, vat: 10 }),
  }))
}
