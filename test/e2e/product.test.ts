import { mkdtemp, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isEmbedded, needsEmbedded, productDatabaseOfFile } from '../support/database.ts'
import { gmeXml, type PriceText, plainPrice } from '../support/gme-documents.ts'
import { commandOutcome, endProcess, type Product, startProduct } from '../support/product.ts'
import { scratchFolderOfFile } from '../support/scratch-folder.ts'
import { zipArchive } from '../support/zip-archive.ts'

/** The eve of a change day, 12:40 in Rome. */
const ENV = {
  CLOCK: '2026-03-28T11:40:00Z',
  OPEN_REQUESTS_PER_MINUTE: '100000',
  SAMPLE_DATA: 'off',
  BULK_EXPORTS: 'on',
}
const CHANGE_DAY = '2026-03-29'

const copy = await productDatabaseOfFile()
const scratch = await scratchFolderOfFile()
let product: Product
beforeAll(async () => {
  product = await startProduct({ dataDir: copy.dataDir, env: { ...copy.env, ...ENV } })
})
afterAll(() => stop('SIGTERM'))

const stop = (signal: NodeJS.Signals) => endProcess(product.process, signal)

const get = async (pathname: string) => {
  const response = await fetch(new URL(pathname, product.url))
  return { status: response.status, body: (await response.json()) as unknown }
}

const pricesOf = async (day: string) => (await get(`/v1/prices/pun/series?from=${day}&to=${day}`)).body

const command = (script: string, ...args: string[]) => commandOutcome(copy.env, script, ...args)

/** An ordinary day; its valid quarter-hours are stored before invalid input. */
const DAY = '2026-03-27'
const quarters = (prices: PriceText, days = [DAY]) =>
  gmeXml(...days.map((day) => ({ day, resolution: 15 as const, prices })))
const hoursAsCsv = (price: (hour: number) => string) =>
  `flow_date,ora,pun\n${Array.from({ length: 24 }, (_, i) => `${DAY},${i + 1},${price(i + 1)}\n`).join('')}`

/** One file for each kind of rejection; tests in `unit/` cover every other document fault. */
const BAD_FILES = {
  'cut-off.xml': {
    content: quarters(plainPrice, ['2026-01-14', DAY]).slice(0, -5_000),
    says: /^cut-off\.xml: line \d+: cut off .* \[unreadable_document\]$/m,
  },
  'bomb.zip': {
    content: zipArchive([{ name: 'a.csv', content: `flow_date,ora,pun\n${`${DAY},1,1\n`.repeat(300_000)}` }]),
    says: /^bomb\.zip!a\.csv: document: too large when decompressed: .* more than 200 times/m,
  },
  '95-of-96.xml': {
    content: quarters((tag, n) => (n === 7 ? undefined : plainPrice(tag, n))),
    says: /^95-of-96\.xml: PUN 2026-03-27: quarter 7 is missing \(95 of 96\) \[incomplete_day\]$/m,
  },
  'text.csv': {
    content: hoursAsCsv((hour) => (hour === 5 ? 'n.d.' : '50')),
    says: /^text\.csv: zone:nazionale 2026-03-27: line 6, column pun: "n\.d\." is not a number \[not_a_number\]$/m,
  },
}

