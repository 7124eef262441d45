/** Reference data: zones, and the documents from which a day was read. */
import { describe, expect, it } from 'vitest'
import type { Provenance } from '../../../src/api/contract/provenance.ts'
import type { ZoneList } from '../../../src/api/contract/zones.ts'
import { FORMER_ZONES, REGIONS, ZONE_EXTENTS } from '../../../src/market/zone-reference.ts'
import { STORED_ZONES } from '../../../src/market/zones.ts'
import { dailyPrice, zoneDay } from '../../support/prices.ts'
import { serviceOfFile } from '../../support/service.ts'

const DAY = '2026-03-29'
const FIRST = '2026-03-28T11:58:10Z'
const SECOND = '2026-03-30T02:11:40Z'

const service = await serviceOfFile({ now: '2026-04-01T10:00:00Z' })
const headers = await service.asPlan('Developer')
const at = (text: string) => ({ at: Temporal.Instant.from(text) })
await service.seed([zoneDay('nazionale', DAY, 15, () => 90), zoneDay('nord', DAY, 60, () => 80)], at(FIRST))
await service.seed([zoneDay('nazionale', DAY, 15, (quarter) => (quarter <= 4 ? 91 : 90))], at(SECOND))
await service.seed([dailyPrice('PSV', DAY, 30)], { source: 'gme-mgas', ...at(FIRST) })
await service.sql`update documents set address = 'https://api.energy.example/gas/prices?token=secret' where source = 'gme-mgas'`
await service.sql`update documents set address = '/home/operator/in/20260329MGPPrezzi.xml' where fetched_at = ${FIRST}::timestamptz and source = 'gme-mgp'`

const ask = (query: string) => service.ask(`/v1/provenance${query}`, { headers })
const provenance = async (query: string) => (await ask(query)).json() as unknown as Provenance

describe('GET /v1/zones', () => {
  it('200 with every zone that has prices, and former zones', async () => {
    const { count, zones } = (await service.ask('/v1/zones')).json() as unknown as ZoneList
    expect(zones.filter(({ has_prices }) => has_prices).map(({ code }) => code)).toEqual([...STORED_ZONES])
    expect(zones.filter(({ exists }) => !exists).map(({ code }) => code)).toEqual(FORMER_ZONES.map(({ code }) => code))
    expect(count).toBe(zones.length)
    const poles = zones.filter(({ kind }) => kind === 'production-pole')
    expect(Object.fromEntries(poles.map(({ code, valid_to }) => [code, valid_to]))).toEqual({
      ...{ rosn: '2020-12-31', brnn: '2018-12-31', fogn: '2018-12-31', prgp: '2018-12-31', mftv: undefined },
    })
    const calabria = zones.find(({ code }) => code === 'cala')
    expect(calabria).toMatchObject({ eic: '10Y1001C--00096J', valid_from: '2021-01-01' })
  })

  it('200 with each region in exactly one zone, before and after the review of 2021', async () => {
    for (const day of ['2020-12-31', '2021-01-01', '2026-04-01']) {
      const { zones } = (await service.ask('/v1/zones')).json() as unknown as ZoneList
      const regions = zones
        .flatMap(({ extents }) => extents)
        .filter(({ from = '', to = '9999' }) => from <= day && day <= to)
        .flatMap((extent) => extent.regions.map(({ code }) => code))
      expect(regions.sort()).toEqual(Object.keys(REGIONS).sort())
    }
    expect(ZONE_EXTENTS.csud.at(-1)?.regions).toContain('IT-55') // Umbria
  })
})

describe('GET /v1/provenance', () => {
  it('200 with the documents of a corrected day, current ones first', async () => {
    const { documents, ...head } = await provenance(`?date=${DAY}`)
    expect(head).toMatchObject({ asset: 'PUN', zone: 'nazionale', date: DAY, version: 2 })
    const original = { document: '20260329MGPPrezzi.xml', fetched_at: FIRST }
    const correction = { document: expect.stringMatching(/^seed-/), fetched_at: SECOND }
    expect(documents).toMatchObject([
      { version: 2, current: true, values: 4, ...correction },
      { version: 2, current: true, values: 88, ...original },
      { version: 1, current: false, values: 4, ...original, replaced_at: SECOND },
    ])
    for (const { current, replaced_at } of documents) expect(replaced_at === undefined).toBe(current)
    const [row] =
      await service.sql`select sha256, bytes::int as bytes from documents where fetched_at = ${SECOND}::timestamptz`
    const publisher = 'Gestore dei Mercati Energetici S.p.A. (GME)'
    expect(documents[0]).toMatchObject({ ...row, source: 'gme-mgp', publisher })
  })

  it('200 for a zone and for a daily index, without URL secrets or local paths', async () => {
    const ofNord = { zone: 'nord', version: 1, documents: [{ values: 23, current: true }] }
    expect(await provenance(`?date=${DAY}&zone=nord`)).toMatchObject(ofNord)
    const psv = await ask(`?date=${DAY}&asset=psv`)
    const documents = [{ values: 1, document: 'https://api.energy.example/gas/prices' }]
    expect(psv.json()).toMatchObject({ asset: 'PSV', documents })
    expect(psv.text).not.toContain('secret')
    expect((await ask(`?date=${DAY}`)).text).not.toContain('operator')
  })

  it.each([
    ['?date=2026-03-28', 404, 'not_found'],
    [`?date=${DAY}&asset=ttf`, 404, 'not_found'],
    ['', 400, 'invalid_parameter'],
    [`?date=${DAY}&asset=pun&zone=nord`, 400, 'invalid_parameter'],
    [`?date=${DAY}&asset=gold`, 400, 'invalid_parameter'],
  ])('%s returns %i %s', async (query, status, error) => {
    const answer = await ask(query)
    expect([answer.status, answer.json().error]).toEqual([status, error])
  })
})
