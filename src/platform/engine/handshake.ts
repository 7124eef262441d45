/** The opening of a connection, up to the server's first ReadyForQuery. */
import { FatalToClient, type FrameReader, measureStartupPacket } from './message-framing.ts'
import { parseStartupPacket } from './startup-packet.ts'
import { refusedSetting } from './startup-settings.ts'

/** What the server does next: encryption is refused with one byte and the client continues unencrypted. */
type HandshakeStep = 'wait-for-more' | 'refuse-encryption' | 'hang-up' | 'welcome'

/** Reads one packet. Throws the error to send to the client if it is not admitted. */
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
