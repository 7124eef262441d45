/** Recorded hashes of both ledgers: the same forecasts always yield the same bytes, whichever code path enters them. */
import { expect, it } from 'vitest'
import { ledgerHeads } from '../../src/store/forecast-ledger.ts'
import { databaseOfFile } from '../support/database.ts'
import { seedIssue } from '../support/forecasts.ts'
import { seedHours } from '../support/hourly-forecasts.ts'
import { storePrices, zoneDay } from '../support/prices.ts'

const { sql } = (await databaseOfFile()).database

it('enters days and hours over both change days with the recorded hashes', async () => {
  const price = (n: number, day = 0) => (n % 7 === 3 ? -500 : 100 + n / 3 - day / 7)
  for (const chain of ['sample', 'issued'] as const) {
    if (chain === 'issued') await storePrices(sql, [zoneDay('nord', '2026-03-29', 60, () => 100)])
    const others = 'cd'.repeat(32)
    const pun = { chain, asset: 'PUN', infoDate: '2026-03-28' } as const
    await seedIssue(sql, { ...pun, issuedAt: '2026-03-27T12:02:11.987Z', p50: price })
    await seedIssue(sql, { ...pun, issuedAt: '2026-03-27T18:30:00Z', days: 3, inputs: others })
    await seedIssue(sql, { chain, asset: 'TTF', infoDate: '2026-10-23', issuedAt: '2026-10-23T18:05:00Z', days: 9 })
    const nord = { chain, zone: 'nord', infoDate: '2026-03-28' } as const
    await seedHours(sql, { ...nord, issuedAt: '2026-03-27T12:02:11.987Z', p50: price })
    const everything = { issue: 'pre-auction', inputs: 'everything', inputsSha256: others } as const
    await seedHours(sql, { ...nord, ...everything, issuedAt: '2026-03-28T10:20:00Z', p50: (hour) => hour / 7 })
    await seedHours(sql, { chain, zone: 'cala', infoDate: '2026-10-24', issuedAt: '2026-10-23T18:00:00Z', p50: price })
  }
  expect((await ledgerHeads(sql)).map(({ chain, sequence, hash }) => `${chain} ${sequence} ${hash}`)).toEqual([
    'issued 381 4be09bc580e6e46ec6a5a8461fd1e5b13de0d555d2f27db6748875a2ece71dd9',
    'sample 381 e8c2a32ff5bbf49f746d9f5661f4df16cb706905ccd85b02269fbc81e979b08e',
    'hours issued 37 289198b62f5c375448387a92f2a04f660f5ef7b9ad14752e8855d4c5e5e754de',
    'hours sample 40 60c717dbd0a6cf89e62cf946ff05cab2a9c056d8f6e584263e5ebebe05cca2fe',
  ])
})
