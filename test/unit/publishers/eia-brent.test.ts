import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { readAll } from '../../support/parsed-documents.ts'
import { needsSharedData, sharedData } from '../../support/shared-data.ts'

describe('an error of the publisher', () => {
  it.each([
    [
      '{"error":{"code":"API_KEY_INVALID","message":"An invalid api_key was supplied."}}',
      /API_KEY_INVALID: An invalid/,
    ],
    ['{"error":"Not found.","code":404}', /404: Not found\./],
  ])('%s is reported with its message', async (body, detail) => {
    const { documents, faults } = await readAll(body)
    expect(documents[0]).toMatchObject({ kind: 'eia-brent-json', source: 'eia-brent' })
    expect(faults).toMatchObject([{ code: 'unreadable_document', detail: expect.stringMatching(detail) }])
  })
})

it('a row that is not an object is refused', async () => {
  const { faults } = await readAll('{"response": {"data": [17]}}')
  expect(faults).toMatchObject([{ place: 'row 1', detail: 'is 17 where an object belongs' }])
})

it('JSON larger than any possible response is refused before parsing', async () => {
  const { faults } = await readAll(`{"response": ${'[1,'.repeat(6 * 1024 * 1024)}`)
  expect(faults).toMatchObject([{ detail: expect.stringMatching(/too large/) }])
})

const ANSWER = sharedData('raw/eia/v2_petroleum_pri_spt_RBRTE_asc_length100_offset0.json')
const HISTORY = sharedData('oil/brent_daily_1987_2024.csv')

describe.skipIf(!ANSWER || !HISTORY)(needsSharedData('a real response'), () => {
  it('has the prices of the history', async () => {
    const { dailyPrices, items } = await readAll(await readFile(ANSWER ?? ''))
    const history = await readAll(await readFile(HISTORY ?? ''))
    expect(items).toHaveLength(100)
    expect(dailyPrices).toEqual(history.dailyPrices.slice(0, 100))
  })
})
