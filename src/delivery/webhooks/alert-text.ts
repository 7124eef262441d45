/** Formats an alert as a sentence for people, in plain-text calls and in mail. */
import { ALERT_UNIT, type AlertCondition, type AlertLanguage } from '../../api/contract/alerts.ts'
import { MARKET_TIME_ZONE } from '../../market/market-day.ts'
import { roundNative } from '../../market/price-units.ts'
import type { ClaimedDelivery } from '../../store/webhook-deliveries.ts'

interface Words {
  conditions: Record<AlertCondition, string>
  test: string
  noPrice: string
  on: string
  at: string
}

const WORDS: Record<AlertLanguage, Words> = {
  en: {
    conditions: { above: 'above', below: 'below', change_pct: 'change of' },
    test: 'Test',
    noPrice: 'no price yet',
    on: 'on',
    at: 'hours from',
  },
  it: {
    conditions: { above: 'sopra', below: 'sotto', change_pct: 'variazione di' },
    test: 'Prova',
    noPrice: 'ancora nessun prezzo',
    on: 'il',
    at: 'ore dalle',
  },
}
const LOCALES = { en: 'en-GB', it: 'it-IT' }

type TextEvent = Pick<
  ClaimedDelivery,
  'kind' | 'asset' | 'condition' | 'threshold' | 'price' | 'hours' | 'day' | 'language'
>

/** `PUN above 150 €/MWh: 152.35 €/MWh on 22 November 2026`. */
export function alertSentence(event: TextEvent): string {
  const { kind, asset, condition, threshold, price, hours, day, language } = event
  const words = WORDS[language]
  const number = (value: number) => value.toLocaleString(LOCALES[language], { maximumFractionDigits: 2 })
  const unit = condition === 'change_pct' ? '%' : ALERT_UNIT
  const rule = `${asset?.toUpperCase()} ${words.conditions[condition]} ${number(threshold)} ${unit}`
  const value =
    price === null || day === null
      ? words.noPrice
      : `${number(roundNative(price))} ${ALERT_UNIT} ${words.on} ${dayText(day, language)}`
  const clocks = hours?.map((start) => clockText(start)) ?? []
  return [
    kind === 'test' ? `${words.test}: ` : '',
    `${rule}: ${value}`,
    clocks.length === 0 ? '' : `, ${words.at} ${clocks.join(', ')}`,
  ].join('')
}

function dayText(day: string, language: AlertLanguage): string {
  return Temporal.PlainDate.from(day).toLocaleString(LOCALES[language], { dateStyle: 'long' })
}

function clockText(start: Temporal.Instant): string {
  return start.toZonedDateTimeISO(MARKET_TIME_ZONE).toPlainTime().toString({ smallestUnit: 'minute' })
}
