/** A publisher that exists only in tests: an example of the code a new one needs. `test/sql/made-up-publisher.test.ts` lists it. */
import type { MarketDay } from '../../../src/market/market-day.ts'
import { parseMarketDay } from '../../../src/market/market-day.ts'
import type { Secret } from '../../../src/platform/secret.ts'
import { textDocument } from '../../../src/publishers/documents.ts'
import { getDocument } from '../../../src/publishers/fetch-days.ts'
import { type FetchMethod, publisher } from '../../../src/publishers/publisher.ts'
import { DailyPrices } from '../../../src/publishers/reading/daily-prices.ts'
import { asRecord, readJson, readPrice } from '../../../src/publishers/reading/json-document.ts'
import { type CommonSettings, credential } from '../../../src/publishers/settings.ts'

export const madeUp = publisher({
  id: 'made-up',
  name: 'Made-up Exchange',
  url: 'https://made-up.example',
  terms: 'Invented for a test.',
  redistributable: true,
  priority: 5, // before EEX
  delivers: 'TTF, made up',
  assets: ['TTF'],
  publishes: { days: -1, time: '16:30' },
  lateAt: { days: -1, time: '17:15' },
  expects: (day) => day.dayOfWeek !== 7,
  fetching: {
    readFrom: 'a server of the test',
    pausesMinutes: [5],
    historyFrom: '2026-03-27',
    politeness: { minIntervalMs: 0, requestsPerDay: 1_000 },
    needs: { MADE_UP_TOKEN: credential('token of the exchange that is made up') },
    connect: connectMadeUp,
  },
  documents: [
    textDocument({
      kind: 'made-up-json',
      about: 'JSON that is made up',
      recognise: ({ json = '' }) => /"made_up"\s*:/.test(json),
      parse: parseMadeUp,
    }),
  ],
})

function connectMadeUp({
  ADDRESS: base = new URL(madeUp.url),
  MADE_UP_TOKEN,
}: CommonSettings & { MADE_UP_TOKEN: Secret }): FetchMethod {
  return {
    way: 'test',
    maxDaysPerRequest: 7,
    async *fetch(days, io) {
      const url = new URL(`/${days.from}/${days.to}`, base)
      const document = await getDocument(url, { name: 'made-up.json', days }, io, {
        secretQuery: { token: MADE_UP_TOKEN },
      })
      if (document) yield document
    },
  }
}

async function* parseMadeUp(text: AsyncIterable<string>) {
  const prices = new DailyPrices()
  const { made_up } = asRecord(await readJson(text), 'document')
  for (const [day, value] of Object.entries(asRecord(made_up, 'made_up'))) {
    const price = readPrice(value)
    if (typeof price === 'number') prices.forDay('TTF', parseMarketDay(day) as MarketDay).put(price, day)
  }
  yield* prices.takeAll()
}
