/** Change webhooks, and the parts that alerts share with them. Spec: "Events"; decisions: "Alerts and webhooks". */
import * as z from 'zod'
import { ALL_MARKET_ZONES } from '../../market/zones.ts'
import { type ChangeKind, change, changeDataset, changeKind } from './changes.ts'
import * as field from './fields.ts'
import { anyCase, distinctListOf } from './parameters.ts'

const CALL_TYPES = ['alert.triggered', 'alert.test', 'webhook.test', 'webhook.verification'] as const
/** Kinds of events that are delivered to a receiver. */
export type WebhookEventKind = 'triggered' | 'changed' | 'test' | 'verification'
/** `type` of the body. */
export type CallType = (typeof CALL_TYPES)[number] | ChangeKind
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

export const WEBHOOK_URL_LENGTH_MAX = 2048
/** Tests, replays and challenges per minute, for each alert or webhook. */
export const CALLS_PER_MINUTE = 6

const instant = z.iso.datetime()

export const webhookUrl = z.string().meta({
  id: 'WebhookUrl',
  description: `Public HTTPS address that receives the calls. At most ${WEBHOOK_URL_LENGTH_MAX} characters, without credentials.`,
  example: 'https://hooks.example.com/energy',
})

/** The state of a receiver, in the responses for both alerts and webhooks. */
export const receiverState = {
  status: z.enum(['active', 'suspended']).meta({ description: 'A suspended one is not called.', example: 'active' }),
  verification: z
    .enum(['pending', 'verified'])
    .meta({
      id: 'Verification',
      description:
        'Where the service verifies receivers: `pending` until the receiver has sent a challenge back; nothing else is sent before.',
      example: 'verified',
    })
    .optional(),
  created_at: instant.meta({ description: 'UTC.', example: '2026-11-21T10:00:00Z' }),
  consecutive_failures: field.integer('Failed attempts since the last success.', 0),
  suspended_at: instant.optional(),
  suspended_because: z
    .enum(['failures', 'gone'])
    .meta({
      id: 'SuspensionCause',
      description: '`failures`: 20 attempts in a row failed. `gone`: the receiver answered 410.',
      example: 'failures',
    })
    .optional(),
  owner_notified: z
    .enum(['pending', 'sent', 'failed', 'not_sent'])
    .meta({
      id: 'OwnerNotice',
      description: 'State of the e-mail about the suspension; `not_sent` where there is no address or no mail server.',
      example: 'sent',
    })
    .optional(),
}

export const signingSecret = field.text(
  'Signs the calls. Shown only now.',
  'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=',
)

export const rotatedSecret = z
  .strictObject({
    id: field.text('Of the alert or webhook.'),
    signing_secret: signingSecret,
    previous_secret_valid_until: instant.meta({ description: 'Until then calls are signed with both secrets.' }),
  })
  .meta({ id: 'RotatedSecret', description: 'A new signing secret.' })

const attempt = z.strictObject({
  number: z.int().meta({ example: 1 }),
  started_at: instant,
  duration_ms: z.int().meta({ example: 130 }),
  outcome: z.enum(ATTEMPT_OUTCOMES).meta({ description: 'Its outcome.', example: 'bad_status' }),
  status_code: field.integer.optional('HTTP status, if there was one.', 500),
  detail: field.text.optional('What went wrong.', 'the receiver answered 500'),
})

export const webhookDelivery = z
  .strictObject({
    id: z.string().meta({ example: 'dlv_0f8fad5bd9cb469fa16570867728950e' }),
    webhook_id: field.text(
      'The header `webhook-id` of every call about the event: receivers recognise repeats by it.',
      'msg_7c9e6679742540de944be07fc1f90ae7',
    ),
    type: z.enum([...CALL_TYPES, ...changeKind.options]).meta({ description: 'As in the body of the call.' }),
    date: field.day.optional('Market day of the event.', '2026-11-21'),
    status: z.enum(['pending', 'delivered', 'failed']),
    created_at: instant,
    next_attempt_at: instant.optional().meta({ description: 'While it is pending.' }),
    finished_at: instant.optional(),
    attempts: z.array(attempt),
  })
  .meta({ id: 'WebhookDelivery', description: 'One sending of an event, with its attempts.' })
