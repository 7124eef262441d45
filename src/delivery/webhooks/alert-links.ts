/**
 * Links in mail about an alert: one to confirm the address, valid for a day, and one to stop the mail, which never expires. Each is signed
 * for the alert and its receiver. Opening a link only shows a page; the button on it, or that of the mail client, performs the action.
 */
import {
  ALERT_LINK_PATHS,
  type AlertLanguage,
  type AlertLink,
  type AlertLinkAction,
} from '../../api/contract/alerts.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Secret } from '../../platform/secret.ts'
import { textSigner } from '../../platform/text-signer.ts'
import type { Sql } from '../../store/database.ts'
import { findReceiver, markReceiverVerified, stopMail } from '../../store/webhooks.ts'

const CONFIRM_HOURS = 24
const NEVER = 'never'

interface LinkTarget {
  id: string
  url: string
}

export interface AlertLinks {
  make(action: AlertLinkAction, to: LinkTarget & { language: AlertLanguage; now: Temporal.Instant }): string
  /** `url`: the current receiver of the alert. */
  isGood(action: AlertLinkAction, link: AlertLink, url: string, now: Temporal.Instant): boolean
}

export function alertLinks(baseUrl: URL, current: Secret, previous: readonly Secret[] = []): AlertLinks {
  const signer = textSigner('links in mail about alerts', current, previous)
  const signed = (action: AlertLinkAction, { id, url }: LinkTarget, expires: string) =>
    [action, id, url, expires].join('\n')
  return {
    make(action, { language, now, ...to }) {
      const until = now.add({ hours: CONFIRM_HOURS }).epochMilliseconds / 1_000
      const expires = action === 'confirm' ? String(Math.floor(until)) : NEVER
      const link = new URL(`/${language}${ALERT_LINK_PATHS[action]}`, baseUrl)
      const fields: AlertLink = { id: to.id, expires, signature: signer.sign(signed(action, to, expires)) }
      link.search = String(new URLSearchParams(fields))
      return link.href
    },
    isGood: (action, { id, expires, signature }, url, now) =>
      signer.isValidSignature(signed(action, { id, url }, expires), signature) &&
      (expires === NEVER || Number(expires) * 1_000 > now.epochMilliseconds),
  }
}

export interface AlertLinkService {
  isGood(action: AlertLinkAction, link: AlertLink): Promise<boolean>
  /** Confirms the address or stops the mail. Returns false and does nothing if the link is invalid or expired. */
  follow(action: AlertLinkAction, link: AlertLink): Promise<boolean>
}

export function alertLinkService({
  sql,
  clock,
  links,
  wake,
}: {
  sql: Sql
  clock: Clock
  links: AlertLinks
  /** Called when there may be something to deliver. */
  wake(): Promise<unknown>
}): AlertLinkService {
  const isGood = async (action: AlertLinkAction, link: AlertLink) => {
    const url = await findReceiver(sql, link.id)
    return url !== undefined && links.isGood(action, link, url, clock.now())
  }
  return {
    isGood,
    async follow(action, link) {
      if (!(await isGood(action, link))) return false
      if (action === 'stop') await stopMail(sql, link.id, clock.now())
      else {
        await markReceiverVerified(sql, link.id, clock.now())
        await wake()
      }
      return true
    },
  }
}
