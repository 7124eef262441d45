/** Energy and emissions of gas, and the efficiency of power plants. */

/**
 * Energy of a standard cubic metre of gas: 0.03852 GJ/Smc, the standard gross calorific value by which retail prices in €/Smc are
 * compared, at 0.0036 GJ/kWh.
 */
export const KWH_PER_SMC = 10.7

/** `smcToKwh(1400)` is 14980. */
export function smcToKwh(smc: number): number {
  return smc * KWH_PER_SMC
}

/** The combined-cycle plant behind every spark spread: its efficiency and its emissions. */
export const GAS_PLANT = {
  /** MWh of power per MWh of gas. */
  efficiency: 0.53,
  /** Tonnes of CO2 per MWh of gas. */
  emissionFactorTonnesMwh: 0.202,
} as const

/** Tonnes of CO2 per MWh of power: 0.381. */
export const GAS_POWER_TONNES_MWH = GAS_PLANT.emissionFactorTonnesMwh / GAS_PLANT.efficiency
