import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { copyOfDatabase } from '../support/database.ts'
import { productEnvironment } from '../support/environment.ts'
import { gmeXml, type PriceText, plainPrice } from '../support/gme-documents.ts'
import { type Product, startProduct } from '../support/product.ts'
import { zipArchive } from '../support/zip-archive.ts'

const run = promisify(execFile)
const SRC = path.join(import.meta.dirname, '../../src')
/** A quarter of an hour before the clocks of the sample publisher's PUN: 12:40 in Rome. */
const CLOCK = '2026-03-28T11:40:00Z'

let copy: Awaited<ReturnType<typeof copyOfDatabase>>
let scratch: string
let product: Product
beforeAll(async () => {
  copy = await copyOfDatabase()
  scratch = await mkdtemp(path.join(os.tmpdir(), 'energy-prices-e2e-'))
  product = await startProduct({ dataDir: copy.dataDir, env: { CLOCK } })
})
afterAll(async () => {
  await stop('SIGTERM')
  await copy.remove()
  await rm(scratch, { recursive: true, force: true })
})

async function stop(signal: NodeJS.Signals): Promise<number | null> {
  if (product.process.exitCode !== null || product.process.signalCode !== null) return product.process.exitCode
  const exited = once(product.process, 'exit')
  product.process.kill(signal)
  await exited
  return product.process.exitCode
}

const get = async (pathname: string) => {
  const response = await fetch(new URL(pathname, product.url))
  return { status: response.status, body: (await response.json()) as unknown }
}

const pricesOf = async (day: string) => (await get(`/v1/prices/pun/series?from=${day}&to=${day}`)).body

const command = (script: string, ...args: string[]) =>
  run(process.execPath, [path.join(SRC, 'cli', script), ...args], {
    env: productEnvironment({ DATA_DIR: copy.dataDir }),
  }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (err: { code: number; stdout: string; stderr: string }) => err,
  )

/** The day of which good quarter-hours are stored before anything bad is tried on it. */
const BAD_DAY = '2026-03-29'
const quarters = (prices: PriceText) => gmeXml({ day: BAD_DAY, resolution: 15, prices })
const hoursAsCsv = (price: (hour: number) => string) =>
  `flow_date,ora,pun\n${Array.from({ length: 23 }, (_, i) => `${BAD_DAY},${i + 1},${price(i + 1)}\n`).join('')}`

const BAD_FILES = [
  {
    name: 'cut-off.xml',
    content: gmeXml({ day: '2026-01-14' }, { day: BAD_DAY }).slice(0, -5_000),
    says: /X/,
    summary: /X/,
  },
  {
    name: 'bomb.zip',
    content: zipArchive([{ name: 'a.csv', content: `flow_date,ora,pun\n${'2026-03-29,1,1\n'.repeat(4_000_000)}` }]),
    says: /X/,
    summary: /X/,
  },
  {
    name: 'entities.xml',
    content: quarters(() => '1,0').replace('?>', '?><!DOCTYPE d [<!ENTITY e SYSTEM "file:///etc/passwd">]>'),
    says: /X/,
    summary: /X/,
  },
  { name: '20260328MGPPrezzi15.xml', content: quarters(() => '1,0'), says: /X/, summary: /X/ },
  {
    name: '91-of-92.xml',
    content: quarters((tag, n) => (n === 7 ? undefined : plainPrice(tag, n))),
    says: /X/,
    summary: /X/,
  },
  { name: 'zeros.xml', content: quarters((tag, n) => (n > 8 && n < 13 ? '0,0' : plainPrice(tag, n))), says: /X/, summary: /X/ },
  { name: 'text.csv', content: hoursAsCsv((hour) => (hour === 5 ? 'n.d.' : '50')), says: /X/, summary: /X/ },
  { name: 'marks.xml', content: quarters((_tag, n) => (n === 9 ? '1.50' : '1,50')), says: /X/, summary: /X/ },
]

describe('the product, from outside', () => {
  it('fills itself with sample data that say what they are', async () => {
    const complete = expect.objectContaining({ date: '2026-03-28' })
    await expect.poll(async () => (await get('/v1/today')).body, { timeout: 60_000 }).toEqual(complete)
    const today = (await get('/v1/today')).body as { values: Record<string, { source: string }> }
    expect(Object.keys(today.values)).toEqual(['PUN', 'PSV', 'TTF', 'Brent', 'CO2'])
    for (const value of Object.values(today.values)) expect(value.source).toMatch(/synthetic/i)
  })

  it('refuses a second start on the same folder with a sentence that names it', async () => {
    const second = await run(process.execPath, [path.join(SRC, 'main.ts')], {
      env: productEnvironment({ DATA_DIR: copy.dataDir, PORT: '0' }),
    }).catch((err: { code: number; stderr: string }) => err)
    expect(second).toMatchObject({ code: 1 })
    expect(second.stderr).toContain(copy.dataDir)
    expect(second.stderr).not.toMatch(/\bat .+:\d+:\d+/)
  })

  it("takes the operator's own file while it runs, and serves it at once", async () => {
    const file = path.join(scratch, '20260329MGPPrezzi15.xml')
    await writeFile(
      file,
      gmeXml({ day: '2026-03-29', resolution: 15, prices: (_tag, ordinal) => `${100 + ordinal},0` }),
    )
    const imported = await command('import.ts', file)
    expect(imported.stdout, imported.stderr).toMatch(/1 documents, \d+ prices read: .* 0 quarantined/)
    await expect
      .poll(async () => (await get('/v1/prices/pun/series?from=2026-03-29&to=2026-03-29')).body)
      .toMatchObject({
        points: [{ date: '2026-03-29', value: 146.5 }],
        source: expect.stringContaining('GME'),
      })
  })

  it.each(BAD_FILES)('exits with 1 and says where and why: $name', async ({ name, content, says, summary }) => {
    const file = path.join(scratch, name)
    await writeFile(file, content)
    const { code, stdout, stderr } = await command('import.ts', file)
    expect(stderr).toMatch(says)
    expect(stdout).toMatch(summary)
    expect(code).toBe(1)
    expect(await pricesOf(BAD_DAY)).toMatchObject({ points: [{ date: BAD_DAY, value: 146.5 }] })
  })

  it('recovers from kill -9 with everything it had', async () => {
    await stop('SIGKILL')
    product = await startProduct({ dataDir: copy.dataDir, env: { CLOCK } })
    expect((await get('/v1/prices/pun/series?from=2026-03-29&to=2026-03-29')).body).toMatchObject({
      points: [{ value: 146.5 }],
    })
  })

  it('stops cleanly at SIGTERM', async () => {
    expect(await stop('SIGTERM')).toBe(0)
    expect(product.output()).toContain('"msg":"stopped"')
  })
})
