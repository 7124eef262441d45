/** Texts of the error page. */
import { messages } from './language.ts'

export const errorTexts = messages({
  en: {
    notFound: 'Page not found',
    nothingHere: 'There is nothing at this address.',
    invalid: 'This address is not valid',
    tooMany: 'Too many pages at once',
    waitFor: (seconds: number) =>
      `Your network address has requested more pages than allowed per minute. Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
    fault: 'Something went wrong',
    tryInstead: 'Perhaps you are looking for one of these:',
    tryAgain: 'Please try again in a moment.',
    apiHint: 'All API endpoints are listed at',
  },
  it: {
    notFound: 'Pagina non trovata',
    nothingHere: 'A questo indirizzo non c’è nulla.',
    invalid: 'Questo indirizzo non è leggibile',
    tooMany: 'Troppe pagine insieme',
    waitFor: (seconds: number) =>
      `Dal Suo indirizzo di rete sono state richieste più pagine di quante se ne possano leggere in un minuto. Riprovi fra ${seconds} ${seconds === 1 ? 'secondo' : 'secondi'}.`,
    fault: 'Qualcosa è andato storto',
    tryInstead: 'Forse cerca una di queste pagine:',
    tryAgain: 'Riprovi fra un momento.',
    apiHint: 'I programmi trovano l’elenco di tutti gli endpoint in',
  },
})
