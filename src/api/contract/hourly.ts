/**
 * Hours and quarter-hours of a zone, for one market day or for an interval of days. Spec: "Hourly prices"; decisions: "Zonal and
 * hourly prices".
 */
import * as z from 'zod'
import { STORED_ZONES } from '../../market/zones.ts'
import * as field from './fields.ts'
import { attribution } from './observations.ts'
import { anyCase, asOfEcho } from './parameters.ts'

export const hourlyZone = anyCase(
  z.enum(STORED_ZONES).meta({
    id: 'ZoneCode',
    description: '`nazionale` is the PUN. Calabria, `cala`, exists since 2021.',
    example: 'nord',
  }),
)

export const granularity = z.enum(['hour', 'quarter']).meta({
  description: 'Quarter-hours exist since 1 October 2025.',
  example: 'hour',
})

export const hourNumber = z.int().min(1).max(25).meta({
  description: 'Market hour by elapsed time: 1-24, or 1-23 and 1-25 on the days of the daylight-saving changes.',
  example: 1,
})
export const quarterNumber = z
  .int()
  .min(1)
  .max(100)
  .meta({ description: 'Quarter-hour of the day by elapsed time: 1-96, 1-92 or 1-100.', example: 1 })
export const startsAt = field.text('Start, with the offset in force in Rome.', '2026-11-21T00:00:00+01:00')
export const endsAt = field.text('End, not included: the start of the next interval.', '2026-11-21T01:00:00+01:00')
const utc = (description: string, example: string) =>
  field.instant.optional(`${description}, UTC; with \`times=utc\`.`, example)
/** Fields that `times=utc` adds. */
export const utcTimes = {
  starts_at_utc: utc('Start', '2026-11-20T23:00:00Z'),
  ends_at_utc: utc('End', '2026-11-21T00:00:00Z'),
}
export const price = field.number('€/MWh.', 101.2)
export const band = z
  .enum(['F1', 'F2', 'F3'])
  .meta({ id: 'TariffBand', description: 'Tariff band of the regulator.', example: 'F3' })

const hour = z
  .strictObject({ hour: hourNumber, starts_at: startsAt, ends_at: endsAt, ...utcTimes, value: price, band })
  .meta({ id: 'HourPrice' })
const quarter = z.strictObject({ quarter: quarterNumber, ...hour.shape }).meta({ id: 'QuarterHourPrice' })

const stats = z
  .strictObject({
    min: z.number().meta({ example: 84.1 }),
    max: z.number().meta({ example: 152.3 }),
    avg: field.number.optional('Absent where intervals are missing: part of a day is not averaged.', 118.43),
  })
  .meta({ id: 'IntervalStats' })

const cheapestHours = z
  .array(z.int())
  .meta({ description: 'The three cheapest hours, cheapest first; the earlier of equals first.', example: [4, 5, 3] })
const count = field.count('Intervals returned.', 24)
const expected = field.positive('Intervals of the day; more than `count` where some are missing.', 24)

/** Fields shared by all responses about intervals of a zone. */
export const intervalsHead = {
  zone: hourlyZone,
  unit: z.literal('€/MWh'),
  timezone: z.literal('Europe/Rome'),
  source: field.text('Name of the official source.', 'Gestore dei Mercati Energetici S.p.A. (GME)'),
  attribution,
}
const head = { ...intervalsHead, as_of: asOfEcho }
const dayBody = {
  date: field.day('Market day.', '2026-11-21'),
  count,
  expected,
  hours: z.array(hour).optional().meta({ description: 'In order; with `granularity=hour`.' }),
  quarters: z.array(quarter).optional().meta({ description: 'In order; with `granularity=quarter`.' }),
  cheapest_hours: cheapestHours,
  stats,
}

const hourlyDay = z
  .strictObject({ ...head, ...dayBody })
  .meta({ id: 'HourlyPrices', description: 'Prices of one market day.' })

const hourlyInterval = z
  .strictObject({
    ...head,
    from: field.day('First day requested.', '2026-11-01'),
    to: field.day('Last day requested, inclusive.', '2026-11-21'),
    count: field.count('Days returned; days without stored prices are left out.', 21),
    days: z.array(z.strictObject(dayBody).meta({ id: 'HourlyPricesOfDay' })),
    stats,
  })
  .meta({ id: 'HourlyPricesInterval', description: 'Prices of several market days.' })

export const hourlyPrices = z.union([hourlyDay, hourlyInterval])
export type HourlyDay = z.infer<typeof hourlyDay>
export type HourlyInterval = z.infer<typeof hourlyInterval>
