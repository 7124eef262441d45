/** A mail server with password authentication that records the mail it receives, decoded. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

export const MAIL_PASSWORD = 'correct-horse'

export interface ReceivedMail {
  to: string[]
  subject: string
  /** Decoded, without the soft line breaks of quoted-printable. */
  text: string
}

export interface MailServer extends AsyncDisposable {
  port: number
  /** With user and password. */
  url: string
  received: ReceivedMail[]
  /** Whether it rejects mail because the mailbox is full. */
  isMailboxFull: boolean
  /** It responds to mail, which it has already recorded, after this promise. */
  answering: Promise<unknown>
}

export async function startMailServer(): Promise<MailServer> {
  const server = new SMTPServer({
    authOptional: false,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username, password }, _session, done) =>
      password === MAIL_PASSWORD ? done(null, { user: username }) : done(new Error('no')),
    async onData(stream, session, done) {
      const raw = Buffer.concat(await stream.toArray()).toString()
      if (mailbox.isMailboxFull) return done(Object.assign(new Error('mailbox full'), { responseCode: 452 }))
      mailbox.received.push({ to: session.envelope.rcptTo.map(({ address }) => address), ...read(raw) })
      await mailbox.answering
      done()
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  const mailbox: MailServer = {
    port,
    url: `smtp://alerts:${MAIL_PASSWORD}@127.0.0.1:${port}`,
    received: [],
    isMailboxFull: false,
    answering: Promise.resolve(),
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(resolve)),
  }
  return mailbox
}

function read(raw: string): { subject: string; text: string } {
  const text = raw.replaceAll('=\r\n', '').replaceAll('=3D', '=')
  return { subject: /^Subject: (.*)\r$/m.exec(text)?.[1] ?? '', text }
}
