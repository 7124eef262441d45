/** The only writer of offers: one list of one day in one transaction. The rules for versions are in sql/objects/store_offer_day.sql. */
import { type MarketDay, parseMarketDay } from '../market/market-day.ts'
import { DATASET_COMMODITIES, type Offer, type OfferDataset, type OfferDay } from '../publishers/arera-offers/offer.ts'
import type { Sql, Transaction } from './database.ts'
import { type DocumentOrigin, recordDocument } from './documents.ts'

/** Offers per statement: large enough to be fast, small enough for flat memory. */
const BATCH_OFFERS = 2_000

interface OfferDayToStore {
  source: string
  document: DocumentOrigin
  storedAt: Temporal.Instant
  item: OfferDay
}

/** Changes in a day's offers, compared with those in force on that day. */
export interface OfferCounts {
  added: number
  changed: number
  withdrawn: number
  unchanged: number
}

/** Storing the same list twice changes nothing. */
export async function writeOfferDay(sql: Sql, day: OfferDayToStore): Promise<OfferCounts> {
  const { source, document, storedAt, item } = day
  return sql.begin(async (tx: Transaction) => {
    const documentId = await recordDocument(tx, source, document)
    await tx`create temporary table incoming_offers (like offers) on commit drop`
    for (let at = 0; at < item.offers.length; at += BATCH_OFFERS) {
      await stage(tx, item.offers.slice(at, at + BATCH_OFFERS), day, documentId)
    }
    const groups = item.excluded.flatMap(({ reason, groups = [] }) => groups.map((group) => ({ reason, ...group })))
    const [counts] = await tx<OfferCounts[]>`
      select added, changed, withdrawn, unchanged
      from store_offer_day(
        ${source}, ${item.dataset}, ${item.day}::date, ${DATASET_COMMODITIES[item.dataset] ?? null}, ${documentId},
        ${storedAt}::timestamptz,
        ${item.excluded.map(({ reason }) => reason)}::text[],
        ${item.excluded.map(({ offers }) => offers)}::integer[],
        ${item.excluded.map(({ examples }) => examples.join('\n'))}::text[],
        ${JSON.stringify(groups)}::text::jsonb
      )`
    if (counts === undefined) throw new Error('store_offer_day returned nothing')
    await tx`drop table incoming_offers`
    return counts
  })
}

/** Adds offers to the temporary table. They are passed as one JSON value, since arrays of arrays cannot be passed otherwise. */
async function stage(
  tx: Transaction,
  offers: Offer[],
  { source, item, storedAt }: OfferDayToStore,
  documentId: number,
): Promise<void> {
  await tx`
    insert into incoming_offers (
      source, dataset, supplier, code, first_day, commodity, price_type, customer, reference, valid_from, valid_to, bands,
      prices_eur_kwh, stated_prices, stated_unit, fixed_fee_eur_year, notes, document_id, fetched_at
    )
    select ${source}, ${item.dataset}, o.supplier, o.code, ${item.day}::date, o.commodity, o."priceType", o.customer,
           o.reference, o."validFrom", o."validTo", o.bands, o."pricesEurKwh", o."statedPrices", o."statedUnit", o."fixedFeeEurYear",
           o.notes, ${documentId}, ${storedAt}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(offers)}::text::jsonb) as o (
      supplier text, code text, commodity text, "priceType" text, customer text, reference text, "validFrom" date, "validTo" date,
      bands text, "pricesEurKwh" double precision[], "statedPrices" double precision[], "statedUnit" text,
      "fixedFeeEurYear" double precision, notes text[]
    )`
}

/** Returns the number of offers, used or not, in the publication nearest to that day; undefined if there is none within a month. */
export async function nearestOfferCount(
  sql: Sql,
  source: string,
  { dataset, day }: OfferDay,
): Promise<number | undefined> {
  const [row] = await sql<{ read: number }[]>`
    select offers + excluded as read
    from offer_days
    where source = ${source} and dataset = ${dataset}
      and day between ${day}::date - 30 and ${day}::date + 30 and day <> ${day}::date
    order by abs(day - ${day}::date), day
    limit 1`
  return row?.read
}

/** Returns the latest day for which all of a source's lists are stored; undefined if there is none. */
export async function lastCompleteOfferDay(
  sql: Sql,
  source: string,
  lists: readonly OfferDataset[],
): Promise<MarketDay | undefined> {
  const [row] = await sql<{ day: string }[]>`
    select day from offer_days
    where source = ${source} and dataset = any (${[...lists]}::text[])
    group by day
    having count(*) = ${lists.length}
    order by day desc
    limit 1`
  return row && parseMarketDay(row.day)
}
