import { fromScale, toScale } from '../scale.ts'

/** The day whose price is the mean of those hours, all on the models' scale: means are taken in €/MWh, as the market takes them. */
export function dayOfHours(hours: ArrayLike<number>): number {
  let sum = 0
  for (let hour = 0; hour < hours.length; hour++) sum += fromScale('PUN', hours[hour] as number)
  return toScale('PUN', sum / hours.length)
}
