/** An alert by mail has the address of its key's holder as its receiver, where others have a URL. */

const SCHEME = 'mailto:'
/** Stands for the host: all mail goes to one server. */
export const MAIL_HOST = 'mail'

export function mailReceiver(address: string): string {
  return SCHEME + address
}

export function isMail(url: string): boolean {
  return url.startsWith(SCHEME)
}

export function addressOf(url: string): string {
  return url.slice(SCHEME.length)
}