export type WebhookDelivery = z.infer<typeof webhookDelivery>

export const deliveryList = z
  .strictObject({ count: z.int(), deliveries: z.array(webhookDelivery).meta({ description: 'The newest first.' }) })
  .meta({ id: 'WebhookDeliveryList', description: 'The latest deliveries of an alert or webhook.' })

const subscription = {
  url: webhookUrl,
  events: distinctListOf(changeKind).meta({
    description: 'Kinds of changes to be called about.',
    example: ['day.published', 'day.corrected'],
  }),
  datasets: distinctListOf(changeDataset)
    .optional()
    .meta({ description: 'Only changes of these datasets. Default: all.', example: ['pun', 'zones'] }),
  zones: distinctListOf(anyCase(z.enum(ALL_MARKET_ZONES)))
    .optional()
    .meta({
      description: 'Of changes that name market zones, only those with one of these. Default: all.',
      example: ['nord'],
    }),
}

export const newWebhook = z.strictObject(subscription).meta({
  id: 'NewWebhook',
  description: 'A webhook to be created.',
  example: { url: 'https://hooks.example.com/energy', events: ['day.published', 'day.corrected'], datasets: ['pun'] },
})

export const webhook = z
  .strictObject({
    id: field.text('Identifier of the webhook.', 'whk_5k2m9q7x1c4d8f3g'),
    ...subscription,
    ...receiverState,
  })
  .meta({ id: 'Webhook', description: 'An address that is called about changes.' })
export type WebhookBody = z.infer<typeof webhook>

export const createdWebhook = z
  .strictObject({ ...webhook.shape, signing_secret: signingSecret })
  .meta({ id: 'CreatedWebhook', description: 'A webhook with its signing secret.' })

export const webhookList = z
  .strictObject({ count: z.int(), webhooks: z.array(webhook).meta({ description: 'The oldest first.' }) })
  .meta({ id: 'WebhookList', description: 'The webhooks of the key.' })

/** Settings that can be changed; null removes a filter. */
export const webhookChange = z
  .strictObject({ ...subscription, datasets: subscription.datasets.nullable(), zones: subscription.zones.nullable() })
  .partial()
  .meta({
    id: 'WebhookChange',
    description: 'What of a webhook is changed; `null` for all datasets or zones.',
    example: { events: ['day.published'], zones: null },
  })

/** The body of a call about a change, in the format of Standard Webhooks. */
export const changeCall = z
  .strictObject({
    type: z.enum([...changeKind.options, 'webhook.test']).meta({ example: 'day.published' }),
    webhook: field.text('Identifier of the webhook.', 'whk_5k2m9q7x1c4d8f3g'),
    timestamp: field.text('When it happened, UTC.', '2026-11-21T11:58:03.412Z'),
    data: change.nullable().meta({ description: 'The change; of a test the latest one, or null.' }),
  })
  .meta({ id: 'ChangeCall', description: 'The body of a call to a webhook.' })
export type ChangeCallBody = z.infer<typeof changeCall>

/** The body of the verification call. The receiver confirms by returning the challenge. */
export const challengeCall = z
  .strictObject({
    type: z.literal('webhook.verification'),
    alert_id: field.text.optional('Of an alert.', 'alr_5k2m9q7x1c4d8f3g'),
    webhook: field.text.optional('Of a webhook.'),
    challenge: field.text('To be sent back.', 'p3Yx0vL8mQ2rT6wZ9aBcDeFgHiJkLmNo'),
  })
  .meta({ id: 'ChallengeCall', description: 'The body of the call that verifies a receiver.' })
export type ChallengeBody = z.infer<typeof challengeCall>
