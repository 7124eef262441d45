import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { gateZoneDay } from '../../../src/ingest/gate.ts'
import { gmeXml } from '../../support/gme-documents.ts'
import { readAll } from '../../support/parsed-documents.ts'
import { needsSharedData, sharedData } from '../../support/shared-data.ts'
import { zipArchive } from '../../support/zip-archive.ts'

const FIXTURES = path.join(import.meta.dirname, '../../fixtures/sources/gme-mgp')
const fixture = (name: string) => readFile(path.join(FIXTURES, name, 'response.json'))

/** A response of the API that contains that file. */
function envelope(content: string | Buffer): string {
  const zip = zipArchive([{ name: 'inner', content }])
  return JSON.stringify({ contentResponse: zip.toString('base64'), formatType: 'JSON', resultRequest: null })
}

describe('an API response that wraps a file', () => {
  it('is unwrapped, and the document is named after both', async () => {
    const { documents } = await readAll(await fixture('api-envelope'), { name: 'answer.json' })
    expect(documents).toMatchObject([{ kind: 'gme-api-json', source: 'gme-mgp' }])
    expect(documents[0]?.name).toBe('answer.json!content!20260114_20260114_MGP_ME_ZonalPrices.json')
  })

  it('may contain XML', async () => {
    const { documents, zoneDays } = await readAll(envelope(gmeXml({ day: '2026-01-14' })))
    expect(documents).toMatchObject([{ kind: 'gme-mgp-xml' }])
    expect(zoneDays).toHaveLength(8)
  })

  it("reports the publisher's error message", async () => {
    const { faults } = await readAll(await fixture('api-envelope-error'))
    expect(faults).toMatchObject([{ detail: expect.stringMatching(/exceeds quota MaxDataPerMinute/) }])
  })

  it.each([
    ['in an archive', zipArchive([{ name: 'a', content: envelope('[]') }]), /inside an archive/],
    ['in another one', envelope(envelope('[]')), /inside an archive/],
    ['with something else in it', '{"contentResponse": "<html>"}', /not base64/],
    ['with a bomb in it', envelope(`[{"FlowDate": 1},${' '.repeat(8 * 1024 * 1024)}`), /200 times its compressed size/],
  ])('%s is refused', async (_, content, detail) => {
    const { items, faults } = await readAll(content)
    expect(items).toHaveLength(1)
    expect(faults).toMatchObject([{ code: 'unreadable_document', detail: expect.stringMatching(detail) }])
  })
})

describe('the rows behind the public pages', () => {
  it('without a zone are read as PUN only if the caller says so', async () => {
    const rows = await fixture('pages-without-zone')
    expect((await readAll(rows)).faults).toMatchObject([{ detail: expect.stringMatching(/--asset pun/) }])
    const { zoneDays } = await readAll(rows, { asset: 'pun' })
    expect(zoneDays).toMatchObject([{ zone: 'nazionale', faults: [] }])
  })

  it('of a quarter-hour are not read as hours', async () => {
    const { zoneDays } = await readAll('{"pun": [{"df": 20260114, "h": 1, "p": 101.5, "qh": 1}]}')
    expect(zoneDays[0]?.faults).toMatchObject([{ code: 'wrong_instant' }])
    expect(zoneDays[0]?.prices).not.toContain(101.5)
  })
})

const PAGES = sharedData('raw/gme/dnn_GetMEPrezzi_20260430_pun_and_zones_bundle.json')

describe.skipIf(!PAGES)(needsSharedData('real rows'), () => {
  it('are complete days of the PUN and six zones, and the PUN lies between zonal prices', async () => {
    const { zoneDays, faults } = await readAll(await readFile(PAGES ?? ''))
    expect(faults).toEqual([])
    expect(zoneDays.map(({ zone }) => zone)).toEqual(['nazionale', 'nord', 'cnor', 'csud', 'sud', 'sici', 'sard'])
    const limits = { priceLimits: { min: -500, max: 4000 } }
    expect(zoneDays.every((zoneDay) => gateZoneDay(zoneDay, limits).accepted)).toBe(true)
    const [pun, ...zones] = zoneDays.map(({ prices }) => prices as number[])
    for (const [index, price] of (pun ?? []).entries()) {
      const others = zones.map((prices) => prices[index] ?? Number.NaN)
      expect(price).toBeGreaterThanOrEqual(Math.min(...others) - 0.001)
      expect(price).toBeLessThanOrEqual(Math.max(...others) + 0.001)
    }
  })
})
