/** Alerts, their deliveries and the call to the webhook. Spec: "Alert", "Events"; decisions: "Alerts and webhooks". */
import * as z from 'zod'
import { ALL_MARKET_ZONES } from '../../market/zones.ts'
import { isoDate } from './observations.ts'

/** The specification names those of two zones; the other zones' are additions. */
const ALERT_ASSETS = ['pun', 'psv', 'ttf', ...ALL_MARKET_ZONES.map((zone) => `pun-zona-${zone}` as const)] as const
export type AlertAsset = (typeof ALERT_ASSETS)[number]
const ALERT_CONDITIONS = ['above', 'below', 'change_pct'] as const
export type AlertCondition = (typeof ALERT_CONDITIONS)[number]
const ALERT_STATUSES = ['active', 'suspended'] as const
const VERIFICATIONS = ['pending', 'verified'] as const
/** What is sent to a webhook, by subject. */
export const CALL_TYPES = {
  triggered: 'alert.triggered',
  test: 'alert.test',
  verification: 'webhook.verification',
} as const
export type AlertEventKind = keyof typeof CALL_TYPES
const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const
export const ATTEMPT_OUTCOMES = [
  'delivered',
  'bad_status',
  'redirect',
  'gone',
  'timeout',
  'refused_address',
  'connection_failed',
  'not_echoed',
] as const
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number]

/** What may be sent beside a body: nothing. */
export const ALERT_UNIT = '€/MWh'
export const WEBHOOK_URL_LENGTH_MAX = 2048
/** Tests, replays and challenges that may be requested per alert. */
export const CALLS_PER_MINUTE = 6
/** Prices and percentages beyond it are typing errors. */
const THRESHOLD_MAX = 1_000_000

const instant = z.iso.datetime()
const alertId = z.string().meta({ description: 'Identifier of the alert.', example: 'alr_5k2m9q7x1c4d8f3g' })
const asset = z.enum(ALERT_ASSETS).meta({ description: 'The monitored index.', example: 'pun' })
const condition = z.enum(ALERT_CONDITIONS).meta({
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

export const newAlert = z
  .strictObject({
    asset,
    condition,
    threshold,
    webhook_url: z.string().meta({
      description: `HTTPS address that receives the notification: public, at most ${WEBHOOK_URL_LENGTH_MAX} characters, without credentials.`,
      example: 'https://hooks.example.com/energy',
    }),
  })
  .refine(({ condition, threshold }) => condition !== 'change_pct' || threshold !== 0, {
    path: ['threshold'],
    message: 'must not be 0 for change_pct',
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
    webhook_url: z.string().meta({ description: 'Where calls go.', example: 'https://hooks.example.com/energy' }),
    status: z.enum(ALERT_STATUSES).meta({ description: 'A suspended alert does not fire.', example: 'active' }),
    verification: z.enum(VERIFICATIONS).optional().meta({
      description:
        'Where the service verifies receivers: `pending` until the receiver has sent a challenge back; nothing else is sent before.',
      example: 'verified',
    }),
    created_at: instant.meta({ description: 'UTC.', example: '2026-11-21T10:00:00Z' }),
    consecutive_failures: z.int().meta({ description: 'Failed attempts since the last success.', example: 0 }),
    suspended_at: instant.optional(),
    suspended_because: z.enum(['failures', 'gone']).optional().meta({
      description: '`failures`: 20 attempts in a row failed. `gone`: the receiver answered 410.',
      example: 'failures',
    }),
    owner_notified: z.enum(['pending', 'sent', 'failed', 'not_sent']).optional().meta({
      description: 'State of the e-mail about the suspension; `not_sent` where there is no address or no mail server.',
      example: 'sent',
    }),
  })
  .meta({ id: 'Alert', description: 'An alert.' })
export type Alert = z.infer<typeof alert>

const signingSecret = z.string().meta({
  description: 'Signs the calls. Shown only now.',
  example: 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=',
})

export const createdAlert = z
  .strictObject({ ...alert.shape, signing_secret: signingSecret })
  .meta({ id: 'CreatedAlert', description: 'An alert with its signing secret.' })

export const alertList = z
  .strictObject({ count: z.int(), alerts: z.array(alert).meta({ description: 'The oldest first.' }) })
  .meta({ id: 'AlertList', description: 'The alerts of the key.' })

export const rotatedSecret = z
  .strictObject({
    id: alertId,
    signing_secret: signingSecret,
    previous_secret_valid_until: instant.meta({ description: 'Until then calls are signed with both secrets.' }),
  })
  .meta({ id: 'RotatedSecret', description: 'A new signing secret.' })

const attempt = z.strictObject({
  number: z.int().meta({ example: 1 }),
  started_at: instant,
  duration_ms: z.int().meta({ example: 130 }),
  outcome: z.enum(ATTEMPT_OUTCOMES).meta({ description: 'Its outcome.', example: 'bad_status' }),
  status_code: z.int().optional().meta({ description: 'HTTP status, if there was one.', example: 500 }),
  detail: z.string().optional().meta({ description: 'What went wrong.', example: 'the receiver answered 500' }),
})

export const alertDelivery = z
  .strictObject({
    id: z.string().meta({ example: 'dlv_0f8fad5bd9cb469fa16570867728950e' }),
    webhook_id: z.string().meta({
      description: 'The header `webhook-id` of every call about the event: receivers recognise repeats by it.',
      example: 'msg_7c9e6679742540de944be07fc1f90ae7',
    }),
    type: z.enum(CALL_TYPES),
    date: isoDate.optional().meta({ description: 'Market day of the event.', example: '2026-11-21' }),
    status: z.enum(DELIVERY_STATUSES),
    created_at: instant,
    next_attempt_at: instant.optional().meta({ description: 'While it is pending.' }),
    finished_at: instant.optional(),
    attempts: z.array(attempt),
  })
  .meta({ id: 'AlertDelivery', description: 'One sending of an event, with its attempts.' })
export type AlertDelivery = z.infer<typeof alertDelivery>

export const deliveryList = z
  .strictObject({ count: z.int(), deliveries: z.array(alertDelivery).meta({ description: 'The newest first.' }) })
  .meta({ id: 'AlertDeliveryList', description: 'The latest deliveries of an alert.' })

/** The body of the verification call. The receiver confirms that it wants calls by returning the challenge. */
export interface ChallengeBody {
  type: typeof CALL_TYPES.verification
  alert_id: string
  challenge: string
}

/** The body of a call; its text is signed, so it is made once per event and the same at every attempt. Spec: "Events". */
export interface WebhookBody {
  type: typeof CALL_TYPES.triggered | typeof CALL_TYPES.test
  alert_id: string
  asset: string
  condition: AlertCondition
  threshold: number
  value: number | null
  unit: typeof ALERT_UNIT
  date: string | null
  triggered_at: string
}
