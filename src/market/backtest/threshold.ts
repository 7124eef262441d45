import type { Positions, Strategy } from './positions.ts'

interface ThresholdParameters {
  /** In the unit of the prices; buyBelow <= sellAbove. */
  buyBelow: number
  sellAbove: number
}

/** Long from the first day below one price until the first day above another. */
export function threshold({ buyBelow, sellAbove }: ThresholdParameters): Strategy {
  return ({ prices }): Positions => {
    const asset = new Float64Array(prices.length)
    let held = 0
    for (let day = 1; day < prices.length; day++) {
      const before = prices[day - 1] as number
      if (before < buyBelow) held = 1
      else if (before > sellAbove) held = 0
      asset[day] = held
    }
    return { firstDay: 1, asset, hedge: undefined }
  }
}
