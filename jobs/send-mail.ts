/** Notifies the owners of suspended alerts and webhooks, and sends due mail. Without a mail server the messages are only recorded. */
import { z } from 'zod'
import { sendDueEmails } from '../src/delivery/mail/send-due-emails.ts'
import { MAIL_HOST } from '../src/delivery/webhooks/mail-receiver.ts'
import { suspensionMail } from '../src/delivery/webhooks/suspension-mail.ts'
import type { Context } from '../src/service/context.ts'
import { job } from '../src/service/job.ts'
import type { Transaction } from '../src/store/database.ts'
import { insertEmail, listUnnotifiedSuspensions } from '../src/store/emails.ts'

export const sendMail = job({
  queue: 'mail.send',
  payload: z.object({}),
  isDeduplicated: true,
  retry: { limit: 5, backoffSeconds: 30 },
  expireSeconds: 600,
  async run({ ctx, signal }) {
    await notifyOwners(ctx)
    if (ctx.config.mail === undefined) return
    const { smtpMailer } = await import('../src/delivery/mail/mailer.ts') // loaded only if mail is sent
    using mailer = smtpMailer(ctx.config.mail)
    await sendDueEmails({ sql: ctx.database.sql, clock: ctx.clock, mailer, signal })
  },
})

async function notifyOwners({ database, clock, config }: Context): Promise<void> {
  const baseUrl = config.http.baseUrl?.origin ?? ''
  await database.sql.begin(async (tx: Transaction) => {
    const now = clock.now()
    for (const webhook of await listUnnotifiedSuspensions(tx, now)) {
      const isStopped = webhook.host === MAIL_HOST && webhook.suspendedBecause === 'gone' // by the owner
      const recipient = config.mail === undefined || isStopped ? undefined : (webhook.email ?? undefined)
      const { subject, body } = suspensionMail(webhook, baseUrl)
      await insertEmail(tx, {
        kind: 'alert_suspended',
        subjectId: webhook.id,
        recipient,
        subject,
        body,
        createdAt: now,
      })
    }
  })
}
