/** The opening of a connection, up to the server's first ReadyForQuery. */
import { FatalToClient, type FrameReader, measureStartupPacket } from './message-framing.ts'

/** The server's next step: encryption is refused with one byte and the client continues unencrypted. */
type HandshakeStep = 'wait-for-more' | 'refuse-encryption' | 'hang-up' | 'welcome'

/** Reads one packet. Throws the error to send to the client if it is refused. */
export function nextHandshakeStep(frames: FrameReader): HandshakeStep {
  const frame = frames.next(measureStartupPacket)
  if (!frame) return 'wait-for-more'
  const packet = parseStartupPacket(frame)
  switch (packet.kind) {
    case 'encryption-request':
      return 'refuse-encryption'
    case 'cancel-request':
      // Nothing can interrupt the backend; a server does not answer this packet in any case.
      return 'hang-up'
    case 'unsupported-protocol':
      throw new FatalToClient('0A000', `unsupported frontend protocol ${packet.version}: server supports 3.0`)
    case 'startup':
      checkSettings(packet.settings)
      return 'welcome'
  }
}

function checkSettings(settings: ReadonlyMap<string, string>): void {
  const refused = refusedSetting(settings)
  if (refused === undefined) return
  const reason = 'the clients of the embedded engine share one session; use SET LOCAL inside a transaction'
  throw new FatalToClient('0A000', `setting ${refused} cannot be given when connecting: ${reason}`)
}

const SSL_REQUEST = 80877103
const GSS_ENCRYPTION_REQUEST = 80877104
const CANCEL_REQUEST = 80877102
const PROTOCOL_3_0 = 196608

type StartupPacket =
  | { kind: 'encryption-request' }
  | { kind: 'cancel-request' }
  | { kind: 'startup'; settings: Map<string, string> }
  | { kind: 'unsupported-protocol'; version: string }

/** The packet that opens a connection: a request for encryption or cancellation, or the settings of a new session. */
export function parseStartupPacket(packet: Buffer): StartupPacket {
  const code = packet.readInt32BE(4)
  if (code === SSL_REQUEST || code === GSS_ENCRYPTION_REQUEST) return { kind: 'encryption-request' }
  if (code === CANCEL_REQUEST) return { kind: 'cancel-request' }
  if (code !== PROTOCOL_3_0) return { kind: 'unsupported-protocol', version: `${code >> 16}.${code & 0xffff}` }
  return { kind: 'startup', settings: parseSettings(packet.toString('utf8', 8)) }
}

/** `name NUL value NUL … NUL` */
function parseSettings(text: string): Map<string, string> {
  const words = text.split('\0')
  const settings = new Map<string, string>()
  for (let i = 0; i + 1 < words.length && words[i] !== ''; i += 2)
    settings.set(words[i] as string, words[i + 1] as string)
  return settings
}

// Settings that a client may pass in its startup packet. All clients share the backend's one session, so a setting cannot apply to
// a single client. One that would change an answer is refused; one that matches the session, or has no effect here, is accepted.

/** Names only, or without effect: nothing interrupts a running statement, and floats are always printed exactly. */
const WITHOUT_EFFECT = new Set([
  'user',
  'database',
  'application_name',
  'fallback_application_name',
  'statement_timeout',
  'lock_timeout',
  'idle_in_transaction_session_timeout',
  'extra_float_digits',
])

/** Values, in lower case, that equal those of the session. */
const SAME_AS_DEFAULT: Record<string, readonly string[]> = {
  client_encoding: ['utf8', 'utf-8', "'utf-8'", 'unicode', 'sql_ascii'],
  client_min_messages: ['warning'],
  datestyle: ['iso', 'iso, mdy'],
  options: [''],
  replication: ['false', 'off', '0'],
  timezone: ['utc', 'gmt', 'etc/utc'],
}

/** Returns `name=value` of the first setting that is refused. */
export function refusedSetting(settings: ReadonlyMap<string, string>): string | undefined {
  for (const [name, value] of settings) {
    const key = name.toLowerCase()
    const granted = WITHOUT_EFFECT.has(key) || SAME_AS_DEFAULT[key]?.includes(value.toLowerCase())
    if (!granted) return `${name}=${value}`
  }
  return undefined
}
