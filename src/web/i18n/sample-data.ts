/** The page on synthetic sample data. */
import { messages } from './language.ts'

export const sampleDataTexts = messages({
  title: ['Synthetic sample data', 'Dati di prova sintetici'],
  paragraphs: [
    [
      'A deployment that has no source configured and no data of its own can serve sample data, so that every endpoint can be tried. The values are synthetic: they are computed from the date alone, follow plausible daily, weekly and yearly patterns, and belong to no market. Zones differ from each other, many Sundays in spring have hours below zero at noon, about one day in forty is published late and one in ninety is corrected on the same day, so that spreads, negative prices and corrections can be tried too. Two alerts on these values are shown at `/usage`.',
      'Wherever such a value appears, `source` and `attribution` say that it is synthetic. Sample values are never mixed with a publisher’s: the first price or offer of a publisher that is stored removes all of them at once, with everything derived from them: indices of offers, forecasts and their track record, bulk files. Whatever has no data then returns `no_data`. Alerts remain; events triggered by sample values do not.',
    ],
    [
      'Un servizio senza fonti configurate e senza dati può mostrare dati di prova, così che tu possa provare ogni endpoint. I valori sono sintetici: sono calcolati dalla sola data, seguono andamenti plausibili nel giorno, nella settimana e nell’anno, e non appartengono ad alcun mercato. Le zone differiscono tra loro, molte domeniche di primavera hanno a mezzogiorno ore sotto zero, circa un giorno su quaranta esce in ritardo e uno su novanta viene corretto il giorno stesso: così puoi provare anche differenze tra zone, prezzi negativi e correzioni. Due avvisi su questi valori sono mostrati in `/usage`.',
      'Ovunque appaia un valore di prova, `source` e `attribution` dicono che è sintetico. I valori di prova non si mescolano mai con quelli di una fonte: il primo prezzo o la prima offerta di una fonte che viene salvata li elimina tutti insieme, con tutto ciò che ne deriva: indici delle offerte, previsioni e loro risultati, file completi. Ciò che non ha più dati risponde `no_data`. Gli avvisi restano; gli eventi causati da valori di prova no.',
    ],
  ],
  ended: ['When that happened is shown at', 'Quando è avvenuto lo mostra'],
})
