/** The receiver of an alert by mail is the address of the key's holder as a `mailto:` URL. */

const SCHEME = 'mailto:'
/** Used as the host of all mail receivers, since all mail goes to one server. */
export const MAIL_HOST = 'mail'

export function mailReceiver(address: string): string {
  return SCHEME + address
}

export function isMail(url: string): boolean {
  return url.startsWith(SCHEME)
}

export function mailAddressOf(url: string): string {
  return url.slice(SCHEME.length)
}
