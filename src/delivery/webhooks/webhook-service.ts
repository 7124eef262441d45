/** Operations of key holders on their alerts or change webhooks. Every method takes the caller's key; those of other holders are not found. */
import { randomBytes } from 'node:crypto'
import { WEBHOOK_URL_LENGTH_MAX } from '../../api/contract/webhooks.ts'
import type { Awaitable } from '../../platform/awaitable.ts'
import type { Clock } from '../../platform/clock.ts'
import type { AddressRules } from '../../platform/egress/address-rules.ts'
import { AddressRefused, checkHost, type Resolve } from '../../platform/egress/checked-lookup.ts'
import { hostAddress, type PublicUrlRules, portOf, readPublicUrl } from '../../platform/egress/public-url.ts'
import { currentRequestId } from '../../platform/request-id.ts'
import { randomId } from '../../platform/secret.ts'
import type { Sql } from '../../store/database.ts'
import {
  type CallRequest,
  type CallResult,
  type DeliveryRecord,
  findDelivery,
  insertChallenge,
  insertReplay,
  insertTest,
  listDeliveries,
} from '../../store/webhook-events.ts'
import {
  deleteWebhook,
  findWebhook,
  ID_PREFIXES,
  insertWebhook,
  isVerifiedWebhook,
  listWebhooks,
  type Receiver,
  resumeWebhook,
  rotateWebhookSecret,
  updateWebhook,
  type WebhookKind,
  type WebhookRecord,
  type WebhookSettings,
} from '../../store/webhooks.ts'
import { isMail, MAIL_HOST, mailReceiver } from './mail-receiver.ts'
import { DELIVERY_HOURS, TEST_HOURS } from './retry-schedule.ts'
import type { SecretBox } from './secret-box.ts'
import { makeSigningSecret } from './webhook-signature.ts'

const DELIVERIES_LISTED_MAX = 100
const CHALLENGE_BYTES = 24
/** Limit per key holder, who may not have requested these mails. */
const CONFIRMATION_MAILS_PER_DAY = 10

/** `email`: the address of the key's holder; null if the key has none. */
export type ReceiverInput = { url: string } | { email: string | null }

type RefusedReceiver = { refused: 'receiver'; field: 'url' | 'email'; problem: string } | TooManyChallenges

export type CreateResult<K extends WebhookKind> =
  | { webhook: WebhookRecord<K>; signingSecret: string }
  | { refused: 'too_many'; most: number }
  | RefusedReceiver
export type ChangeResult<K extends WebhookKind> = { webhook: WebhookRecord<K> } | RefusedReceiver

/** A delivery that the caller requested; undefined if there is no such webhook or delivery. */
export type RequestedDelivery =
  | { delivery: DeliveryRecord }
  | { refused: 'too_many_calls'; retryAfterSeconds: number }
  /** A test of a webhook with an unverified receiver, or a challenge when none is due. */
  | { refused: 'unverified' | 'no_challenge_due' }
  | TooManyChallenges

interface TooManyChallenges {
  refused: 'too_many_challenges'
  retryAfterSeconds: number
}

/** `root`: the first key in the holder's chain of rotations; it owns the webhooks. */
export interface WebhookService<K extends WebhookKind> {
  /** Refused if the key already has `most` of this kind. */
  create(
    root: string,
    creation: { settings: WebhookSettings[K]; receiving: ReceiverInput; most: number },
  ): Promise<CreateResult<K>>
  /** Leaves undefined settings and the secret unchanged. Returns undefined if there is no such webhook. */
  change(
    root: string,
    id: string,
    change: { settings: Partial<WebhookSettings[K]>; receiving?: ReceiverInput | undefined },
  ): Promise<ChangeResult<K> | undefined>
  list(root: string): Promise<WebhookRecord<K>[]>
  find(root: string, id: string): Promise<WebhookRecord<K> | undefined>
  remove(root: string, id: string): Promise<boolean>
  resume(root: string, id: string): Promise<WebhookRecord<K> | undefined>
  rotateSecret(
    root: string,
    id: string,
  ): Promise<{ signingSecret: string; previousUntil: Temporal.Instant } | undefined>
  deliveries(root: string, id: string): Promise<DeliveryRecord[] | undefined>
  test(root: string, id: string): Promise<RequestedDelivery | undefined>
  replay(root: string, id: string, deliveryId: string): Promise<RequestedDelivery | undefined>
  /** Sends a challenge again. */
  verify(root: string, id: string): Promise<RequestedDelivery | undefined>
}

