/** Developer keys by self-service: an address is confirmed by mail, then its key is issued, once. */
import { hash } from 'node:crypto'
import { isWellFormedConfirmationToken } from '../../delivery/mail/confirmation-token.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Sql } from '../../store/database.ts'
import { confirmKeyRequest, insertKeyRequest, isTokenGood } from '../../store/key-requests.ts'
import { newApiKey } from '../access/api-key.ts'
import type { RateLimiter } from '../access/rate-limiter.ts'
import { confirmationMail, type MailLanguage } from './confirmation-mail.ts'
import { readEmailAddress } from './email-address.ts'

/** Lifetime of a request: longer than the two days for which its mail is retried. */
const REQUEST_HOURS = 60

/** Per 24 hours, counted from the first. */
const MAILS_PER_ADDRESS = 3
const REQUESTS_PER_CLIENT = 10
const CONFIRMATIONS_PER_CLIENT = 30

/** `client`: the network address of the caller, as the rate limits count it. */
type Requested = { outcome: 'accepted' } | { outcome: 'no_address' } | TooMany
type Confirmed = { outcome: 'issued' | 'replaced'; keyId: string; key: string } | { outcome: 'not_good' } | TooMany
interface TooMany {
  outcome: 'too_many'
  retryAfterSeconds: number
}

export interface DeveloperKeyService {
  /** Also accepted if no mail is sent because the address has reached its limit: the response reveals nothing about an address. */
  request(email: string, client: string, language: MailLanguage): Promise<Requested>
  /** Whether confirming could succeed. */
  isTokenValid(token: string): Promise<boolean>
  confirm(token: string, client: string): Promise<Confirmed>
}

interface DeveloperKeyServiceOptions {
  sql: Sql
  clock: Clock
  /** Counts per day. */
  days: RateLimiter
  /** Base URL of the pages that confirm tokens. */
  baseUrl: URL
  /** Called when there is a mail to send. */
  wake(): Promise<unknown>
}

export function developerKeyService({
  sql,
  clock,
  days,
  baseUrl,
  wake,
}: DeveloperKeyServiceOptions): DeveloperKeyService {
  return {
    async request(text, client, language) {
      const email = readEmailAddress(text.trim())
      if (email === undefined) return { outcome: 'no_address' }
      const asked = await days.consume(`developer key, requests of ${client}`, REQUESTS_PER_CLIENT)
      if (!asked.admitted) return { outcome: 'too_many', retryAfterSeconds: asked.resetSeconds }
      // Hashed, because the store of the limits must not contain e-mail addresses.
      const mailed = await days.consume(`developer key, mails to ${hash('sha256', email.mailbox)}`, MAILS_PER_ADDRESS)
      if (mailed.admitted) {
        const now = clock.now()
        const expiresAt = now.add({ hours: REQUEST_HOURS })
        const mail = confirmationMail(language, baseUrl)
        await insertKeyRequest(sql, { email: email.address, holder: email.mailbox, mail, expiresAt, now })
        await wake()
      }
      return { outcome: 'accepted' }
    },

    async isTokenValid(token) {
      return isWellFormedConfirmationToken(token) && (await isTokenGood(sql, hash('sha256', token), clock.now()))
    },

    async confirm(token, client) {
      const asked = await days.consume(`developer key, confirmations of ${client}`, CONFIRMATIONS_PER_CLIENT)
      if (!asked.admitted) return { outcome: 'too_many', retryAfterSeconds: asked.resetSeconds }
      if (!isWellFormedConfirmationToken(token)) return { outcome: 'not_good' }
      const now = clock.now()
      const { key, ...stored } = newApiKey()
      const outcome = await confirmKeyRequest(sql, hash('sha256', token), stored, now)
      return outcome === undefined ? { outcome: 'not_good' } : { outcome, keyId: stored.id, key }
    },
  }
}
