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
  en: {
    title: 'Retail offers',
    lead: 'Free-market offers to households, energy component only: four indices, computed daily from all offers on the regulator’s portal.',
    kinds: enKinds,
    indices: 'The four indices',
    none: 'No index is published: there are no recent offers, or too few of each kind.',
    tooFew: 'This index is not shown: fewer than five offers, or fewer than three suppliers.',
    index: 'Index',
    median: 'Median',
    mean: 'Mean',
    lowest: 'Lowest',
    highest: 'Highest',
    offers: 'Offers',
    excluded: 'Outliers left out',
    overReference: 'Mark-up on wholesale',
    range: 'Price of the energy, from the lowest to the highest offer; the mark is the median',
    spread: 'Distribution of the offers',
    spreadLead:
      'Mark-up on the wholesale index, PUN for electricity and PSV for gas: for variable offers the spread they state, for fixed offers the price minus the index of the previous 30 days.',
    spreadRange: '10th to 90th percentile; the thick part is the middle half, the mark is the median',
    customer: 'Offers to',
    customers: { domestico: 'households', business: 'businesses' },
    percentile: (n: number) => `p${n}`,
    fee: 'Fixed fee, median, €/month',
    noStatistics: 'Too few offers of this kind for statistics.',
    method: 'How it is computed',
    updated: (_day: string) => 'Offers of ',
    estimate: 'Estimate a bill with these prices',
    table: 'The figures',
  },
  it: {
    title: 'Offerte al dettaglio',
    lead: 'Offerte del mercato libero alle famiglie, sola componente energia: quattro indici, calcolati ogni giorno da tutte le offerte del portale del regolatore.',
    kinds: itKinds,
    indices: 'I quattro indici',
    none: 'Nessun indice pubblicato: mancano offerte recenti, o sono troppo poche per ogni tipo.',
    tooFew: 'Questo indice non è mostrato: meno di cinque offerte, o meno di tre venditori.',
    index: 'Indice',
    median: 'Mediana',
    mean: 'Media',
    lowest: 'Minimo',
    highest: 'Massimo',
    offers: 'Offerte',
    excluded: 'Valori anomali esclusi',
    overReference: 'Ricarico sull’ingrosso',
    range: 'Prezzo dell’energia, dall’offerta più bassa alla più alta; il segno è la mediana',
    spread: 'Come si distribuiscono le offerte',
    spreadLead:
      'Ricarico sull’indice all’ingrosso, PUN per la luce e PSV per il gas: per le offerte variabili lo spread dichiarato, per quelle fisse il prezzo meno l’indice dei 30 giorni precedenti.',
    spreadRange: 'Dal 10° al 90° percentile; più spessa la metà centrale, il segno è la mediana',
    customer: 'Offerte a',
    customers: { domestico: 'famiglie', business: 'imprese' },
    percentile: (n: number) => `p${n}`,
    fee: 'Quota fissa, mediana, €/mese',
    noStatistics: 'Troppo poche offerte di questo tipo per una statistica.',
    method: 'Come si calcola',
    updated: (day: string) => `Offerte ${article('del', day)}`,
    estimate: 'Stima una bolletta con questi prezzi',
    table: 'Le cifre',
  },
})
