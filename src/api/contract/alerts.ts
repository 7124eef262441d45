/** Alerts and the call to their receiver. Spec: "Alert", "Events"; decisions: "Alerts and webhooks". */
import * as z from 'zod'
import { MACROZONES } from '../../market/fundamentals.ts'
import { ALL_MARKET_ZONES } from '../../market/zones.ts'
import * as field from './fields.ts'
import { anyCase } from './parameters.ts'
import { receiverState, signingSecret, webhookUrl } from './webhooks.ts'

/** The specification lists the indices of two zones; those of the other zones are additions. */
export const ALERT_ASSETS = [
  'pun',
  'psv',
  'ttf',
  ...ALL_MARKET_ZONES.map((zone) => `pun-zona-${zone}` as const),
  ...ALL_MARKET_ZONES.flatMap((zone) => [`mi-a1-${zone}`, `mi-a2-${zone}`] as const),
  ...MACROZONES.map((area) => `imbalance-${area}` as const),
] as const
export type AlertAsset = (typeof ALERT_ASSETS)[number]
/** Gas has no hourly prices. */
const DAILY_ONLY_ASSETS: readonly AlertAsset[] = ['psv', 'ttf']

/** Unit of thresholds and values. */
export const ALERT_UNIT = '€/MWh'
/** Larger prices and percentages are typing errors. */
const THRESHOLD_MAX = 1_000_000

const alertId = field.text('Identifier of the alert.', 'alr_5k2m9q7x1c4d8f3g')
const asset = anyCase(
  z.enum(ALERT_ASSETS).meta({
    id: 'AlertAsset',
    description:
      'The monitored index: `pun`, `psv`, `ttf`, a zone’s `pun-zona-nord`, `mi-a1-nord` or `mi-a2-nord`, or `imbalance-macro-nord`.',
    example: 'pun',
  }),
)
const condition = z.enum(['above', 'below', 'change_pct']).meta({
  id: 'AlertCondition',
  description:
    '`above`, `below`: the daily price crosses the threshold, or meets it at the first publication after creation; `change_pct`: the ' +
    'change against the previous market day reaches it. 5 is a rise of at least 5%, -5 a fall of at least 5%.',
  example: 'above',
})
const threshold = z
  .number()
  .min(-THRESHOLD_MAX)
  .max(THRESHOLD_MAX)
  .meta({ description: 'In €/MWh, or percent for `change_pct`.', example: 150 })

const granularities = z.enum(['day', 'hour'])
const granularity = granularities.meta({
  description:
    '`day` compares the price of the day. `hour` compares each hour, with `above` and `below`, of the PUN, the zones and the markets: it fires on every ' +
    'day that has such an hour, when the day is published.',
  example: 'day',
})

const email = z
  .literal(true)
  .meta({ description: 'By mail to the holder of the key, once the address is confirmed, instead of `webhook_url`.' })
const body = z.enum(['json', 'text']).meta({
  description: '`text`: calls have a sentence as their body. For services such as ntfy.',
  example: 'json',
})
const language = z.enum(['en', 'it']).meta({ description: 'Of mail and of `text`.', example: 'en' })

export type AlertCondition = z.infer<typeof condition>
export type AlertGranularity = z.infer<typeof granularity>
export type AlertBodyForm = z.infer<typeof body>
export type AlertLanguage = z.infer<typeof language>

interface Receivers {
  webhook_url?: string | undefined
  email?: true | undefined
  body?: AlertBodyForm | undefined
}
const isOneReceiver = ({ webhook_url: url, email }: Receivers) => url === undefined || email === undefined
const ONE_RECEIVER = { path: ['email'], message: 'must be left out with webhook_url' }
const hasBodyToChoose = ({ email, body }: Receivers) => email === undefined || body !== 'text'
const BODY_OF_CALLS = { path: ['body'], message: 'must be left out with email' }

