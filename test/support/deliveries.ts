/** Runs deliveries as the worker does, on a clock that the test controls. */
import { alertLinks } from '../../src/delivery/webhooks/alert-links.ts'
import { alertMail } from '../../src/delivery/webhooks/alert-mail.ts'
import { deliverDue } from '../../src/delivery/webhooks/deliver-due.ts'
import type { SecretBox } from '../../src/delivery/webhooks/secret-box.ts'
import type { WebhookClient } from '../../src/delivery/webhooks/webhook-client.ts'
import { SECRETS_KEY_BYTES, Secret } from '../../src/platform/secret.ts'
import type { Sql } from '../../src/store/database.ts'
import { type AttemptEffect, failExpiredDeliveries } from '../../src/store/webhook-deliveries.ts'
import { newSecretBox, testWebhookClient } from './alerts.ts'
import type { TestService } from './service.ts'

/** SECRETS_KEY of the service that the links in the mail lead to. */
export const LINKS_KEY = Buffer.alloc(SECRETS_KEY_BYTES, 7).toString('base64')
const links = alertLinks(new URL('https://energy.example'), new Secret(LINKS_KEY))
const neverAborted = new AbortController().signal

export interface DeliverOptions {
  sql: Sql
  client: WebhookClient
  secrets: SecretBox
  now: Temporal.Instant
  /** Receives the mail; without it, no mail is sent. */
  mailer?: Parameters<typeof alertMail>[0]['mailer']
  mailDeadlineMs?: number
}

/** Makes every call that is due at that instant; returns their effects. */
export async function deliverAt({
  sql,
  client,
  secrets,
  now,
  mailer,
  mailDeadlineMs,
}: DeliverOptions): Promise<AttemptEffect[]> {
  const effects: AttemptEffect[] = []
  const faults: unknown[] = []
  await failExpiredDeliveries(sql, now)
  await deliverDue({
    sql,
    client,
    mail: alertMail({ mailer, links, clock: { now: () => now }, deadlineMs: mailDeadlineMs }),
    secrets,
    clock: { now: () => now },
    random: () => 0.5,
    baseUrl: new URL('https://energy.example'),
    signal: neverAborted,
    cutOff: neverAborted,
    onCall: () => {},
    onEffect: (effect) => effects.push(effect),
    onError: (err) => faults.push(err),
  })
  if (faults.length > 0) throw faults[0]
  return effects
}

/** Sends the alert mail that is due; returns the link in the last one. The service must have LINKS_KEY. */
export async function mailedLink({ sql, service, baseUrl }: TestService): Promise<string> {
  const now = service.clock.now()
  const texts: string[] = []
  const mailer = { send: async ({ text }: { text: string }) => void texts.push(text) }
  await using client = testWebhookClient({ ports: [], now: () => now })
  await deliverAt({ sql, client, secrets: newSecretBox(), now, mailer })
  const [link] = /https:\S+/.exec(texts.at(-1) ?? '') ?? []
  if (link === undefined) throw new Error('no mail was due')
  return link.replace('https://energy.example', baseUrl)
}
