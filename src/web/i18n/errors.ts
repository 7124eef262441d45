/** Texts of the error page. */

import { counted } from '../../market/counted.ts'
import { messages } from './language.ts'

export const errorTexts = messages({
  en: {
    notFound: 'Page not found',
    nothingHere: 'There is nothing at this address.',
    invalid: 'This address is not valid',
    tooMany: 'Too many pages at once',
    waitFor: (seconds: number) =>
      `Your network address has requested more pages than allowed per minute. Try again in ${counted(seconds, 'second')}.`,
    fault: 'Something went wrong',
    tryInstead: 'Perhaps you are looking for one of these:',
    tryAgain: 'Please try again in a moment.',
    apiHint: 'All API endpoints are listed at',
  },
  it: {
    notFound: 'Pagina non trovata',
    nothingHere: 'A questo indirizzo non c’è nulla.',
    invalid: 'Questo indirizzo non è valido',
    tooMany: 'Troppe pagine insieme',
    waitFor: (seconds: number) =>
      `Dal tuo indirizzo di rete sono arrivate più richieste di pagine di quante ne sono ammesse in un minuto. Riprova fra ${counted(seconds, 'secondo', 'secondi')}.`,
    fault: 'Qualcosa è andato storto',
    tryInstead: 'Forse cerchi una di queste pagine:',
    tryAgain: 'Riprova fra un momento.',
    apiHint: 'I programmi trovano l’elenco di tutti gli endpoint in',
  },
})
