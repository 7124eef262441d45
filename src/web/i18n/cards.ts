/** Texts of the price cards and of the page that offers them for embedding. */

import { article } from './italian.ts'
import { messages } from './language.ts'

export const cardTexts = messages({
  en: {
    title: (code: string) => `${code}: daily price`,
    marketDay: 'Market day',
    missing: 'No price',
    missingLong: 'No price is stored.',
    synthetic: 'SYNTHETIC SAMPLE VALUE, NOT A MARKET PRICE',
    source: 'Source',
    since: (day: string) => `vs ${day}`,
    page: 'Cards and attribution to embed',
    lead: 'An image of the latest price and a line that names its source, to paste into your own page. No script, no cookie, no tracking of your readers.',
    snippet: 'HTML for your page',
    themes: 'A card follows the reader’s light or dark setting. To keep it fixed, end its address in',
    languages:
      'The address sets the language: /en/ or /it/ before card/; without either, the reader’s language is used.',
    cached:
      'Cache a card for up to 15 minutes: a new price then shows within that time. If there is no price, or it is old, the card says so.',
    lineTitle: 'Attribution as a line of text',
    line: 'For figures that you show yourself, on the Open and Developer plans:',
    fromApi: 'With figures of one index use the text that comes with them, in the field',
    data: 'Energy prices',
    sizes: 'It measures 320 × 150 and scales without loss: set any width.',
  },
  it: {
    title: (code: string) => `${code}: prezzo giornaliero`,
    marketDay: 'Giorno di mercato',
    missing: 'Nessun prezzo',
    missingLong: 'Nessun prezzo in archivio.',
    synthetic: 'VALORE SINTETICO, NON UN PREZZO DI MERCATO',
    source: 'Fonte',
    since: (day: string) => `rispetto ${article('al', day)}${day}`,
    page: 'Schede e attribuzione da incorporare',
    lead: 'Un’immagine con l’ultimo prezzo e la riga che ne indica la fonte, da incollare nella tua pagina. Nessuno script, nessun cookie, nessun tracciamento dei lettori.',
    snippet: 'HTML per la tua pagina',
    themes: 'Una scheda segue l’impostazione chiara o scura del lettore. Per fissarla, termina l’indirizzo con',
    languages: 'L’indirizzo determina la lingua: /en/ o /it/ prima di card/; senza, vale la lingua del lettore.',
    cached:
      'Una scheda può restare in cache per 15 minuti: un prezzo nuovo appare entro quel tempo. Se il prezzo manca o è vecchio, la scheda lo dice.',
    lineTitle: 'L’attribuzione come riga di testo',
    line: 'Per le cifre che mostri tu, con i piani Open e Developer:',
    fromApi: 'Con le cifre di un indice usa il testo che le accompagna, nel campo',
    data: 'Prezzi dell’energia',
    sizes: 'Misura 320 × 150 e si ingrandisce senza perdite: imposta la larghezza che vuoi.',
  },
})
