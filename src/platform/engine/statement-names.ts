/**
 * Gives each client its own namespace of prepared statements. The backend has one namespace and one unnamed statement for all, so a
 * client's `insert_price` becomes `7.insert_price` and its unnamed statement `7.` on the way in. Answers never contain the name.
 */
import { messageType } from './message-framing.ts'
import { closeStatement, encodeMessage, HEADER_BYTES } from './messages.ts'

export class StatementNames {
  readonly #prefix: Buffer
  readonly #open = new Set<string>()

  constructor(clientId: number) {
    this.#prefix = Buffer.from(`${clientId}.`)
  }

  /** Returns the message with its statement name prefixed, or the same object if it has none. */
  rename(message: Buffer): Buffer {
    const at = statementNameOffset(message)
    if (at === undefined) return message
    this.#track(messageType(message), this.#prefix.toString() + readName(message, at))
    return encodeMessage(
      messageType(message),
      Buffer.concat([message.subarray(HEADER_BYTES, at), this.#prefix, message.subarray(at)]),
    )
  }

  /**
   * Returns the Close that must run before this Parse, if any: PostgreSQL implicitly replaces an unnamed statement, but not a named
   * one. The answer to this Close is not sent to the client.
   */
  closeBefore(message: Buffer): Buffer | undefined {
    const unnamed = this.#prefix.toString()
    const replaces = messageType(message) === 'P' && message[HEADER_BYTES] === 0 && this.#open.has(unnamed)
    return replaces ? closeStatement(unnamed) : undefined
  }

  /** Closes everything the client has prepared. */
  closeMessages(): Buffer[] {
    return [...this.#open].map(closeStatement)
  }

  #track(type: string, name: string): void {
    if (type === 'P') this.#open.add(name)
    else if (type === 'C') this.#open.delete(name)
  }
}

/** Position of the prepared statement's name in a message: Parse first, Bind after the portal, Describe and Close after an `S`. */
function statementNameOffset(message: Buffer): number | undefined {
  const type = messageType(message)
  if (type === 'P') return HEADER_BYTES
  if (type === 'B') return endOfString(message, HEADER_BYTES)
  if ((type === 'D' || type === 'C') && message[HEADER_BYTES] === 0x53) return HEADER_BYTES + 1
  return undefined
}

/** Returns the offset after the string's NUL; undefined if there is none, an error that the backend reports. */
function endOfString(message: Buffer, start: number): number | undefined {
  const end = message.indexOf(0, start)
  return end === -1 ? undefined : end + 1
}

function readName(message: Buffer, at: number): string {
  const end = message.indexOf(0, at)
  return message.toString('utf8', at, end === -1 ? undefined : end)
}
