/** E-mail addresses: which are valid, and which of them reach the same mailbox. */
import { domainToASCII } from 'node:url'

const LENGTH_MAX = 254
/** A dot-atom of RFC 5322: without quotes and comments, which real mailboxes do not use. */
const LOCAL = /^(?=.{1,64}$)[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i
/** A host name of at least two labels. */
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/i
/** Both domains reach the same mailboxes. */
const GOOGLE_DOMAINS = new Set(['gmail.com', 'googlemail.com'])

interface EmailAddress {
  /** The address to which mail is sent. */
  address: string
  /** The canonical form, the same for all spellings that are known to reach the same mailbox. */
  mailbox: string
}

/** `Ada+prices@Example.com` has the address `Ada+prices@example.com` and the mailbox `ada@example.com`. Undefined if not an address. */
export function readEmailAddress(text: string): EmailAddress | undefined {
  const at = text.lastIndexOf('@')
  const local = text.slice(0, at)
  const domain = domainToASCII(text.slice(at + 1)).toLowerCase()
  if (at < 1 || !LOCAL.test(local) || !DOMAIN.test(domain)) return undefined
  const address = `${local}@${domain}`
  if (address.length > LENGTH_MAX) return undefined
  return { address, mailbox: mailboxOf(local, domain) }
}

/** At common providers, case and a suffix after a plus do not distinguish mailboxes; at Google, neither do dots. */
function mailboxOf(local: string, domain: string): string {
  const [name = local] = local.toLowerCase().split('+', 1)
  const base = name === '' ? local.toLowerCase() : name
  return GOOGLE_DOMAINS.has(domain) ? `${base.replaceAll('.', '')}@gmail.com` : `${base}@${domain}`
}
