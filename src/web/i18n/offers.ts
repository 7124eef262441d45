/** Texts of the pages on retail offers and of the bill estimate. */
import type { Commodity, PriceType } from '../../market/offers.ts'
import { article } from './italian.ts'
import { messages } from './language.ts'

const enKinds: Record<Commodity, Record<PriceType, string>> = {
  luce: { fisso: 'Electricity, fixed', variabile: 'Electricity, variable' },
  gas: { fisso: 'Gas, fixed', variabile: 'Gas, variable' },
}
const itKinds: Record<Commodity, Record<PriceType, string>> = {
  luce: { fisso: 'Luce, prezzo fisso', variabile: 'Luce, variabile' },
  gas: { fisso: 'Gas, prezzo fisso', variabile: 'Gas, variabile' },
}

export const offerTexts = messages({
  title: ['Retail offers', 'Offerte al dettaglio'],
  lead: [
    'Free-market offers to households, energy component only: four indices, computed daily from all offers on the regulator’s portal.',
    'Offerte del mercato libero alle famiglie, sola componente energia: quattro indici, calcolati ogni giorno da tutte le offerte del portale del regolatore.',
  ],
  kinds: [enKinds, itKinds],
  indices: ['The four indices', 'I quattro indici'],
  none: [
    'No index is published: there are no recent offers, or too few of each kind.',
    'Nessun indice pubblicato: mancano offerte recenti, o sono troppo poche per ogni tipo.',
  ],
  tooFew: [
    'This index is not shown: fewer than five offers, or fewer than three suppliers.',
    'Questo indice non è mostrato: meno di cinque offerte, o meno di tre venditori.',
  ],
  index: ['Index', 'Indice'],
  median: ['Median', 'Mediana'],
  mean: ['Mean', 'Media'],
  lowest: ['Lowest', 'Minimo'],
  highest: ['Highest', 'Massimo'],
  offers: ['Offers', 'Offerte'],
  excluded: ['Outliers left out', 'Valori anomali esclusi'],
  overReference: ['Mark-up on wholesale', 'Ricarico sull’ingrosso'],
  range: [
    'Price of the energy, from the lowest to the highest offer; the mark is the median',
    'Prezzo dell’energia, dall’offerta più bassa alla più alta; il segno è la mediana',
  ],
  spread: ['Distribution of the offers', 'Come si distribuiscono le offerte'],
  spreadLead: [
    'Mark-up on the wholesale index, PUN for electricity and PSV for gas: for variable offers the spread they state, for fixed offers the price minus the index of the previous 30 days.',
    'Ricarico sull’indice all’ingrosso, PUN per la luce e PSV per il gas: per le offerte variabili lo spread dichiarato, per quelle fisse il prezzo meno l’indice dei 30 giorni precedenti.',
  ],
  spreadRange: [
    '10th to 90th percentile; the thick part is the middle half, the mark is the median',
    'Dal 10° al 90° percentile; più spessa la metà centrale, il segno è la mediana',
  ],
  customer: ['Offers to', 'Offerte a'],
  customers: [
    { domestico: 'households', business: 'businesses' },
    { domestico: 'famiglie', business: 'imprese' },
  ],
  percentile: [(n: number) => `p${n}`, (n) => `p${n}`],
  fee: ['Fixed fee, median, €/month', 'Quota fissa, mediana, €/mese'],
  noStatistics: [
    'Too few offers of this kind for statistics.',
    'Troppo poche offerte di questo tipo per una statistica.',
  ],
  method: ['How it is computed', 'Come si calcola'],
  updated: [(_day: string): string => 'Offers of ', (day) => `Offerte ${article('del', day)}`],
  estimate: ['Estimate a bill with these prices', 'Stima una bolletta con questi prezzi'],
})
