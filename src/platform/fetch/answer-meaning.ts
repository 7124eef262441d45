/** The meaning of a response that is not the document. */
import { SourceRefused, SourceUnreachable } from './outcomes.ts'

const SHOWN_CHARACTERS = 200

/** The publisher's message as text: without markup and line breaks, shortened. */
function shownText(text: string): string {
  const plain = text
    .replace(/<(script|style)[\s\S]*?<\/\1>/gi, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return plain.length > SHOWN_CHARACTERS ? `${plain.slice(0, SHOWN_CHARACTERS)}…` : plain
}

/** 401 and 403 refuse the credentials; 408, 429 and 5xx are temporary; anything else is final. */
export function meaningOfStatus(status: number, text: string, retryAfterSeconds: number | undefined): Error {
  const words = shownText(text)
  const message = `answers ${status}${words === '' ? '' : ` (${words})`}`
  if (status === 401 || status === 403) return new SourceRefused(message)
  const retryable = status === 408 || status === 429 || status >= 500
  return new SourceUnreachable(message, { retryable, retryAfterSeconds: retryable ? retryAfterSeconds : undefined })
}
