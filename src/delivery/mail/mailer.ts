/** Sends mail over SMTP as configured. The address of the server may hold a password and never reaches a log. */
import { createTransport } from 'nodemailer'
import type { Config } from '../../service/config/config.ts'

const TIMEOUT_MS = 15_000

interface Mail {
  to: string
  subject: string
  text: string
}

export interface Mailer {
  /** Throws if the server does not accept it. */
  send(mail: Mail): Promise<void>
  close(): void
}

export function smtpMailer({ smtp, from }: NonNullable<Config['mail']>): Mailer {
  const transport = createTransport({
    url: smtp.reveal(),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send({ to, subject, text }) {
      await transport.sendMail({ from, to, subject, text })
    },
    close: () => transport.close(),
  }
}
