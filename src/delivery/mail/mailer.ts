/** Sends mail through the configured SMTP server. The server's URL may contain a password and is never logged. */
import { createTransport } from 'nodemailer'
import type { Config } from '../../service/config/config.ts'

const TIMEOUT_MS = 15_000
export const MAIL_CONNECTIONS_MAX = 3

interface Mail {
  to: string
  subject: string
  text: string
  headers?: Record<string, string>
  /** Cancels it, also while it is queued. */
  signal?: AbortSignal
}

export interface Mailer extends Disposable {
  /** Throws if the server does not accept it. */
  send(mail: Mail): Promise<void>
}

export function smtpMailer({ smtp, from }: NonNullable<Config['mail']>): Mailer {
  const transport = createTransport({
    url: smtp.reveal(),
    pool: true, // mail servers refuse many connections at once
    maxConnections: MAIL_CONNECTIONS_MAX,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send(mail) {
      await transport.sendMail({ from, ...mail })
    },
    [Symbol.dispose]: () => transport.close(),
  }
}

const PROBLEM_LENGTH_MAX = 200

/** Returns the error code and the server's response, never the server's URL, which may contain a password. */
export function mailProblem(err: unknown): string {
  const code = err instanceof Error && 'code' in err ? String(err.code) : 'unknown error'
  const response = err instanceof Error && 'response' in err ? `: ${String(err.response)}` : ''
  return `${code}${response}`.slice(0, PROBLEM_LENGTH_MAX)
}
