/** Texts of the price cards and of the page that hands them out. */
import { article } from './italian.ts'
import { messages } from './language.ts'

export const cardTexts = messages({
  en: {
    title: (code: string) => `${code}: daily price`,
    marketDay: 'Market day',
    missing: 'No current price',
    missingLong: 'No price of the last seven days is published.',
    stale: (days: number) => `not up to date: ${days} ${days === 1 ? 'day' : 'days'} old`,
    synthetic: 'SYNTHETIC SAMPLE VALUE, NOT A MARKET PRICE',
    source: 'Source',
    since: (day: string) => `since ${day}`,
    page: 'Cards and attribution to embed',
    lead: 'A picture of the latest price, and the line that names its source: to paste into your own page. No script, no cookie, nothing that follows your readers.',
    snippet: 'HTML for your page',
    themes: 'A card follows the reader’s light or dark setting. To keep it fixed, end its address in',
    languages: 'The address decides the language: with /en/ or /it/ before card/, without either it is the reader’s.',
    cached:
      'A card may be kept for 15 minutes; a new price shows after that at the latest. If there is no current price, or it is old, the card says so.',
    lineTitle: 'Attribution as a line of text',
    line: 'For figures that you show yourself, on the Open and Developer plans:',
    fromApi: 'With figures of one index use the text that comes with them, in the field',
    data: 'Energy prices',
    sizes: 'It is 320 × 150 and scales without loss: set another width as you like.',
  },
  it: {
    title: (code: string) => `${code}: prezzo giornaliero`,
    marketDay: 'Giorno di mercato',
    missing: 'Nessun prezzo attuale',
    missingLong: 'Non è pubblicato alcun prezzo degli ultimi sette giorni.',
    stale: (days: number) => `non aggiornato: di ${days} ${days === 1 ? 'giorno' : 'giorni'} fa`,
    synthetic: 'VALORE SINTETICO, NON UN PREZZO DI MERCATO',
    source: 'Fonte',
    since: (day: string) => `rispetto ${article('al', day)}${day}`,
    page: 'Schede e attribuzione da incorporare',
    lead: 'Un’immagine con l’ultimo prezzo, e la riga che ne indica la fonte: da incollare nella propria pagina. Nessuno script, nessun cookie, niente che segua i lettori.',
    snippet: 'HTML per la Sua pagina',
    themes: 'Una scheda segue l’impostazione chiara o scura del lettore. Per fissarla, termini l’indirizzo con',
    languages: 'L’indirizzo decide la lingua: con /en/ o /it/ prima di card/; senza, è quella del lettore.',
    cached:
      'Una scheda può essere conservata per 15 minuti; un prezzo nuovo appare al più tardi dopo. Se un prezzo attuale manca o è vecchio, la scheda lo dice.',
    lineTitle: 'L’attribuzione come riga di testo',
    line: 'Per le cifre che mostra da sé, con i piani Open e Developer:',
    fromApi: 'Con le cifre di un indice usi il testo che le accompagna, nel campo',
    data: 'Prezzi dell’energia',
    sizes: 'Misura 320 × 150 e si ingrandisce senza perdite: imposti la larghezza che vuole.',
  },
})
