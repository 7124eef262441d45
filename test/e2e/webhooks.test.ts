/** Webhooks of changes from outside: created over HTTP, set off by imports, and verified by both clients, while receiver and service go down in turn. */
import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyWebhook } from '../../src/clients/typescript/src/webhooks.ts'
import { type CallingProduct, startCallingProduct } from '../support/calling-product.ts'
import { gmeXml, plainBut, plainPrice } from '../support/gme-documents.ts'
import { answering, closing, hanging, type ReceivedCall } from '../support/webhook-receiver.ts'

const DAY = '2026-10-25'
/** Each life of the service begins two hours later, when what failed is due again. */
const LIVES = ['2026-11-05T10:00:00Z', '2026-11-05T12:00:00Z', '2026-11-05T14:00:00Z'] as const
const PYTHON_CLIENT = path.join(import.meta.dirname, '../../src/clients/python')
const hasPython = canRun('import sys; assert sys.version_info >= (3, 10)')
if (!hasPython) console.log('signatures are not verified in Python: there is no Python 3.10')

function canRun(program: string): boolean {
  try {
    execFileSync('python3', ['-c', program], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

let product: CallingProduct
beforeAll(async () => {
  product = await startCallingProduct({ plan: 'API', clock: LIVES[0], reaction: closing })
})
afterAll(() => product[Symbol.asyncDispose]())

const importDay = (clock: string, prices = plainPrice) =>
  product.importFile('20261025MGPPrezzi15.xml', gmeXml({ day: DAY, resolution: 15, prices }), { CLOCK: clock })

/** What both clients read out of a call. */
async function verified({ body, headers }: ReceivedCall, secret: string): Promise<unknown> {
  const sentAt = Number(headers['webhook-timestamp'])
  const content = await verifyWebhook({ body, headers, secret, nowSeconds: sentAt + 1 })
  await expect(verifyWebhook({ body: `${body} `, headers, secret, nowSeconds: sentAt + 1 })).rejects.toThrow('fits')
  if (hasPython) expect(verifiedInPython({ body, headers, secret, now: sentAt + 1 })).toEqual(content)
  return content
}

const verifiedInPython = (call: object) =>
  JSON.parse(
    execFileSync('python3', ['-c', PYTHON_PROGRAM], {
      input: JSON.stringify(call),
      env: { ...process.env, PYTHONPATH: PYTHON_CLIENT, PYTHONDONTWRITEBYTECODE: '1' },
    }).toString(),
  )
const PYTHON_PROGRAM = `
import json, sys
from energy_prices import WebhookVerificationError, verify_webhook
call = json.load(sys.stdin)
body, about = call["body"].encode(), (call["headers"], call["secret"])
try:
    verify_webhook(body + b" ", *about, now=call["now"])
    raise SystemExit("an altered call was accepted")
except WebhookVerificationError:
    print(json.dumps(verify_webhook(body, *about, now=call["now"])))`

describe('a webhook of the product', () => {
  it('delivers a day although the receiver was down, and the service was killed before and during the next attempt', async () => {
    const { api, receiver, kill, start } = product
    const created = await api('POST', '/webhooks', {
      url: `${product.receiverUrl}/prices`,
      events: ['day.published', 'day.corrected'],
      datasets: ['pun'],
    })
    const secret = String(created.signing_secret)
    await importDay(LIVES[0])
    await receiver.received(1)
    await kill()

    receiver.react(hanging)
    await start(LIVES[1])
    await receiver.received(2)
    await kill()

    receiver.react(answering(204))
    await start(LIVES[2])
    await receiver.received(3)
    const statuses = async () =>
      ((await api('GET', `/webhooks/${created.id}/deliveries`)).deliveries as { status: string }[]).map(
        ({ status }) => status,
      )
    await expect.poll(statuses).toEqual(['delivered'])
    expect(new Set(receiver.calls.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(receiver.calls.map(({ body }) => body)).size).toBe(1)
    for (const call of receiver.calls)
      expect(await verified(call, secret)).toMatchObject({
        ...{ type: 'day.published', webhook: created.id },
        data: { dataset: 'pun', day: DAY, version: 1, details: { intervals: { nazionale: 100 } } },
      })

    const before = receiver.calls.length
    await importDay('2026-11-05T14:30:00Z', plainBut({ PUN: { 9: '99,000000' } }))
    await receiver.received(before + 1)
    const correction = receiver.calls.at(-1) as ReceivedCall
    expect(correction.headers['webhook-id']).not.toBe(receiver.calls[0]?.headers['webhook-id'])
    expect(await verified(correction, secret)).toMatchObject({ type: 'day.corrected', data: { day: DAY, version: 2 } })
    await expect.poll(statuses).toEqual(['delivered', 'delivered'])
    expect(product.output()).not.toContain('whsec_')
  })
})
