/**
 * The free market's offers: `PO_Offerte_{E|G|D}_MLIBERO_YYYYMMDD.xml`. Yields one list per commodity after the last offer, and nothing
 * if the document is truncated: the missing offers would count as ended.
 */

import { UnreadableDocument } from '../faults.ts'
import type { Items } from '../observations.ts'
import { marketOf, readFreeMarketOffer } from './free-market-offer.ts'
import { DATASET_COMMODITIES, type OfferDataset } from './offer.ts'
import { type OfferElement, readOffers } from './offer-elements.ts'
import { OfferList } from './offer-list.ts'
import { ExcludedOffer } from './reasons.ts'
import type { FileNameInfo } from './values.ts'

const DATASETS = { luce: 'free-power', gas: 'free-gas', dual: 'free-dual' } as const

/** Fails with UnreadableDocument where reading cannot continue. */
export async function* parseFreeMarket(text: AsyncIterable<string>, { day, commodity }: FileNameInfo): Items {
  const lists = new Map<OfferDataset, OfferList>()
  let count = 0
  let ofItsCommodity = 0
  for await (const element of readOffers(text)) {
    count += 1
    const market = marketOf(element)
    if (market === commodity) ofItsCommodity += 1
    const dataset = DATASETS[commodity ?? market ?? 'luce']
    const list = lists.get(dataset) ?? new OfferList(dataset, day)
    lists.set(dataset, list)
    list.add(`offer ${count}, line ${element.line}`, () => readOffer(element, dataset, list))
  }
  if (count === 0) throw new UnreadableDocument('document', 'holds no offers')
  if (commodity !== undefined && ofItsCommodity * 2 < count) {
    throw new UnreadableDocument(
      'document',
      `holds ${ofItsCommodity} offers of ${commodity} among ${count}, but its name says ${commodity}`,
    )
  }
  for (const list of lists.values()) yield list.finish()
}

function readOffer(element: OfferElement, dataset: OfferDataset, { day }: OfferList) {
  const commodity = DATASET_COMMODITIES[dataset]
  if (commodity === undefined) throw new ExcludedOffer('dual_offer', 'in the list of dual offers')
  return readFreeMarketOffer(element, commodity, day)
}
