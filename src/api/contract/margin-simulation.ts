/** Gross margin of a portfolio of customers. Spec: "Request bodies", "Margin simulation"; decisions: "Tools". */
import * as z from 'zod'
import { commodity } from '../../market/offers.ts'
import * as field from './fields.ts'

const portfolio = z
  .strictObject({
    customers: z.int().min(1).max(100_000_000).meta({ description: 'Number of customers.', example: 1000 }),
    avg_consumption_kwh: z
      .number()
      .min(0.001)
      .max(1e9)
      .meta({ description: 'Average annual consumption of a customer in kWh, of gas too.', example: 2700 }),
    cost_to_serve_eur_customer_year: z
      .number()
      .min(0)
      .max(1e6)
      .default(45)
      .meta({ description: 'Cost of serving a customer for a year, €.', example: 45 }),
    bad_debt_pct: z
      .number()
      .min(0)
      .max(50)
      .default(1.5)
      .meta({ description: 'Share of the revenue that is never paid, in percent.', example: 1.5 }),
    volume_risk_pct: z.number().min(0).max(100).default(3).meta({
      description: 'Cost of volumes that differ from the forecast, in percent of the energy cost.',
      example: 3,
    }),
  })
  .meta({ id: 'Portfolio' })

export const marginRequest = z
  .strictObject({
    commodity,
    spread_eur_kwh: z.number().min(-10).max(10).meta({ description: 'Spread above the index, €/kWh.', example: 0.015 }),
    fixed_fee_eur_month: z.number().min(0).max(100_000).meta({ description: 'Fixed fee, € a month.', example: 10 }),
    portfolio,
    months: z.int().min(1).max(120).default(12).meta({ description: 'Horizon in months.', example: 12 }),
  })
  .meta({
    id: 'MarginRequest',
    example: {
      commodity: 'luce',
      spread_eur_kwh: 0.015,
      fixed_fee_eur_month: 10,
      portfolio: { customers: 1000, avg_consumption_kwh: 2700 },
      months: 12,
    },
  })

export type MarginRequest = z.output<typeof marginRequest>

const stress = z
  .strictObject({
    wholesale_price_pct: field.number('Change of the wholesale price, in percent.', 30),
    volume_pct: field.number('Change of the consumption, in percent.', 10),
  })
  .meta({ id: 'StressScenario' })

const assumptions = z
  .strictObject({
    months: z.int().meta({ example: 12 }),
    wholesale_price_eur_kwh: field.number('Average of the index in its last full month, €/kWh.', 0.11214),
    wholesale_asset: z.enum(['PUN', 'PSV']).meta({ description: 'The index.', example: 'PUN' }),
    wholesale_from: field.day('First day of that month.', '2026-10-01'),
    wholesale_to: field.day('Last day of that month.', '2026-10-31'),
    cost_to_serve_eur_customer_year: z.number().meta({ example: 45 }),
    bad_debt_pct: z.number().meta({ example: 1.5 }),
    volume_risk_pct: z.number().meta({ example: 3 }),
    stress_up: stress,
    stress_down: stress,
  })
  .meta({ id: 'MarginAssumptions', description: 'Everything the simulation rests on beside the request.' })

export const marginSimulation = z
  .strictObject({
    gross_margin_eur: z
      .strictObject({
        base: z.number().meta({ example: 99_685.31 }),
        stress_up: z.number().meta({ example: 97_905.45 }),
        stress_down: z.number().meta({ example: 100_654.15 }),
      })
      .meta({ description: 'Total gross margin over the horizon, in the base and in two stress scenarios, €.' }),
    margin_per_customer_eur_year: field.number('Margin of the base scenario, € per customer and year.', 99.69),
    breakeven_spread_eur_kwh: field.number(
      'Spread at which the base margin is 0, €/kWh. Negative where the fee alone more than covers the costs.',
      -0.022449,
    ),
    assumptions,
    attribution: field.text(
      'Text to show next to the figures.',
      'Source: Gestore dei Mercati Energetici S.p.A. (GME), via Italian Energy Prices, https://energy.example/',
    ),
  })
  .meta({ id: 'MarginSimulation', description: 'What a portfolio earns, the energy bought at the index.' })

export type MarginSimulation = z.infer<typeof marginSimulation>