export const newAlert = z
  .strictObject({
    asset,
    condition,
    threshold,
    webhook_url: webhookUrl.optional(),
    email: email.optional(),
    granularity: granularity.default('day'),
    body: body.default('json'),
    language: language.default('en'),
  })
  .refine(({ webhook_url: url, email }) => url !== undefined || email !== undefined, { path: ['webhook_url'] })
  .refine(isOneReceiver, ONE_RECEIVER)
  .refine(hasBodyToChoose, BODY_OF_CALLS)
  .refine(({ condition, threshold }) => condition !== 'change_pct' || threshold !== 0, {
    path: ['threshold'],
    message: 'must not be 0 for change_pct',
  })
  .refine(({ condition, granularity }) => condition !== 'change_pct' || granularity === 'day', {
    path: ['granularity'],
    message: 'must be day for change_pct',
  })
  .refine(({ asset, granularity }) => granularity === 'day' || !DAILY_ONLY_ASSETS.includes(asset), {
    path: ['granularity'],
    message: 'must be day for psv and ttf, which have no hours',
  })
  .meta({
    id: 'NewAlert',
    description: 'An alert to be created.',
    example: { asset: 'pun', condition: 'above', threshold: 150, webhook_url: 'https://hooks.example.com/energy' },
  })

export const alertChange = z
  .strictObject({ threshold, webhook_url: webhookUrl, email, body, language })
  .partial()
  .refine(isOneReceiver, ONE_RECEIVER)
  .refine(hasBodyToChoose, BODY_OF_CALLS)
  .meta({ id: 'AlertChange', description: 'What of an alert is changed.', example: { threshold: 160 } })

export const alert = z
  .strictObject({
    id: alertId,
    asset,
    condition,
    threshold,
    webhook_url: webhookUrl.optional(),
    email: email.optional().meta({ description: 'Where it is by mail, which has no `webhook_url`.' }),
    granularity: z.literal('hour').optional().meta({ description: 'Where hours are compared.' }),
    body: z.literal('text').optional().meta({ description: 'Where calls have a sentence as their body.' }),
    language: z.literal('it').optional().meta({ description: 'Where it is not English.' }),
    ...receiverState,
  })
  .meta({ id: 'Alert', description: 'An alert.' })
export type Alert = z.infer<typeof alert>

export const createdAlert = z
  .strictObject({ ...alert.shape, signing_secret: signingSecret })
  .meta({ id: 'CreatedAlert', description: 'An alert with its signing secret.' })

/** Filters of the list of alerts. */
export const alertFilters = z.object({
  asset: asset.optional().meta({ description: 'Only alerts on this index.' }),
  condition: condition.optional().meta({ description: 'Only alerts with this condition.' }),
  granularity: granularities.optional().meta({ description: 'Only alerts on days, or on hours.' }),
  status: receiverState.status.optional().meta({ description: 'Only active or only suspended alerts.' }),
})

export const alertList = z
  .strictObject({ count: z.int(), alerts: z.array(alert).meta({ description: 'The oldest first.' }) })
  .meta({ id: 'AlertList', description: 'The alerts of the key.' })

/** The body of a call. Its text is signed, so it is serialised once per event and sent unchanged at every attempt. Spec: "Events". */
export const alertCall = z
  .strictObject({
    type: z.enum(['alert.triggered', 'alert.test']),
    alert_id: alertId,
    asset: field.text('The index in capitals.', 'PUN'),
    condition,
    threshold,
    value: field.number.nullable('Value that crossed it; of a test the latest one, or null.', 152.347381),
    unit: z.literal(ALERT_UNIT),
    date: field.day.nullable('Market day.', '2026-11-22'),
    triggered_at: field.instant('UTC.', '2026-11-21T12:01:00Z'),
    hours: z
      .array(z.iso.datetime({ offset: true }))
      .optional()
      .meta({
        description:
          'Only for alerts on hours: the starts of the hours that meet the condition; `value` is the lowest or highest of their prices.',
      }),
  })
  .meta({ id: 'AlertCall', description: 'The body of a call about an alert.' })
export type AlertCallBody = z.infer<typeof alertCall>

/** Pages opened by the links in mail. */
export const ALERT_LINK_PATHS = { confirm: '/alerts/confirm', stop: '/alerts/stop' } as const
export type AlertLinkAction = keyof typeof ALERT_LINK_PATHS
export const ALERT_LINK_FIELDS = ['id', 'expires', 'signature'] as const
export type AlertLink = Record<(typeof ALERT_LINK_FIELDS)[number], string>
