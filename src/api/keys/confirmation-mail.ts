/** The mail by which somebody confirms an address. It is the same for everybody, so it says nothing about who has a key. */

import { CONFIRMATION_HOURS } from '../../delivery/mail/confirmation-token.ts'
import { TOKEN_PLACE } from '../../store/key-requests.ts'
import { CONFIRMATION_PATH } from '../contract/developer-key.ts'
import { SERVICE_NAME } from '../contract/identity.ts'

/** Those of the pages. */
export type MailLanguage = 'en' | 'it'

const TEXTS: Record<MailLanguage, { subject: string; before: string[]; after: string[] }> = {
  en: {
    subject: `Your key for ${SERVICE_NAME}`,
    before: [
      `Somebody, presumably you, asked for a Developer key of ${SERVICE_NAME} for this address.`,
      'To get it, open this page and confirm:',
    ],
    after: [
      `The link is good once, for ${CONFIRMATION_HOURS} hours. If the address has a key already, the new one takes its place and the old one stops working.`,
      'If it was not you, do nothing: without your confirmation nothing happens.',
    ],
  },
  it: {
    subject: `La chiave per ${SERVICE_NAME}`,
    before: [
      `Qualcuno, presumibilmente Lei, ha chiesto una chiave Developer di ${SERVICE_NAME} per questo indirizzo.`,
      'Per ottenerla apra questa pagina e confermi:',
    ],
    after: [
      `Il link vale una volta, per ${CONFIRMATION_HOURS} ore. Se l'indirizzo ha già una chiave, la nuova prende il suo posto e la vecchia smette di funzionare.`,
      'Se non è stato Lei, non faccia nulla: senza la Sua conferma non accade nulla.',
    ],
  },
}

/** The token goes into the address when the mail is sent. */
export function confirmationMail(language: MailLanguage, baseUrl: URL): { subject: string; body: string } {
  const { subject, before, after } = TEXTS[language]
  const page = new URL(`/${language}${CONFIRMATION_PATH}`, baseUrl)
  return { subject, body: [...before, '', `${page.href}?token=${TOKEN_PLACE}`, '', ...after].join('\n') }
}
