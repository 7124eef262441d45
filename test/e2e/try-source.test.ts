/** `npm run try-source` as users run it: one process, a local publisher, no database. */
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commandOutcome } from '../support/product.ts'
import { CREDENTIALS, type Publishers, plainTruth, startPublishers } from '../support/publishers/index.ts'
import { scratchFolderOfFile } from '../support/scratch-folder.ts'

const FIXTURES = path.join(import.meta.dirname, '../fixtures/sources')
const NOW = '2026-10-30T20:00:00Z'

const folder = await scratchFolderOfFile()
let publishers: Publishers
beforeAll(async () => {
  publishers = await startPublishers({ clock: { now: () => Temporal.Instant.from(NOW) }, truth: plainTruth() })
})
afterAll(() => publishers.stop())

const trySource = (...args: string[]) =>
  commandOutcome({ ...publishers.env, DATA_DIR: path.join(folder, 'data'), CLOCK: NOW }, 'try-source.ts', ...args)

describe('npm run try-source', () => {
  it.each([
    ['gme-mgp', '2026-10-25', 100],
    ['entsoe', '2026-03-29', 92],
  ])('for %s prints the intervals of %s and stores nothing', async (source, day, intervals) => {
    const { code, stdout, stderr } = await trySource(source, '--day', day)
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('got http://127.0.0.1') })
    const rows = stdout.split('\n').filter((line) => /^ *\d+ +\d\d:\d\d /.test(line))
    expect(rows).toHaveLength(intervals)
    expect(stdout).toMatch(/0 faults; nothing was stored/)
    expect(await readdir(folder)).toEqual([])
  })

  it.each([
    ['gme-mgas', '2026-10-25', /PSV +2026-10-25 +\d/],
    ['eia-brent', '2026-10-21', /Brent +2026-10-21 +\d/],
    ['eex-ttf', '2026-10-29', /TTF +2026-10-29 +\d/],
    ['eex-eua', '2026-10-29', /CO2 +2026-10-29 +\d/],
  ])('for %s prints the price of %s', async (source, day, line) => {
    expect(await trySource(source, '--day', day)).toMatchObject({ code: 0, stdout: expect.stringMatching(line) })
  })

  it('reports a refusal by the publisher without showing credentials', async () => {
    publishers.setFault('entsoe', 'refused-401')
    const { code, stdout, stderr } = await trySource('entsoe', '--day', '2026-10-25')
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/SourceRefused: .* answers 401/)
    for (const secret of Object.values(CREDENTIALS)) expect(stderr).not.toContain(secret)
  })

  it('reads a file, and exits with 1 for a truncated one', async () => {
    const plain = path.join(FIXTURES, 'gme-mgas/pages-plain-session/response.json')
    expect(await trySource('gme-mgas', '--file', plain)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('31.335'),
    })
    const truncated = path.join(FIXTURES, 'gme-mgas/pages-truncated/response.json')
    expect(await trySource('gme-mgas', '--file', truncated)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('[unreadable_document]'),
    })
  })

  it.each([
    [['entsoe', '--day', '2026-02-30'], /not a day of the calendar/],
    [['nobody', '--day', '2026-02-28'], /"nobody" cannot be fetched from/],
    [['entsoe'], /one of --day and --file/],
  ])('refuses %j with the reason and exit code 2', async (args, reason) => {
    expect(await trySource(...args)).toMatchObject({ code: 2, stderr: expect.stringMatching(reason) })
  })
})
