/**
 * Every folder `test/fixtures/sources/<source>/<case>` is a test: what its `response.*` states must be its `expected.json`. Where the
 * name of a file tells something, the file has that name instead.
 */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { readDocuments } from '../../../src/ingest/read-documents.ts'
import type { OfferDay } from '../../../src/publishers/arera-offers/offer.ts'
import type { PublishedValues } from '../../../src/publishers/arera-offers/published-values.ts'
import type { Parsed } from '../../../src/publishers/observations.ts'

const FIXTURES = path.join(import.meta.dirname, '../../fixtures/sources')

describe.each(readdirSync(FIXTURES))('%s', (source) => {
  it.each(readdirSync(path.join(FIXTURES, source)))('%s', async (name) => {
    const folder = path.join(FIXTURES, source, name)
    const response = readdirSync(folder).find((file) => file !== 'expected.json') ?? 'response'
    const items: Parsed[] = []
    for await (const { parsed } of readDocuments(path.join(folder, response)))
      items.push(...(await Array.fromAsync(parsed)))
    expect(items.map(summary)).toEqual(JSON.parse(readFileSync(path.join(folder, 'expected.json'), 'utf8')))
  })
})

function summary(item: Parsed): object {
  if (item.kind === 'document-fault') return { document_fault: item.fault.code }
  if (item.kind === 'offer-day') return offerSummary(item)
  if (item.kind === 'published-values') return valuesSummary(item)
  const faults = item.faults.map(({ code }) => code)
  const day = String(item.day)
  return item.kind === 'zone-day'
    ? { series: item.zone, day, resolution_minutes: item.resolutionMinutes, prices: item.prices.map(orNull), faults }
    : { series: item.asset, day, prices: [orNull(item.price)], faults }
}

function offerSummary({ dataset, day, offers, excluded, faults }: OfferDay): object {
  return {
    dataset,
    day: day.toString(),
    offers: offers.map(({ supplier: _, validFrom, validTo, reference, fixedFeeEurYear, ...offer }) => ({
      ...offer,
      validity: [validFrom?.toString() ?? null, validTo?.toString() ?? null],
      reference: reference ?? null,
      fixedFeeEurYear: orNull(fixedFeeEurYear),
    })),
    excluded: Object.fromEntries(excluded.map(({ reason, examples }) => [reason, examples])),
    faults: faults.map(({ code }) => code),
  }
}

function valuesSummary({ series, day, values, faults }: PublishedValues): object {
  return {
    series,
    day: day.toString(),
    values: values.map(({ name, validOn, value, unit }) => [name, validOn.toString(), value, unit ?? null]),
    faults: faults.map(({ code }) => code),
  }
}

function orNull(price: number | undefined): number | null {
  return price ?? null
}
