import { STRESS, simulateMargin } from '../../../market/margin-simulation.ts'
import { roundEurKwh } from '../../../market/price-units.ts'
import { round } from '../../../market/rounding.ts'
import type { ReferenceAverage } from '../../../store/offer-indices.ts'
import {
  type MarginRequest,
  type MarginSimulation,
  marginRequest,
  marginSimulation,
} from '../../contract/margin-simulation.ts'
import { endpoint } from '../../http/endpoint.ts'
import { EXAMPLE_REFERENCE } from '../example-offers.ts'
import { EXAMPLE_BASE_URL } from '../examples.ts'
import { lastFullMonth } from '../offer-references.ts'
import { attributionText } from '../source-credits.ts'

/** A spread is multiplied by the consumption of a large portfolio, so it needs one decimal more than a price. */
const SPREAD_DECIMALS = 6

/** Gross margin of a portfolio of customers. Spec: "Margin simulation"; decisions: "Tools". */
export const postMarginSimulator = endpoint({
  id: 'simulateMargin',
  method: 'post',
  path: '/tools/margin-simulator',
  tag: 'Tools',
  summary: 'Simulate the margin of a portfolio',
  description:
    'Returns the gross margin of customers who pay the index plus a spread and a monthly fee, in a base case ' +
    'and two stress scenarios, and the break-even spread. The wholesale price is that of the last full month ' +
    'of PUN or PSV; `assumptions` lists every input.',
  plan: 'Pro',
  cache: 'none',
  body: marginRequest,
  reply: marginSimulation,
  example: presentSimulation(
    marginRequest.parse(marginRequest.meta()?.example),
    { average: EXAMPLE_REFERENCE, sourceIds: ['gme-mgp'] },
    EXAMPLE_BASE_URL,
  ),
  fails: ['no_data'],
  async handle({ body, service, today, now }) {
    const wholesale = await lastFullMonth(body.commodity, { service, today, now })
    return presentSimulation(body, wholesale, service.config.baseUrl)
  },
})

/** The wholesale price is used as shown, so that readers can reproduce the figures. */
function presentSimulation(
  { portfolio, ...request }: MarginRequest,
  { average, sourceIds }: { average: ReferenceAverage; sourceIds: string[] },
  baseUrl: URL,
): MarginSimulation {
  const wholesalePrice = roundEurKwh(average.eurKwh)
  const { grossMargin, marginPerCustomerYear, breakevenSpreadEurKwh } = simulateMargin({
    customers: portfolio.customers,
    avgConsumptionKwh: portfolio.avg_consumption_kwh,
    spreadEurKwh: request.spread_eur_kwh,
    fixedFeeEurMonth: request.fixed_fee_eur_month,
    months: request.months,
    wholesalePriceEurKwh: wholesalePrice,
    costToServeEurCustomerYear: portfolio.cost_to_serve_eur_customer_year,
    badDebtPct: portfolio.bad_debt_pct,
    volumeRiskPct: portfolio.volume_risk_pct,
  })
  return {
    gross_margin_eur: {
      base: round(grossMargin.base, 2),
      stress_up: round(grossMargin.stressUp, 2),
      stress_down: round(grossMargin.stressDown, 2),
    },
    margin_per_customer_eur_year: round(marginPerCustomerYear, 2),
    breakeven_spread_eur_kwh: round(breakevenSpreadEurKwh, SPREAD_DECIMALS),
    assumptions: {
      months: request.months,
      wholesale_price_eur_kwh: wholesalePrice,
      wholesale_asset: average.asset,
      wholesale_from: average.from,
      wholesale_to: average.to,
      cost_to_serve_eur_customer_year: portfolio.cost_to_serve_eur_customer_year,
      bad_debt_pct: portfolio.bad_debt_pct,
      volume_risk_pct: portfolio.volume_risk_pct,
      stress_up: presentStress('up'),
      stress_down: presentStress('down'),
    },
    attribution: attributionText(sourceIds, baseUrl),
  }
}

function presentStress(direction: 'up' | 'down') {
  const { wholesalePrice, volume } = STRESS[direction]
  return { wholesale_price_pct: round((wholesalePrice - 1) * 100, 6), volume_pct: round((volume - 1) * 100, 6) }
}
