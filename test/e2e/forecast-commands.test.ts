/** `npm run forecast` and `npm run ledger` in separate processes, on a database without a service. */

import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { FORECAST_REACH_DAYS, HOURLY_REACH_DAYS } from '../../src/market/forecast-scope.ts'
import { refreshAggregates } from '../../src/store/aggregates.ts'
import type { Database } from '../../src/store/database.ts'
import { productDatabaseOfFile } from '../support/database.ts'
import { dailyPrice, storePrices, zoneDay } from '../support/prices.ts'
import { commandOutcome } from '../support/product.ts'

/** After the publication on the eve of a change day. */
const CLOCK = '2026-03-27T12:05:00Z'
const FIRST = Temporal.PlainDate.from('2025-01-01')
const DAYS = 452

const copy = await productDatabaseOfFile()
beforeAll(async () => {
  await withDatabase(async ({ sql }) => {
    const days = Array.from({ length: DAYS }, (_, i) => FIRST.add({ days: i }).toString())
    const at = Temporal.Instant.from(CLOCK).subtract({ minutes: 5 })
    const price = (i: number) => 100 + 10 * Math.sin(i / 30) + 3 * Math.sin(i * 12.9898)
    await storePrices(
      sql,
      days.map((day, i) => zoneDay('nazionale', day, 60, () => price(i))),
      { at },
    )
    await storePrices(
      sql,
      days.map((day, i) => dailyPrice('PSV', day, 30 + price(i) / 40)),
      { at },
    )
    await refreshAggregates(sql)
  })
})

async function withDatabase<T>(use: (database: Database) => Promise<T>): Promise<T> {
  await using opened = await copy.open()
  return await use(opened.database)
}

const command = (script: string, ...args: string[]) =>
  commandOutcome({ ...copy.env, CLOCK, LOG_LEVEL: 'warn' }, script, ...args)
const file = (name: string) => path.join(copy.dataDir, name)

/** Two assets, each with its benchmark. */
const ROWS = 4 * FORECAST_REACH_DAYS
/** Hourly PUN forecasts and their benchmark, one row per day. */
const HOURLY_ROWS = 2 * HOURLY_REACH_DAYS

