/** The combined-cycle plant behind every spark spread: its efficiency and its emissions. */
export const GAS_PLANT = {
  /** MWh of power from a MWh of gas. */
  efficiency: 0.53,
  /** Tonnes of CO2 from a MWh of gas. */
  emissionFactorTonnesMwh: 0.202,
} as const

/** Tonnes of CO2 of a MWh of power: 0.381. */
export const GAS_POWER_TONNES_MWH = GAS_PLANT.emissionFactorTonnesMwh / GAS_PLANT.efficiency
