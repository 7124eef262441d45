/**
 * Every folder `test/fixtures/sources/<source>/<case>` is a test: the content of its `response.*` must equal `expected.json`. If the
 * file name carries information, the file has that name instead.
 */
import { isUtf8 } from 'node:buffer'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { detectFormat } from '../../../src/ingest/archives.ts'
import { readDocuments } from '../../../src/ingest/read-documents.ts'
import { HEAD_CHARACTERS, headOf } from '../../../src/ingest/recognise.ts'
import type { OfferDay, PublishedValues } from '../../../src/publishers/arera-offers/offer.ts'
import type { DocumentForm } from '../../../src/publishers/documents.ts'
import { UnreadableDocument } from '../../../src/publishers/faults.ts'
import { GENERIC_DOCUMENTS, PUBLISHERS } from '../../../src/publishers/index.ts'
import type { Parsed } from '../../../src/publishers/observations.ts'
import { readWorkbook } from '../../../src/publishers/reading/workbook.ts'

const FIXTURES = path.join(import.meta.dirname, '../../fixtures/sources')

const CASES = readdirSync(FIXTURES).flatMap((source) =>
  readdirSync(path.join(FIXTURES, source)).map((name) => [source, name] as const),
)
const FORMS = PUBLISHERS.flatMap(({ documents }) => documents)
/** Kinds as which the documents were recognised. */
const kinds = new Set<string>()

describe('a publisher', () => {
  it.each(CASES)('%s has %s read, and nobody else claims it', async (source, name) => {
    const folder = path.join(FIXTURES, source, name)
    const response = path.join(folder, readdirSync(folder).find((file) => file !== 'expected.json') ?? 'response')
    const items: Parsed[] = []
    for await (const document of readDocuments(response)) {
      items.push(...(await Array.fromAsync(document.parsed)))
      expect([source, undefined]).toContain(document.source)
      kinds.add(document.kind)
    }
    expect(items.map(summary)).toEqual(JSON.parse(readFileSync(path.join(folder, 'expected.json'), 'utf8')))
    expect((await claimsOf(response)).length).toBeLessThanOrEqual(source === 'price-csv' ? 0 : 1)
  })

  it('has a fixture for each declared document, each with a unique name', () => {
    const declared = [...FORMS, ...GENERIC_DOCUMENTS].map(({ kind }) => kind)
    expect(new Set(declared).size).toBe(declared.length)
    expect(declared.filter((kind) => !kinds.has(kind))).toEqual([])
  })
})

/** Kinds of the formats that claim a file; one that rejects it has claimed it as well. */
async function claimsOf(file: string): Promise<string[]> {
  const bytes = readFileSync(file)
  if (detectFormat(bytes) !== undefined) {
    const sheets = await readWorkbook(bytes).catch(() => [])
    return kindsOf((form) => form.ofWorkbook?.(sheets))
  }
  const text = bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1').replace(/^\uFEFF/, '')
  const head = unlessUnreadable(() => headOf(text.slice(0, HEAD_CHARACTERS), path.basename(file), {}))
  return head === 'unreadable' ? [] : kindsOf((form) => form.ofText?.(head))
}

function kindsOf(ask: (form: DocumentForm) => unknown): string[] {
  return FORMS.filter((form) => unlessUnreadable(() => ask(form)) !== undefined).map(({ kind }) => kind)
}

function unlessUnreadable<Value>(read: () => Value): Value | 'unreadable' {
  try {
    return read()
  } catch (err) {
    if (err instanceof UnreadableDocument) return 'unreadable'
    throw err
  }
}

function summary(item: Parsed): object {
  if (item.kind === 'document-fault') return { document_fault: item.fault.code }
  if (item.kind === 'offer-day') return offerSummary(item)
  if (item.kind === 'published-values') return valuesSummary(item)
  const faults = item.faults.map(({ code }) => code)
  const day = String(item.day)
  if (item.kind === 'fundamental-day') {
    const { series, area, resolutionMinutes, values } = item
    return {
      series: `${series}/${area}`,
      day,
      resolution_minutes: resolutionMinutes,
      values: values.map(orNull),
      faults,
    }
  }
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