describe('the product', () => {
  it('ends with exit code 2 if its configuration cannot be used', async () => {
    const { code, stderr } = await commandOutcome({ PORT: 'x', SOURCES: 'gme' }, '../main.ts')
    expect(stderr).toMatch(/^The configuration cannot be used:\n {2}- PORT: .*\n {2}- SOURCES: .*\n$/)
    expect(code).toBe(2)
  })

  it.runIf(isEmbedded)(
    needsEmbedded('refuses a second start on the same data folder in a sentence that names the folder'),
    async () => {
      const { code, stderr } = await commandOutcome({ DATA_DIR: copy.dataDir, PORT: '0' }, '../main.ts')
      expect(code).toBe(1)
      expect(stderr).toContain(copy.dataDir)
      expect(stderr).not.toMatch(/\bat .+:\d+:\d+/)
    },
  )

  it("serves the operator's files that are imported while it runs", async () => {
    const folder = await mkdtemp(path.join(scratch, 'good-'))
    const prices: PriceText = (_tag, ordinal) => `${100 + ordinal},0`
    for (const day of [DAY, CHANGE_DAY]) await writeFile(path.join(folder, `${day}.xml`), quarters(prices, [day]))
    await writeFile(path.join(folder, 'ttf.csv'), `date,ttf\n${DAY},30.1\n`)
    const imported = await command('import.ts', folder)
    expect(imported.stdout, imported.stderr).toMatch(/3 documents, \d+ prices read: .* 0 quarantined/)
    await expect
      .poll(() => pricesOf(CHANGE_DAY))
      .toMatchObject({
        points: [{ date: CHANGE_DAY, value: 146.5 }],
        source: expect.stringContaining('GME'),
      })
  })

  it('refuses invalid files with exit code 1, and reports where and why', async () => {
    const folder = await mkdtemp(path.join(scratch, 'bad-'))
    for (const [name, { content }] of Object.entries(BAD_FILES)) await writeFile(path.join(folder, name), content)
    const { code, stdout, stderr } = await command('import.ts', folder)
    for (const { says } of Object.values(BAD_FILES)) expect(stderr).toMatch(says)
    expect(stdout).toMatch(/768 stored, 0 unchanged, 0 corrected; 10 quarantined \(.*\); 1 of no known publisher$/m)
    expect(code).toBe(1)
    expect(await pricesOf(DAY)).toMatchObject({ points: [{ date: DAY, value: 148.5 }] })
  })

  it('imports the files that exist and reports a missing one with exit code 1, or 2 if none exists', async () => {
    const [present, missing] = [path.join(scratch, 'present.csv'), path.join(scratch, 'missing.csv')]
    await writeFile(present, `date,ttf\n${DAY},30.1\n`)
    const [some, none] = [await command('import.ts', present, missing), await command('import.ts', missing)]
    expect(some.stderr).toBe(`${missing}: there is no such file: skipped\n`)
    expect(some.stdout).toMatch(/^1 document, 1 price read: /)
    expect(none.stderr).toBe(`${missing}: there is no such file\n`)
    expect([some.code, none.code]).toEqual([1, 2])
  })

  it('answers /healthz throughout a long statement', async () => {
    await using joined = await copy.open()
    let isOver = false
    const statement = joined.database.sql`select count(*) from generate_series(1, 10000000)`.finally(() => {
      isOver = true
    })
    let answered = 0
    for (; !isOver; answered++) expect((await get('/healthz')).status).toBe(200)
    await statement
    expect(answered).toBeGreaterThan(5)
  })

  it('recovers from SIGKILL with the stored prices', async () => {
    await stop('SIGKILL')
    product = await startProduct({ dataDir: copy.dataDir, env: { ...copy.env, ...ENV } })
    expect(await pricesOf(CHANGE_DAY)).toMatchObject({ points: [{ value: 146.5 }] })
  })

  it('completes a request in progress before it stops on SIGTERM', async () => {
    await using joined = await copy.open()
    const transaction = await joined.database.sql.reserve()
    await transaction`begin`
    await transaction`lock table daily_prices`
    const underWay = get('/v1/prices/ttf/series')
    expect((await get('/healthz')).status).toBe(200)
    const stopped = stop('SIGTERM')
    await expect.poll(() => product.output()).toContain('"msg":"stopping"')
    await transaction`rollback`
    expect(await underWay).toMatchObject({ status: 200, body: { asset: 'TTF' } })
    transaction.release()
    expect(await stopped).toBe(0)
    expect(product.output()).toContain('"msg":"stopped"')
  })
})
