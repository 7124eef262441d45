/** Prices in the formats of home-automation tools: additions to the specification. Each tool defines its format, so not all name a source. */
import * as z from 'zod'
import { NATIONAL_ZONE } from '../../market/zones.ts'
import * as field from './fields.ts'
import { endsAt, granularity, hourlyZone, startsAt } from './hourly.ts'
import { attribution } from './observations.ts'
import { decimalParameter, forecastTail } from './parameters.ts'

/** Conversion of the market price to a consumer's price: (price × multiply + add) × (1 + vat / 100). */
export const feedQuery = {
  zone: hourlyZone.default(NATIONAL_ZONE).meta({
    description: 'The PUN (`nazionale`), or a market zone from the API plan on.',
    example: 'nazionale',
  }),
  granularity: granularity.default('hour'),
  multiply: decimalParameter({ min: -10, max: 10, example: 1.1, default: 1 }).meta({
    description: 'The price is multiplied by it, for losses of the grid.',
  }),
  add: decimalParameter({ min: -10, max: 10, example: 0.03, default: 0 }).meta({
    description: 'Then this is added, €/kWh: spread of the seller, transport, charges, excise duty.',
  }),
  vat: decimalParameter({ min: 0, max: 100, example: 10, default: 0 }).meta({
    description: 'Then so many percent of VAT.',
  }),
  forecast: forecastTail,
}
export const feedParameters = z.object(feedQuery)
export type FeedQuery = z.output<typeof feedParameters>

const price = field.number('€/kWh, as the parameters make it.', 0.15824)
const span = z.strictObject({ start: startsAt, end: endsAt, value: price }).meta({ id: 'FeedPrice' })
const spans = (description: string) => z.array(span).meta({ description })

export const evccFeed = spans('From the start of today to the last price known.').meta({ id: 'EvccFeed' })
export type EvccFeed = z.infer<typeof evccFeed>

export const EMHASS_HORIZONS = ['ahead', 'today', 'tomorrow'] as const
export const emhassFeed = z
  .strictObject({
    load_cost_forecast: z
      .array(price)
      .meta({ description: 'What a consumed kWh costs, by step; €/kWh.', example: [0.15824] }),
    prod_price_forecast: z
      .array(z.number())
      .meta({ description: 'What a produced kWh earns: the price of the market alone, €/kWh.', example: [0.1044] }),
    prediction_horizon: field.positive('Number of steps.', 24),
    optimization_time_step: field.integer('Minutes of a step.', 60),
    starts_at: startsAt,
  })
  .meta({ id: 'EmhassFeed', description: 'Runtime parameters of EMHASS.' })
export type EmhassFeed = z.infer<typeof emhassFeed>

const values = (description: string) => z.array(price).meta({ description, example: [0.15824] })
const ofDay = (description: string) => field.number.optional(description, 0.15824)

export const homeAssistantFeed = z
  .strictObject({
    current_price: price,
    average: ofDay('Mean of today. Absent where prices of the day are missing.'),
    min: ofDay('Lowest price of today.'),
    max: ofDay('Highest price of today.'),
    mean: ofDay('Median of today, under the name that the integration gives it.'),
    unit: z.literal('kWh'),
    currency: z.literal('EUR'),
    country: z.literal('Italy'),
    region: hourlyZone,
    today: values('Prices of today.'),
    tomorrow: values('Prices of tomorrow; empty before they are published.'),
    tomorrow_valid: field.flag('Whether tomorrow is published and complete.', true),
    raw_today: spans('The same with start and end.'),
    raw_tomorrow: spans('The same with start and end.'),
    raw_forecast: spans('Median forecasts of the days after that, with `forecast=tail`.').optional(),
    attribution,
  })
  .meta({ id: 'HomeAssistantFeed', description: 'The attributes of the Nord Pool integration for Home Assistant.' })
export type HomeAssistantFeed = z.infer<typeof homeAssistantFeed>

const event = z
  .strictObject({
    date: field.day('Market day.', '2026-11-22'),
    start: startsAt,
    end: endsAt,
    mean: price,
    price: z.enum(['published', 'forecast']).meta({ description: 'Whether the prices are official.' }),
  })
  .meta({ id: 'CheapestHoursEvent' })

export const calendarFeed = z
  .strictObject({
    zone: hourlyZone,
    unit: z.literal('€/kWh'),
    events: z.array(event).meta({ description: 'The cheapest hours of each day, in order.' }),
    attribution,
  })
  .meta({ id: 'CalendarFeed', description: 'The cheapest hours of today and tomorrow.' })
export type CalendarFeed = z.infer<typeof calendarFeed>
