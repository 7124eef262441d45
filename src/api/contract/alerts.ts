/** Alerts and the call to their receiver. Spec: "Alert", "Events"; decisions: "Alerts and webhooks". */
import * as z from 'zod'
import { ALL_MARKET_ZONES } from '../../market/zones.ts'
import { anyCase } from './parameters.ts'
import { type CallType, receiverState, signingSecret, webhookUrl } from './webhooks.ts'

/** The specification names those of two zones; the other zones' are additions. */
const ALERT_ASSETS = ['pun', 'psv', 'ttf', ...ALL_MARKET_ZONES.map((zone) => `pun-zona-${zone}` as const)] as const
export type AlertAsset = (typeof ALERT_ASSETS)[number]
const ALERT_CONDITIONS = ['above', 'below', 'change_pct'] as const
export type AlertCondition = (typeof ALERT_CONDITIONS)[number]
/** `hour`: each hour of the day is compared. */
const ALERT_GRANULARITIES = ['day', 'hour'] as const
export type AlertGranularity = (typeof ALERT_GRANULARITIES)[number]
/** Gas has no hours. */
const HOURLESS: readonly AlertAsset[] = ['psv', 'ttf']

/** Of thresholds and values. */
export const ALERT_UNIT = '€/MWh'
/** Prices and percentages beyond it are typing errors. */
const THRESHOLD_MAX = 1_000_000

const alertId = z.string().meta({ description: 'Identifier of the alert.', example: 'alr_5k2m9q7x1c4d8f3g' })
const asset = anyCase(
  z.enum(ALERT_ASSETS).meta({ id: 'AlertAsset', description: 'The monitored index.', example: 'pun' }),
)
const condition = z.enum(ALERT_CONDITIONS).meta({
  id: 'AlertCondition',
  description:
    '`above` and `below` fire when the daily price turns from not meeting the threshold to meeting it, or at the first publication ' +
    'after creation if it is met. `change_pct` fires when the change against the previous market day reaches the threshold: 5 is a ' +
    'rise of at least 5 %, -5 a fall of at least 5 %.',
  example: 'above',
})
const threshold = z
  .number()
  .min(-THRESHOLD_MAX)
  .max(THRESHOLD_MAX)
  .meta({ description: 'In €/MWh, or percent for `change_pct`.', example: 150 })

const granularity = z.enum(ALERT_GRANULARITIES).meta({
  description:
    '`day` compares the price of the day. `hour` compares each hour, with `above` and `below`, of the PUN and the zones: it fires on every ' +
    'day that has such an hour, when the day is published.',
  example: 'day',
})

export const newAlert = z
  .strictObject({
    asset,
    condition,
    threshold,
    webhook_url: webhookUrl,
    granularity: granularity.default('day'),
  })
  .refine(({ condition, threshold }) => condition !== 'change_pct' || threshold !== 0, {
    path: ['threshold'],
    message: 'must not be 0 for change_pct',
  })
  .refine(({ condition, granularity }) => condition !== 'change_pct' || granularity === 'day', {
    path: ['granularity'],
    message: 'must be day for change_pct',
  })
  .refine(({ asset, granularity }) => granularity === 'day' || !HOURLESS.includes(asset), {
    path: ['granularity'],
    message: 'must be day for psv and ttf, which have no hours',
  })
  .meta({
    id: 'NewAlert',
    description: 'An alert to be created.',
    example: { asset: 'pun', condition: 'above', threshold: 150, webhook_url: 'https://hooks.example.com/energy' },
  })

export const alert = z
  .strictObject({
    id: alertId,
    asset,
    condition,
    threshold,
    webhook_url: webhookUrl,
    granularity: z.literal('hour').optional().meta({ description: 'Where hours are compared.' }),
    ...receiverState,
  })
  .meta({ id: 'Alert', description: 'An alert.' })
export type Alert = z.infer<typeof alert>

export const createdAlert = z
  .strictObject({ ...alert.shape, signing_secret: signingSecret })
  .meta({ id: 'CreatedAlert', description: 'An alert with its signing secret.' })

/** Which alerts to list. */
export const alertFilters = z.object({
  asset: asset.optional().meta({ description: 'Only alerts on this index.' }),
  condition: condition.optional().meta({ description: 'Only alerts with this condition.' }),
  granularity: z.enum(ALERT_GRANULARITIES).optional().meta({ description: 'Only alerts on days, or on hours.' }),
  status: receiverState.status.optional().meta({ description: 'Only active or only suspended alerts.' }),
})

export const alertList = z
  .strictObject({ count: z.int(), alerts: z.array(alert).meta({ description: 'The oldest first.' }) })
  .meta({ id: 'AlertList', description: 'The alerts of the key.' })

/** The body of a call; its text is signed, so it is made once per event and the same at every attempt. Spec: "Events". */
export interface AlertCallBody {
  type: CallType
  alert_id: string
  asset: string
  condition: AlertCondition
  threshold: number
  value: number | null
  unit: typeof ALERT_UNIT
  date: string | null
  triggered_at: string
  /** Only of alerts on hours: starts of the hours that meet the condition, of which `value` is the lowest or the highest. */
  hours?: string[]
}
