import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { sendMail } from '../../jobs/send-mail.ts'
import { readConfig } from '../../src/service/config/config.ts'
import type { Context } from '../../src/service/context.ts'
import { createAlert, issueKeyFor, newSecretBox, testAlertService } from '../support/alerts.ts'
import { databaseOfFile } from '../support/database.ts'
import { MAIL_PASSWORD, startMailServer } from '../support/mail-server.ts'

const START = Temporal.Instant.from('2026-11-21T12:00:00Z')
let now = START
const db = await databaseOfFile()
const { sql } = db.database
const mail = await startMailServer()
afterAll(() => mail[Symbol.asyncDispose]())
beforeEach(async () => {
  await sql`truncate webhooks, emails cascade`
  mail.received = []
  mail.isMailboxFull = false
  now = START
})

function run(env: Record<string, string> = { SMTP_URL: mail.url, MAIL_FROM: 'alerts@energy.example' }) {
  const config = readConfig({ BASE_URL: 'https://energy.example', ...env })
  const ctx = { config, database: db.database, clock: { now: () => now } } as Context
  return sendMail.run({ payload: {}, ctx, signal: new AbortController().signal })
}

async function createSuspendedAlert(email?: string): Promise<{ id: string; find(): Promise<unknown> }> {
  const key = await issueKeyFor(sql, email === undefined ? {} : { email })
  const alerts = testAlertService({ sql, clock: { now: () => now }, secrets: newSecretBox(), ports: [] })
  const { id } = await createAlert(alerts, key, { webhookUrl: 'https://receiver.test/secret-path' })
  await sql`
    update webhooks set status = 'suspended', suspended_at = ${now.toString()}::timestamptz, suspended_because = 'failures', consecutive_failures = 20
    where id = ${id}`
  return { id, find: () => alerts.find(key, id) }
}

describe('the owner of a suspended alert', () => {
  it('gets one mail with the steps to resume it, without the webhook URL', async () => {
    const { id, find } = await createSuspendedAlert('owner@example.com')
    expect(await find()).toMatchObject({ ownerNotified: 'pending' })
    await run()
    await run()
    expect(mail.received).toHaveLength(1)
    expect(mail.received[0]?.to).toEqual(['owner@example.com'])
    const text = mail.received[0]?.text ?? ''
    expect(text).toContain(`Alert ${id} is suspended`)
    expect(text).toContain(`POST https://energy.example/v1/alerts/${id}/resume`)
    expect(text).not.toContain('secret-path')
    expect(await find()).toMatchObject({ ownerNotified: 'sent' })
  })

  it('gets the mail on a retry if the mail server rejects it at first', async () => {
    mail.isMailboxFull = true
    const { find } = await createSuspendedAlert('owner@example.com')
    await run()
    const [row] = await sql`select status, attempts, problem from emails`
    expect(row).toMatchObject({ status: 'pending', attempts: 1, problem: expect.stringContaining('452') })
    expect(row?.problem).not.toContain(MAIL_PASSWORD)
    mail.isMailboxFull = false
    await run()
    expect(mail.received).toEqual([])
    now = START.add({ minutes: 1 })
    await run()
    expect(mail.received).toHaveLength(1)
    expect(await find()).toMatchObject({ ownerNotified: 'sent' })
  })

  it('is no longer mailed after two days of failed attempts', async () => {
    const { find } = await createSuspendedAlert('owner@example.com')
    for (let hours = 0; hours <= 72; hours += 1) {
      now = START.add({ hours })
      await run({ SMTP_URL: `smtp://127.0.0.1:${mail.port}`, MAIL_FROM: 'alerts@energy.example' })
    }
    expect(await find()).toMatchObject({ ownerNotified: 'failed' })
    const [row] = await sql`select attempts from emails`
    expect(row?.attempts).toBe(7)
  })

  it.each([
    ['there is no mail server', 'owner@example.com', {}],
    ['the key has no address', undefined, undefined],
  ])('is shown as not notified in the API if %s', async (_name, email, env) => {
    const { find } = await createSuspendedAlert(email)
    await run(env)
    expect(mail.received).toEqual([])
    expect(await find()).toMatchObject({ ownerNotified: 'not_sent' })
  })
})
