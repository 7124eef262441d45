/**
 * Gross margin of a portfolio of customers on an indexed offer: they pay the index plus a spread, and a monthly fee. The index passes
 * through, so wholesale prices affect the margin only through bad debt and the cost of unforeseen volumes.
 */

export interface Portfolio {
  customers: number
  /** kWh per customer and year. */
  avgConsumptionKwh: number
  spreadEurKwh: number
  fixedFeeEurMonth: number
  /** Horizon. */
  months: number
  wholesalePriceEurKwh: number
  /** Cost of serving a customer: billing, calls, systems. */
  costToServeEurCustomerYear: number
  /** Share of the revenue (index, spread and fee) that is never paid, in percent. */
  badDebtPct: number
  /** Cost of volumes that differ from the forecast, in percent of the energy cost. */
  volumeRiskPct: number
}

export interface MarginSimulation {
  /** € over the horizon. */
  grossMargin: { base: number; stressUp: number; stressDown: number }
  marginPerCustomerYear: number
  breakevenSpreadEurKwh: number
}

interface Scenario {
  wholesalePrice: number
  volume: number
}

/** Factors on price and volume. */
export const STRESS: Record<'up' | 'down', Scenario> = {
  up: { wholesalePrice: 1.3, volume: 1.1 },
  down: { wholesalePrice: 0.7, volume: 0.9 },
}

/** Not rounded. Gross margins are linear in `customers`; the base margin is 0 at a spread of `breakevenSpreadEurKwh`. */
export function simulateMargin(portfolio: Portfolio): MarginSimulation {
  const base = marginOf(portfolio)
  return {
    grossMargin: {
      base,
      stressUp: marginOf(stressed(portfolio, STRESS.up)),
      stressDown: marginOf(stressed(portfolio, STRESS.down)),
    },
    marginPerCustomerYear: base / portfolio.customers / (portfolio.months / 12),
    breakevenSpreadEurKwh: breakevenSpread(portfolio),
  }
}

/** Margin of one customer over the horizon, times the customers. */
function marginOf(portfolio: Portfolio): number {
  const { customers, spreadEurKwh, fixedFeeEurMonth, months, wholesalePriceEurKwh } = portfolio
  const energyKwh = energyOf(portfolio)
  const energyCost = wholesalePriceEurKwh * energyKwh
  const sales = spreadEurKwh * energyKwh + fixedFeeEurMonth * months
  const badDebt = (portfolio.badDebtPct / 100) * (energyCost + sales)
  const volumeRisk = (portfolio.volumeRiskPct / 100) * energyCost
  return customers * (sales - costToServe(portfolio) - badDebt - volumeRisk)
}

/** Spread at which the margin, which is linear in it, is 0. */
function breakevenSpread(portfolio: Portfolio): number {
  const energyKwh = energyOf(portfolio)
  const collected = 1 - portfolio.badDebtPct / 100
  const onEnergy = (portfolio.badDebtPct + portfolio.volumeRiskPct) / 100
  const toCover = costToServe(portfolio) + onEnergy * portfolio.wholesalePriceEurKwh * energyKwh
  return (toCover / collected - portfolio.fixedFeeEurMonth * portfolio.months) / energyKwh
}

/** kWh of a customer over the horizon. */
function energyOf({ avgConsumptionKwh, months }: Portfolio): number {
  return (avgConsumptionKwh * months) / 12
}

function costToServe({ costToServeEurCustomerYear, months }: Portfolio): number {
  return (costToServeEurCustomerYear * months) / 12
}

function stressed(portfolio: Portfolio, { wholesalePrice, volume }: Scenario): Portfolio {
  return {
    ...portfolio,
    wholesalePriceEurKwh: portfolio.wholesalePriceEurKwh * wholesalePrice,
    avgConsumptionKwh: portfolio.avgConsumptionKwh * volume,
  }
}
