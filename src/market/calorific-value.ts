/**
 * Energy of a standard cubic metre of gas: 0.03852 GJ/Smc, the standard superior calorific value by which retail prices in €/Smc are
 * compared, at 0.0036 GJ/kWh.
 */
export const KWH_PER_SMC = 10.7

/** `smcToKwh(1400)` is 14980. */
export function smcToKwh(smc: number): number {
  return smc * KWH_PER_SMC
}
