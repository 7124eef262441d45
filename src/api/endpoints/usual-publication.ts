import { counted } from '../../market/counted.ts'
import { MARKET_TIME_ZONE } from '../../market/market-day.ts'
import type { Moment } from '../../publishers/publisher.ts'

/** `12:55 Europe/Rome on the day before` */
export function usualPublication({ days, time }: Moment): string {
  const when =
    days === -1
      ? 'on the day before'
      : days === 0
        ? 'on the day'
        : `${counted(Math.abs(days), 'day')} ${days < 0 ? 'before' : 'later'}`
  return `${time} ${MARKET_TIME_ZONE} ${when}`
}
