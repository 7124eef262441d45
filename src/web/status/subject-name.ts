import { hoursOf } from '../../market/forecast-scope.ts'
import { NATIONAL_ZONE, STORED_ZONES } from '../../market/zones.ts'
import { zoneNames } from '../i18n/hours.ts'
import { statusTexts } from '../i18n/status.ts'
import type { View } from '../view.ts'

/** What a forecast is of, as people name it: `PUN`, `Hours, Sicily`. */
export function subjectName(subject: string, { language }: View): string {
  const zone = STORED_ZONES.find((one) => hoursOf(one) === subject)
  if (zone === undefined) return subject
  return statusTexts[language].hoursOf(zone === NATIONAL_ZONE ? 'PUN' : zoneNames[language][zone])
}
