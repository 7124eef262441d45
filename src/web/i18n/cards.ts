/** Texts of the price cards and of the page that offers them for embedding. */

import { article } from './italian.ts'
import { messages } from './language.ts'

export const cardTexts = messages({
  title: [(code: string) => `${code}: daily price`, (code) => `${code}: prezzo giornaliero`],
  marketDay: ['Market day', 'Giorno di mercato'],
  missing: ['No price', 'Nessun prezzo'],
  missingLong: ['No price is stored.', 'Nessun prezzo in archivio.'],
  synthetic: ['SYNTHETIC SAMPLE VALUE, NOT A MARKET PRICE', 'VALORE SINTETICO, NON UN PREZZO DI MERCATO'],
  source: ['Source', 'Fonte'],
  since: [(day: string) => `vs ${day}`, (day) => `rispetto ${article('al', day)}${day}`],
  page: ['Cards and attribution to embed', 'Schede e attribuzione da incorporare'],
  lead: [
    'An image of the latest price and a line that names its source, to paste into your own page. No script, no cookie, no tracking of your readers.',
    'Un’immagine con l’ultimo prezzo e la riga che ne indica la fonte, da incollare nella tua pagina. Nessuno script, nessun cookie, nessun tracciamento dei lettori.',
  ],
  snippet: ['HTML for your page', 'HTML per la tua pagina'],
  themes: [
    'A card follows the reader’s light or dark setting. To keep it fixed, end its address in',
    'Una scheda segue l’impostazione chiara o scura del lettore. Per fissarla, termina l’indirizzo con',
  ],
  languages: [
    'The address sets the language: /en/ or /it/ before card/; without either, the reader’s language is used.',
    'L’indirizzo determina la lingua: /en/ o /it/ prima di card/; senza, vale la lingua del lettore.',
  ],
  cached: [
    'Cache a card for up to 15 minutes: a new price then shows within that time. If there is no price, or it is old, the card says so.',
    'Una scheda può restare in cache per 15 minuti: un prezzo nuovo appare entro quel tempo. Se il prezzo manca o è vecchio, la scheda lo dice.',
  ],
  lineTitle: ['Attribution as a line of text', 'L’attribuzione come riga di testo'],
  line: [
    'For figures that you show yourself, on the Open and Developer plans:',
    'Per le cifre che mostri tu, con i piani Open e Developer:',
  ],
  fromApi: [
    'With figures of one index use the text that comes with them, in the field',
    'Con le cifre di un indice usa il testo che le accompagna, nel campo',
  ],
  data: ['Energy prices', 'Prezzi dell’energia'],
  sizes: [
    'It measures 320 × 150 and scales without loss: set any width.',
    'Misura 320 × 150 e si ingrandisce senza perdite: imposta la larghezza che vuoi.',
  ],
})
