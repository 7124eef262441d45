/** The files of the offers portal: told by root and headers, and named after the day they are of. */
import { type NamedFile, readFileName } from '../publishers/arera-offers/file-name.ts'
import { parseFreeMarket } from '../publishers/arera-offers/parse-free-market.ts'
import { INDEX_MONTHS_BEGINNING, parseIndexMonths } from '../publishers/arera-offers/parse-index-months.ts'
import { PARAMETERS_HEADER, parseParameters } from '../publishers/arera-offers/parse-parameters.ts'
import { parsePlacet, placetCommodity } from '../publishers/arera-offers/parse-placet.ts'
import type { Parsed } from '../publishers/observations.ts'
import type { DocumentKind, Recognised, RecogniseOptions } from './recognise.ts'

const SOURCE = 'arera-offers'

/** Of XML whose root is that of a list of free-market offers. */
export function freeMarketOffers(fileName: string, { day }: RecogniseOptions): Recognised {
  return ofDay('free-market-offers-xml', () => readFileName(fileName, day), parseFreeMarket)
}

/** Undefined for the header of any other CSV. */
export function recogniseOffersCsv(
  header: string,
  fileName: string,
  { day }: RecogniseOptions,
): Recognised | undefined {
  const name = () => readFileName(fileName, day)
  const commodity = placetCommodity(header)
  if (commodity !== undefined) {
    return ofDay('placet-offers-csv', name, (all, named) => parsePlacet(all, header, commodity, named))
  }
  if (header.trim() === PARAMETERS_HEADER) {
    return ofDay('offer-parameters-csv', name, (all, named) => parseParameters(all, fileName, named))
  }
  if (!header.startsWith(INDEX_MONTHS_BEGINNING)) return undefined
  return { kind: 'index-months-csv', source: SOURCE, parse: (all) => parseIndexMonths(all, header) }
}

/** A name without a day is a fault of the portal's document, so it is read when the document is. */
function ofDay(
  kind: DocumentKind,
  name: () => NamedFile,
  parse: (text: AsyncIterable<string>, named: NamedFile) => AsyncGenerator<Parsed, void, undefined>,
): Recognised {
  return {
    kind,
    source: SOURCE,
    async *parse(text) {
      yield* parse(text, name())
    },
  }
}
