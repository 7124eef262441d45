/** Texts of the error page. */

import { counted } from '../../market/counted.ts'
import { messages } from './language.ts'

export const errorTexts = messages({
  notFound: ['Page not found', 'Pagina non trovata'],
  nothingHere: ['There is nothing at this address.', 'A questo indirizzo non c’è nulla.'],
  invalid: ['This address is not valid', 'Questo indirizzo non è valido'],
  tooMany: ['Too many pages at once', 'Troppe pagine insieme'],
  waitFor: [
    (seconds: number) =>
      `Your network address has requested more pages than allowed per minute. Try again in ${counted(seconds, 'second')}.`,
    (seconds) =>
      `Dal tuo indirizzo di rete sono arrivate più richieste di pagine di quante ne sono ammesse in un minuto. Riprova fra ${counted(seconds, 'secondo', 'secondi')}.`,
  ],
  storing: ['Prices are being stored', 'I prezzi sono in arrivo'],
  storingWhy: [
    'The service has just started and is storing its first prices, which takes a few seconds. This page opens when they are there.',
    'Il servizio è appena partito e sta salvando i primi prezzi: bastano pochi secondi. Questa pagina si apre quando ci sono.',
  ],
  fault: ['Something went wrong', 'Qualcosa è andato storto'],
  tryInstead: ['Perhaps you are looking for one of these:', 'Forse cerchi una di queste pagine:'],
  tryAgain: ['Please try again in a moment.', 'Riprova fra un momento.'],
  apiHint: ['All API endpoints are listed at', 'I programmi trovano l’elenco di tutti gli endpoint in'],
})
