/** Texts of the error page. */

import type { ApiError } from '../../api/contract/errors.ts'
import { counted } from '../../market/counted.ts'
import { errorCodeTexts } from './error-codes.ts'
import { messages } from './language.ts'

/** What the API says about a parameter, and how the Italian pages say it. */
const ITALIAN_PROBLEMS: readonly (readonly [RegExp, string])[] = [
  [/is not a parameter of this endpoint, which has none\.$/, 'non è un parametro di questa pagina, che non ne ha.'],
  [/is not a parameter of this endpoint, which has (.*)\.$/, 'non è un parametro di questa pagina, che ha $1.'],
  [/must be one of (.*); got (.*)\.$/, 'deve essere uno dei valori $1; hai indicato $2.'],
  [
    /must be a calendar date, YYYY-MM-DD; got (.*)\.$/,
    'deve essere una data del calendario, AAAA-MM-GG; hai indicato $1.',
  ],
  [/must not be after tomorrow\.$/, 'non può essere dopo domani.'],
  [/must not be after to \(([^)]*)\).*\.$/, 'non può essere dopo to ($1).'],
  [/must not be empty\.$/, 'non può essere vuoto.'],
  [/must be given only once\.$/, 'può essere indicato una volta sola.'],
  [/contains malformed percent-encoding\.$/, 'contiene una codifica percentuale non valida.'],
]

function italianReason({ code, message, param }: ApiError): string {
  if (param === undefined) return errorCodeTexts.it.meanings[code]
  const translation = ITALIAN_PROBLEMS.find(([problem]) => problem.test(message))
  return translation ? message.replace(...translation) : `Il valore di ${param} non è valido.`
}

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
  reason: [(err: ApiError) => err.message, italianReason],
  fault: ['Something went wrong', 'Qualcosa è andato storto'],
  tryInstead: ['Perhaps you are looking for one of these:', 'Forse cerchi una di queste pagine:'],
  tryAgain: ['Please try again in a moment.', 'Riprova fra un momento.'],
  apiHint: ['All API endpoints are listed at', 'I programmi trovano l’elenco di tutti gli endpoint in'],
})
