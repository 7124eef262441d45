/** Reads the packet that opens a connection: a request for encryption or cancellation, or the settings of a new session. */

const SSL_REQUEST = 80877103
const GSS_ENCRYPTION_REQUEST = 80877104
const CANCEL_REQUEST = 80877102
const PROTOCOL_3_0 = 196608

type StartupPacket =
  | { kind: 'encryption-request' }
  | { kind: 'cancel-request' }
  | { kind: 'startup'; settings: Map<string, string> }
  | { kind: 'unsupported-protocol'; version: string }

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