describe('npm run forecast and npm run ledger', () => {
  it('issue due forecasts, and verify the chain in the database and in a file', async () => {
    const issued = await command('forecast.ts', 'issue')
    expect(issued).toMatchObject({ code: 0, stderr: '' })
    expect(issued.stdout).toMatch(/^PUN, \d{4}-\d\d-\d\dT[\d:]{8}Z: Issued from \d{4}-\d\d-\d\d\.$/m)
    const verified = await command('ledger.ts', 'verify')
    expect(verified).toMatchObject({ code: 0, stderr: '' })
    expect(verified.stdout).toContain(`${ROWS + HOURLY_ROWS} rows checked (content and links): all as issued`)
    expect(verified.stdout).toMatch(new RegExp(`^hours issued: last row ${HOURLY_ROWS}, hash [0-9a-f]{64}$`, 'm'))
    expect(await command('ledger.ts', 'export', file('ledger.csv'))).toMatchObject({ stdout: `${ROWS} rows written\n` })
    const again = await command('ledger.ts', 'verify', file('ledger.csv'))
    expect(again.stdout).toContain(`${ROWS} rows checked (content and links): all as issued`)
    expect(verified.stdout).toContain(again.stdout.split('\n')[0])
  })

  it('detect one changed digit, in a file and in the database, and say which row', async () => {
    const lines = (await readFile(file('ledger.csv'), 'utf8')).split('\n')
    const [, sequence, ...rest] = (lines[123] ?? '').split(',')
    lines[123] = (lines[123] ?? '').replace(
      /(\d)(,[0-9a-f]{64},[0-9a-f]{64},)/,
      (_, digit, end) => `${(Number(digit) + 1) % 10}${end}`,
    )
    expect(rest).toHaveLength(14)
    await writeFile(file('changed.csv'), lines.join('\n'))
    const inFile = await command('ledger.ts', 'verify', file('changed.csv'))
    expect(inFile.code).toBe(1)
    expect(inFile.stderr).toMatch(
      new RegExp(`^issued row ${sequence}: its content does not give its hash [0-9a-f]{64}\n$`),
    )

    await withDatabase(async ({ sql }) => {
      // As a superuser could.
      await sql`set session_replication_role = replica`
      await sql`update forecasts set p90 = p90 + 0.0001 where sequence = 300`
    })
    const inDatabase = await command('ledger.ts', 'verify')
    expect(inDatabase).toMatchObject({ code: 1, stderr: expect.stringContaining('issued row 300: its content') })
  })

  it('name a deleted newest row, detected by the file store and by --head', async () => {
    const noted = await withDatabase(async ({ sql }) => {
      const [last] = await sql<{ hash: string }[]>`select hash from forecasts where sequence = ${ROWS}`
      await sql`set session_replication_role = replica`
      await sql`update forecasts set p90 = p90 - 0.0001 where sequence = 300`
      await sql`delete from forecasts where sequence = ${ROWS}`
      return String(last?.hash)
    })
    const verified = await command('ledger.ts', 'verify', '--head', noted)
    expect(verified.code).toBe(1)
    expect(verified.stderr).toMatch(
      new RegExp(`^issued row ${ROWS}: it is missing: .*${noted}\nno row has the hash ${noted}`),
    )
    expect(await command('ledger.ts', 'verify', '--head', 'ab')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--head must be a hash of 64 hexadecimal digits (got ab)'),
    })
  })

  it('replay past days into a file, separate from issued forecasts', async () => {
    const span = ['--asset', 'pun', '--from', '2026-03-01', '--to', '2026-03-03', '--model', 'base']
    const answer = await command('forecast.ts', 'replay', ...span, '--out', file('replay.csv'))
    expect(answer).toMatchObject({
      code: 0,
      stdout: `PUN: 3 days replayed by base, ${3 * FORECAST_REACH_DAYS} forecasts kept as a replay\n`,
    })
    const [header, first = '', ...lines] = (await readFile(file('replay.csv'), 'utf8')).trimEnd().split('\n')
    expect(header).toBe('asset,issued_at,target_date,horizon,p10,p50,p90')
    expect(first).toMatch(/^pun,2026-02-28T18:00:00Z,2026-03-02,1(,\d+\.\d{4}){3}$/)
    expect(lines).toHaveLength(3 * FORECAST_REACH_DAYS - 1)
    await withDatabase(async ({ sql }) => {
      expect([...(await sql`select count(*) from forecasts`)]).toEqual([{ count: ROWS - 1 }])
      expect([...(await sql`select purpose, models from forecast_replays where purpose = 'command'`)]).toEqual([
        { purpose: 'command', models: ['base', 'conformal-walk'] },
      ])
    })
  })

  it('replay the hours of a zone, report progress, and leave the ledger unchanged', async () => {
    const span = ['--zone', 'nazionale', '--from', '2025-06-29', '--to', '2025-07-02', '--issue', 'evening']
    expect(await command('forecast.ts', 'replay', ...span, '--out', file('hours.csv'))).toEqual({
      code: 0,
      stdout: `hours of nazionale: 4 days replayed by same-hour, ${4 * HOURLY_REACH_DAYS} forecasts kept as a replay\n`,
      stderr: '2025-06: 1 of 4 days\n2025-07: 3 of 4 days\n',
    })
    await withDatabase(async ({ sql }) => {
      const [kept] = await sql`
        select count(*) as days, count(*) filter (where cardinality(actual) = 24) as known from replayed_hourly_forecasts
        where role = 'published' and issue = 'evening' and inputs = 'prices-only'
          and replay_id in (select id from forecast_replays where purpose = 'command')`
      expect(kept).toEqual({ days: 4 * HOURLY_REACH_DAYS, known: 4 * HOURLY_REACH_DAYS })
      const [header, first = '', ...lines] = (await readFile(file('hours.csv'), 'utf8')).trimEnd().split('\n')
      expect(header).toBe('zone,issued_at,starts_at,target_date,horizon,inputs,p10,p50,p90')
      expect(first).toMatch(
        /^nazionale,2025-06-28T17:30:00Z,2025-06-29T22:00:00Z,2025-06-30,1,prices-only(,-?\d+\.\d{4}){3}$/,
      )
      expect(lines).toHaveLength(24 * 4 * HOURLY_REACH_DAYS - 1)
      expect([...(await sql`select count(*) from hourly_forecasts`)]).toEqual([{ count: HOURLY_ROWS }])
    })
  })

  it('report a missing or existing file, or an unknown model, in one sentence', async () => {
    const span = ['--asset', 'pun', '--from', '2026-03-01', '--to', '2026-03-03']
    const there = file('there.csv')
    await writeFile(there, 'before')
    await writeFile(file('cut.csv.gz'), gzipSync('chain').subarray(0, 10))
    await writeFile(file('other.parquet'), 'PAR1')
    for (const [script, args, sentence] of [
      ['ledger.ts', ['verify', file('nowhere.csv')], `${file('nowhere.csv')}: there is no such file`],
      ['ledger.ts', ['verify', there], `${there} is not a ledger: it has no column chain`],
      ['ledger.ts', ['verify', file('cut.csv.gz')], `${file('cut.csv.gz')}: unexpected end of file`],
      ['ledger.ts', ['verify', file('other.parquet')], `${file('other.parquet')}: `],
      ['ledger.ts', ['export', there], `${there} exists already`],
      ['forecast.ts', ['replay', ...span, '--out', there], `${there} exists already`],
      ['forecast.ts', ['replay', ...span, '--out', file('no/replay.csv')], `there is no folder ${file('no')}`],
      ['forecast.ts', ['replay', ...span, '--model', 'oracle'], 'there is no model "oracle"; there are '],
      ['import.ts', [file('nowhere.xml')], `${file('nowhere.xml')}: there is no such file`],
      ['try-source.ts', ['gme-mgp', '--file', file('nowhere.xml')], `${file('nowhere.xml')}: there is no such file`],
    ] as const) {
      const { code, stderr } = await command(script, ...args)
      expect([code, stderr], script).toEqual([2, expect.stringMatching(/^[^\n]+\n$/)])
      expect(stderr).toContain(sentence)
    }
    expect(await readFile(there, 'utf8')).toBe('before')
  })

  it.each([
    ['forecast.ts', 'predict'],
    ['forecast.ts', 'replay', '--asset', 'brent', '--from', '2026-03-01', '--to', '2026-03-03'],
    ['forecast.ts', 'replay', '--asset', 'pun', '--from', '2026-02-30', '--to', '2026-03-03'],
    ['forecast.ts', 'replay', '--asset', 'pun', '--from', '2026-03-04', '--to', '2026-03-03'],
    ['ledger.ts', 'check'],
    ['ledger.ts', 'export'],
  ])('exit with 2 for an invalid call: %s %s', async (script, ...args) => {
    expect(await command(script, ...args)).toMatchObject({ code: 2, stdout: '' })
  })
})
