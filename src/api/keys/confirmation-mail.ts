/** The mail that confirms an address. It is the same for everybody, so it reveals nothing about who has a key. */
import { CONFIRMATION_HOURS } from '../../delivery/mail/confirmation-token.ts'
import { TOKEN_PLACEHOLDER } from '../../store/key-requests.ts'
import { CONFIRMATION_PATH, SERVICE_NAME } from '../contract/identity.ts'

/** The languages of the pages. */
export type MailLanguage = 'en' | 'it'

const TEXTS: Record<MailLanguage, { subject: string; before: string[]; after: string[] }> = {
  en: {
    subject: `Your key for ${SERVICE_NAME}`,
    before: [
      `Somebody, presumably you, requested a Developer key of ${SERVICE_NAME} for this address.`,
      'To get it, open this page and confirm:',
    ],
    after: [
      `The link works once, within ${CONFIRMATION_HOURS} hours. If the address already has a key, the new one replaces it and the old one stops working.`,
      'If it was not you, ignore this mail: without your confirmation nothing happens.',
    ],
  },
  it: {
    subject: `La chiave per ${SERVICE_NAME}`,
    before: [
      `Qualcuno, presumibilmente tu, ha chiesto una chiave Developer di ${SERVICE_NAME} per questo indirizzo.`,
      'Per ottenerla apri questa pagina e conferma:',
    ],
    after: [
      `Il link vale una sola volta, entro ${CONFIRMATION_HOURS} ore. Se l'indirizzo ha già una chiave, la nuova la sostituisce e la vecchia smette di funzionare.`,
      'Se non sei stato tu, ignora questo messaggio: senza la tua conferma non accade nulla.',
    ],
  },
}

/** The token is inserted into the URL when the mail is sent. */
export function confirmationMail(language: MailLanguage, baseUrl: URL): { subject: string; body: string } {
  const { subject, before, after } = TEXTS[language]
  const page = new URL(`/${language}${CONFIRMATION_PATH}`, baseUrl)
  return { subject, body: [...before, '', `${page.href}?token=${TOKEN_PLACEHOLDER}`, '', ...after].join('\n') }
}
