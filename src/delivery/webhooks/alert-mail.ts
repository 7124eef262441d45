/** Composes and sends mail about alerts; the result has the form of a webhook call's. */
import { SERVICE_NAME } from '../../api/contract/identity.ts'
import type { Clock } from '../../platform/clock.ts'
import type { ClaimedDelivery } from '../../store/webhook-deliveries.ts'
import { type Mailer, mailProblem } from '../mail/mailer.ts'
import type { AlertLinks } from './alert-links.ts'
import { alertSentence } from './alert-text.ts'
import { mailAddressOf } from './mail-receiver.ts'
import type { CallResult } from './webhook-client.ts'

/** Shorter than a claim. */
const DEADLINE_MS = 20_000

const TEXTS = {
  en: {
    confirmSubject: `Confirm alerts of ${SERVICE_NAME}`,
    confirm: [
      `An alert of ${SERVICE_NAME} was created for this address with the key that names it. To get alerts by mail, open this page and confirm:`,
      'The link works for 24 hours. If you do not want them, ignore this mail: nothing else is sent.',
    ],
    about: (id: string) => `Alert ${id}. To stop its mail:`,
  },
  it: {
    confirmSubject: `Conferma gli avvisi di ${SERVICE_NAME}`,
    confirm: [
      `È stato creato un avviso di ${SERVICE_NAME} per questo indirizzo, con la chiave a cui appartiene. Per ricevere gli avvisi per e-mail apri questa pagina e conferma:`,
      'Il link vale 24 ore. Se non li vuoi, ignora questo messaggio: non verrà inviato altro.',
    ],
    about: (id: string) => `Avviso ${id}. Per non ricevere più le sue e-mail:`,
  },
}

export interface AlertMail {
  send(delivery: ClaimedDelivery): Promise<CallResult>
}

interface AlertMailOptions {
  /** Undefined if no mail server is configured. */
  mailer: Pick<Mailer, 'send'> | undefined
  links: AlertLinks
  clock: Clock
  /** For tests. */
  deadlineMs?: number | undefined
}

export function alertMail({ mailer, links, clock, deadlineMs = DEADLINE_MS }: AlertMailOptions): AlertMail {
  return {
    async send(delivery) {
      const startedAt = clock.now()
      const started = performance.now()
      const finish = (outcome: CallResult['outcome'], detail?: string, cause?: string): CallResult => ({
        ...{ outcome, startedAt, detail, cause, statusCode: undefined, retryAfterSeconds: undefined },
        durationMs: Math.round(performance.now() - started),
      })
      if (mailer === undefined) return finish('refused_address', 'this service sends no mail')
      const signal = AbortSignal.timeout(deadlineMs)
      try {
        await mailer.send({ ...contentOf(delivery, links, startedAt), signal })
        return finish('delivered')
      } catch (err) {
        return signal.aborted
          ? finish('timeout', `the mail server did not take it within ${deadlineMs / 1000} seconds`)
          : finish('connection_failed', 'the mail server did not take it', mailProblem(err))
      }
    },
  }
}

function contentOf(delivery: ClaimedDelivery, links: AlertLinks, now: Temporal.Instant): Parameters<Mailer['send']>[0] {
  const { webhookId: id, url, language, kind } = delivery
  const texts = TEXTS[language]
  const to = mailAddressOf(url)
  if (kind === 'verification') {
    const [lead, end] = texts.confirm
    return {
      to,
      subject: texts.confirmSubject,
      text: [lead, '', links.make('confirm', { id, url, language, now }), '', end].join('\n'),
    }
  }
  const sentence = alertSentence(delivery)
  const stop = links.make('stop', { id, url, language, now })
  return {
    to,
    subject: sentence,
    text: [sentence, '', texts.about(id), stop].join('\n'),
    headers: { 'List-Unsubscribe': `<${stop}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
  }
}
