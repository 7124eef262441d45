/**
 * The few messages of the PostgreSQL wire protocol (version 3.0) that the engine writes itself: to a client (handshake, errors)
 * and, on behalf of a client, to the backend (roll back, close a statement). A message is a type byte, an int32 length of itself
 * and the body, and the body.
 */

export const HEADER_BYTES = 5

interface ProtocolError {
  severity: 'ERROR' | 'FATAL'
  /** SQLSTATE, five characters. */
  code: string
  message: string
}

export function encodeMessage(type: string, body: Uint8Array | string = ''): Buffer {
  const content = typeof body === 'string' ? Buffer.from(body) : body
  const message = Buffer.alloc(HEADER_BYTES + content.length)
  message.write(type, 0, 'latin1')
  message.writeInt32BE(4 + content.length, 1)
  message.set(content, HEADER_BYTES)
  return message
}

/** Returns the error message to a client. `S` and `V` are both the severity: localised and not. */
export function errorResponse(error: ProtocolError): Buffer {
  return encodeMessage('E', `S${error.severity}\0V${error.severity}\0C${error.code}\0M${error.message}\0\0`)
}

/** Returns the messages that end a login: authenticated, the settings that drivers expect, a cancel key that cancels nothing, ready for query. */
export function startupResponse(reportedSettings: ReadonlyMap<string, string>): Buffer {
  return Buffer.concat([
    encodeMessage('R', int32(0)),
    ...[...reportedSettings].map(([name, value]) => encodeMessage('S', `${name}\0${value}\0`)),
    encodeMessage('K', Buffer.concat([int32(process.pid), int32(0)])),
    encodeMessage('Z', 'I'),
  ])
}

export const query = (sql: string) => encodeMessage('Q', `${sql}\0`)
export const closeStatement = (name: string) => encodeMessage('C', `S${name}\0`)
export const copyFail = (reason: string) => encodeMessage('f', `${reason}\0`)
export const sync = encodeMessage('S')

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}
