/**
 * A response whose head is written as text. Node checks and joins every header of every answer, which takes a quarter of its time;
 * headers that many answers share are checked and joined once here. Node keeps a written head in `_header`; a test compares the bytes.
 */
import { ServerResponse, STATUS_CODES, validateHeaderName, validateHeaderValue } from 'node:http'
import type { HeaderList } from './headers.ts'

/** Longer than load balancers keep an idle connection, which would otherwise send a request on one that is being closed. */
export const KEEP_ALIVE_MS = 65_000
const KEPT_ALIVE = `Connection: keep-alive\r\nKeep-Alive: timeout=${KEEP_ALIVE_MS / 1000}\r\n\r\n`

/** Headers as text, keyed by their list, which never changes. */
const texts = new WeakMap<HeaderList, string>()

export class PreparedResponse extends ServerResponse {
  declare _header: string
  declare _hasBody: boolean

  /** Whether the head can be written as text: the connection is kept alive, and no header was set by other means. */
  get isPlain(): boolean {
    return this.shouldKeepAlive && this.getHeaderNames().length === 0
  }

  /** Same as `writeHead` with the headers of both lists; `own` contains only validated input. */
  writePrepared(status: number, shared: HeaderList, own: HeaderList): void {
    this.statusCode = status
    if (status === 204 || status === 304) this._hasBody = false
    const text = texts.getOrInsertComputed(shared, checkedText)
    this._header = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${text}${textOf(own)}Date: ${httpDate()}\r\n${KEPT_ALIVE}`
  }
}

function checkedText(headers: HeaderList): string {
  for (let i = 0; i < headers.length; i += 2) {
    validateHeaderName(headers[i] ?? '')
    validateHeaderValue(headers[i] ?? '', headers[i + 1] ?? '')
  }
  return textOf(headers)
}

function textOf(headers: HeaderList): string {
  let text = ''
  for (let i = 0; i < headers.length; i += 2) text += `${headers[i]}: ${headers[i + 1]}\r\n`
  return text
}

let date = ''
let dateEndsMs = 0

/** Formats the date once a second. */
function httpDate(): string {
  const nowMs = Date.now()
  if (nowMs >= dateEndsMs || nowMs < dateEndsMs - 1000) {
    date = new Date(nowMs).toUTCString()
    dateEndsMs = nowMs - (nowMs % 1000) + 1000
  }
  return date
}
