/** Primary auctions of EU emission allowances; the contract of power and industry is T3PA. */
import { isAuctionDay } from '../../market/trading-days.ts'
import { workbookDocument } from '../documents.ts'
import { publisher } from '../publisher.ts'
import { connectEexEua } from './fetch.ts'
import { findAuctionReport, parseEexEua } from './parse.ts'

export const eexEua = publisher({
  id: 'eex-eua',
  name: 'European Energy Exchange AG (EEX)',
  url: 'https://www.eex.com',
  terms: 'Auction reports are public but carry no open licence: shown for information only.',
  redistributable: false,
  priority: 10,
  delivers: 'CO2, primary auctions',
  assets: ['CO2'],
  publishes: { days: 0, time: '11:15' }, // the auction closes at 11:00 and its report follows
  lateAt: { days: 0, time: '18:00' },
  publishesOn: isAuctionDay,
  fetching: {
    readFrom: 'the yearly workbook',
    pausesMinutes: [15, 30, 60],
    historyFrom: '2020-01-01',
    politeness: { minIntervalMs: 5_000, requestsPerDay: 100 },
    connect: connectEexEua,
  },
  documents: [
    workbookDocument({
      kind: 'eex-eua-workbook',
      about: "workbooks of the primary auctions, XLSX and XLS: contract T3PA, a day's auctions weighted by volume",
      recognise: findAuctionReport,
      parse: parseEexEua,
    }),
  ],
})
