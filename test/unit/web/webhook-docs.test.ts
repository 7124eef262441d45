/** The documentation's recipes, extracted and run on its test vectors. */
import { spawnSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { CALLS_PER_MINUTE } from '../../../src/api/contract/webhooks.ts'
import {
  CONSECUTIVE_FAILURES_MAX,
  DELIVERY_HOURS,
  nextAttemptAt,
} from '../../../src/delivery/webhooks/retry-schedule.ts'
import { scratchFolderOfFile } from '../../support/scratch-folder.ts'
import { WEBHOOK_VECTORS, type WebhookVector } from '../../support/webhook-vectors.ts'

const page = await readFile(path.join(import.meta.dirname, '../../../src/web/docs/webhooks.md'), 'utf8')
const scratch = await scratchFolderOfFile()

function recipe(language: string): string {
  const code = new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\n\`\`\``).exec(page)?.[1]
  if (code === undefined) throw new Error(`there is no recipe in ${language}`)
  return code
}

const headersOf = (vector: WebhookVector) => ({
  'webhook-id': vector.id,
  'webhook-timestamp': String(vector.timestamp),
  'webhook-signature': vector.webhookSignature,
})

/** Variants of each vector with one thing changed, and whether it must still be accepted. */
const CASES = WEBHOOK_VECTORS.flatMap((vector) => [
  { vector, now: vector.timestamp + 10, authentic: true },
  { vector, now: vector.timestamp + 3600, authentic: false },
  { vector: { ...vector, body: vector.body.replace('2026', '2025') }, now: vector.timestamp, authentic: false },
  { vector: { ...vector, id: 'msg_other' }, now: vector.timestamp, authentic: false },
  { vector: { ...vector, webhookSignature: '' }, now: vector.timestamp, authentic: false },
  {
    vector: { ...vector, webhookSignature: `v1,AAAA ${vector.webhookSignature}` },
    now: vector.timestamp,
    authentic: true,
  },
])

describe('the webhook verification recipes', () => {
  it('in JavaScript distinguish authentic from forged calls', async () => {
    const file = path.join(scratch, 'recipe.mjs')
    await writeFile(file, recipe('js'))
    const { isAuthentic } = (await import(file)) as {
      isAuthentic(body: Buffer, headers: object, secret: string, now: number): boolean
    }
    for (const { vector, now, authentic } of CASES)
      expect(isAuthentic(Buffer.from(vector.body), headersOf(vector), vector.secret, now)).toBe(authentic)
  })

  const python = spawnSync('python3', ['--version']).status === 0
  it.skipIf(!python)('in Python distinguish authentic from forged calls (needs python3)', async () => {
    const file = path.join(scratch, 'recipe.py')
    const check = `
import json, sys
for case in json.load(sys.stdin):
    print(is_authentic(case["body"].encode(), case["headers"], case["secret"], case["now"]))
`
    await writeFile(file, recipe('python') + check)
    const input = JSON.stringify(
      CASES.map(({ vector, now }) => ({ body: vector.body, headers: headersOf(vector), secret: vector.secret, now })),
    )
    const { stdout, stderr } = spawnSync('python3', [file], { input, encoding: 'utf8' })
    expect(stderr).toBe('')
    expect(stdout.trim().split('\n')).toEqual(CASES.map(({ authentic }) => (authentic ? 'True' : 'False')))
  })

  it('include the test vectors unchanged', () => {
    for (const vector of WEBHOOK_VECTORS)
      for (const text of [vector.secret, vector.body, vector.svcSignature, vector.webhookSignature])
        expect(page).toContain(text)
  })
})

it('the webhook page states the actual retry policy', () => {
  const now = Temporal.Instant.from('2026-11-22T10:00:00Z')
  const giveUpAt = now.add({ hours: 1000 })
  const waits = Array.from({ length: 5 }, (_, i) =>
    nextAttemptAt({ attempts: i + 1, now, giveUpAt, retryAfterSeconds: undefined }, () => 0.5),
  ).map((next) => inWords(next?.since(now).total('minutes') ?? 0))
  const text = page.replaceAll(/\s+/g, ' ')
  expect(CALLS_PER_MINUTE).toBe(6)
  for (const fact of [
    `retried after about ${new Intl.ListFormat('en-GB').format(waits)}, all within ${DELIVERY_HOURS} hours`,
    `After ${CONSECUTIVE_FAILURES_MAX} consecutive failed attempts the alert is suspended`,
    `sends events less than ${DELIVERY_HOURS} hours old`,
    `the old secret remains valid for ${DELIVERY_HOURS} hours`,
    'six tests, replays and challenges a minute',
  ])
    expect(text).toContain(fact)
})

function inWords(minutes: number): string {
  const [count, unit] = minutes < 60 ? [minutes, 'minute'] : [minutes / 60, 'hour']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