export interface WebhookServiceOptions {
  sql: Sql
  clock: Clock
  secrets: SecretBox
  addresses: AddressRules
  ports: readonly number[]
  /** Limit of challenges per host and holder. */
  challengesPerDay: number
  /** Whether a receiver must return a challenge before it is called about crossings. */
  verification: boolean
  /** Counts challenges per day: they go to addresses whose owners may not want them. */
  challengeLimiter: { consume(client: string, limit: number): Awaitable<{ admitted: boolean; resetSeconds: number }> }
  /** Whether mail can be sent. */
  mail: boolean
  /** Called when there is something to deliver. */
  wake(): Promise<unknown>
  resolve?: Resolve | undefined
}

export function webhookService<K extends WebhookKind>(kind: K, options: WebhookServiceOptions): WebhookService<K> {
  const { sql, clock, secrets, addresses, ports, challengeLimiter, wake, resolve } = options
  const rules: PublicUrlRules = { lengthMax: WEBHOOK_URL_LENGTH_MAX, ports, addresses }

  const newChallenge = () => randomBytes(CHALLENGE_BYTES).toString('base64url')
  const verificationOf = async (root: string, url: string): Promise<Receiver['verification']> => {
    if (!options.verification && !isMail(url)) return 'not_required'
    return (await isVerifiedWebhook(sql, root, url)) ? 'verified' : 'pending'
  }
  const checkChallengeLimit = async (root: string, url: string): Promise<TooManyChallenges | undefined> => {
    const { admitted, resetSeconds } = await challengeLimiter.consume(
      `webhook challenges, ${root} to ${hostOf(url)}`,
      isMail(url) ? CONFIRMATION_MAILS_PER_DAY : options.challengesPerDay,
    )
    return admitted ? undefined : { refused: 'too_many_challenges', retryAfterSeconds: resetSeconds }
  }
  const resolveReceiverUrl = async (receiving: ReceiverInput): Promise<{ url: string } | { problem: string }> => {
    if ('email' in receiving) {
      if (!options.mail) return { problem: 'must be left out: this service sends no mail' }
      if (receiving.email === null) return { problem: 'must be left out: the key has no address of its holder' }
      return { url: mailReceiver(receiving.email) }
    }
    const read = readPublicUrl(receiving.url, rules)
    if ('problem' in read) return read
    const isPublic = await isPublicHost(hostAddress(read.url), addresses, resolve)
    return isPublic ? { url: read.url.href } : { problem: 'must lead to a public address' }
  }
  /** Returns a receiver ready to be stored. If it needs a challenge, that has already been counted. */
  const receiverOf = async (root: string, receiving: ReceiverInput) => {
    const found = await resolveReceiverUrl(receiving)
    if ('problem' in found)
      return {
        refused: 'receiver' as const,
        field: 'url' in receiving ? ('url' as const) : ('email' as const),
        ...found,
      }
    const { url } = found
    const verification = await verificationOf(root, url)
    const refused = verification === 'pending' && (await checkChallengeLimit(root, url))
    return refused || { url, host: hostOf(url), verification, challenge: newChallenge() }
  }
  const requestDelivery = async (
    webhookId: string,
    hours: number,
    insert: (request: CallRequest) => Promise<CallResult>,
  ): Promise<RequestedDelivery | undefined> => {
    const now = clock.now()
    const result = await insert({ webhookId, now, giveUpAt: now.add({ hours }), requestId: currentRequestId() })
    if ('retryAfterSeconds' in result) return { refused: 'too_many_calls', ...result }
    await wake()
    const delivery = await findDelivery(sql, webhookId, result.deliveryId)
    return delivery && { delivery }
  }

  return {
    async create(root, { settings, receiving, most }) {
      const receiver = await receiverOf(root, receiving)
      if ('refused' in receiver) return receiver
      const id = randomId(ID_PREFIXES[kind], 16)
      const signingSecret = makeSigningSecret(randomBytes)
      const now = clock.now()
      const stored = await insertWebhook<WebhookKind>(
        sql,
        kind,
        root,
        {
          id,
          settings,
          ...receiver,
          secret: secrets.seal(signingSecret, id),
          createdAt: now,
          giveUpAt: now.add({ hours: DELIVERY_HOURS }),
          requestId: currentRequestId(),
        },
        most,
      )
      if (!stored) return { refused: 'too_many', most }
      if (receiver.verification === 'pending') await wake()
      const webhook = await findWebhook(sql, kind, root, id)
      if (webhook === undefined) throw new Error(`${id} is gone right after it was created`)
      return { webhook, signingSecret }
    },

    async change(root, id, { settings, receiving }) {
      if ((await findWebhook(sql, kind, root, id)) === undefined) return undefined
      const receiver = receiving && (await receiverOf(root, receiving))
      if (receiver && 'refused' in receiver) return receiver
      const now = clock.now()
      const giveUpAt = now.add({ hours: DELIVERY_HOURS })
      const challengeRequest = { webhookId: id, now, giveUpAt, requestId: currentRequestId() }
      await updateWebhook<WebhookKind>(sql, root, { settings, receiver }, challengeRequest)
      if (receiver?.verification === 'pending') await wake()
      const webhook = await findWebhook(sql, kind, root, id)
      return webhook && { webhook }
    },

    list: (root) => listWebhooks(sql, kind, root),
    find: (root, id) => findWebhook(sql, kind, root, id),
    remove: (root, id) => deleteWebhook(sql, root, id),

    async resume(root, id) {
      if (!(await resumeWebhook(sql, root, id, clock.now()))) return undefined
      await wake()
      return findWebhook(sql, kind, root, id)
    },

    async rotateSecret(root, id) {
      const signingSecret = makeSigningSecret(randomBytes)
      const previousUntil = clock.now().add({ hours: DELIVERY_HOURS })
      const secret = secrets.seal(signingSecret, id)
      const rotated = await rotateWebhookSecret(sql, root, id, { secret, previousUntil })
      return rotated ? { signingSecret, previousUntil } : undefined
    },

    async deliveries(root, id) {
      const webhook = await findWebhook(sql, kind, root, id)
      return webhook && listDeliveries(sql, id, DELIVERIES_LISTED_MAX)
    },

    async test(root, id) {
      const webhook = await findWebhook(sql, kind, root, id)
      if (webhook?.verification === 'pending') return { refused: 'unverified' }
      return webhook && requestDelivery(id, TEST_HOURS, (testRequest) => insertTest(sql, testRequest))
    },

    async replay(root, id, deliveryId) {
      const webhook = await findWebhook(sql, kind, root, id)
      const delivery = webhook && (await findDelivery(sql, id, deliveryId))
      return (
        delivery &&
        requestDelivery(id, DELIVERY_HOURS, (replayRequest) =>
          insertReplay(sql, { ...replayRequest, eventId: delivery.eventId }),
        )
      )
    },

    async verify(root, id) {
      const webhook = await findWebhook(sql, kind, root, id)
      if (webhook === undefined) return undefined
      if (webhook.verification !== 'pending') return { refused: 'no_challenge_due' }
      const refused = await checkChallengeLimit(root, webhook.url)
      return (
        refused ??
        requestDelivery(id, DELIVERY_HOURS, (resendRequest) =>
          insertChallenge(sql, { ...resendRequest, challenge: newChallenge() }),
        )
      )
    },
  }
}

function hostOf(text: string): string {
  if (isMail(text)) return MAIL_HOST
  const url = new URL(text)
  return `${url.hostname}:${portOf(url)}`
}

/** Only an early check: every connection repeats it. */
async function isPublicHost(host: string, addresses: AddressRules, resolve?: Resolve): Promise<boolean> {
  try {
    await checkHost(host, addresses, resolve)
    return true
  } catch (err) {
    if (err instanceof AddressRefused) return false
    throw err
  }
}
