/** The mail by which somebody confirms an address. It is the same for everybody, so it says nothing about who has a key. */
import { SERVICE_NAME } from '../contract/identity.ts'
import { TOKEN_PLACE } from '../store/key-requests.ts'

/** `page`: the address at which a token is confirmed; it goes into the parameter `token`. */
export function confirmationMail(page: URL, validHours: number): { subject: string; body: string } {
  return {
    subject: `Your key for ${SERVICE_NAME}`,
    body: [
      `Somebody, presumably you, asked for a Developer key of ${SERVICE_NAME} for this address.`,
      'To get it, open this page and confirm:',
      '',
      `${page.href}?token=${TOKEN_PLACE}`,
      '',
      `The link is good once, for ${validHours} hours. If the address has a key already, the new one takes its place and the old one stops working.`,
      'If it was not you, do nothing: without your confirmation nothing happens.',
    ].join('\n'),
  }
}
