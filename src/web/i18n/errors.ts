/** Texts of the page that says what went wrong. */
import { messages } from './language.ts'

export const errorTexts = messages({
  en: {
    notFound: 'Page not found',
    nothingHere: 'There is nothing at this address.',
    invalid: 'That address cannot be read',
    fault: 'Something went wrong',
    tryInstead: 'Perhaps you are looking for one of these:',
    tryAgain: 'Please try again in a moment.',
    apiHint: 'Programs find every endpoint listed at',
  },
  it: {
    notFound: 'Pagina non trovata',
    nothingHere: 'A questo indirizzo non c’è nulla.',
    invalid: 'Questo indirizzo non è leggibile',
    fault: 'Qualcosa è andato storto',
    tryInstead: 'Forse cerca una di queste pagine:',
    tryAgain: 'Riprovi fra un momento.',
    apiHint: 'I programmi trovano l’elenco di tutti gli endpoint in',
  },
})
