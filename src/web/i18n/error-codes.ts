/** The page on errors. */
import { ERROR_CODES, ERRORS, type ErrorCode } from '../../api/contract/errors.ts'
import { messages } from './language.ts'

type Meanings = Record<ErrorCode, string>

export const errorCodeTexts = messages({
  title: ['Errors', 'Errori'],
  lead: [
    'Every error is JSON, even if CSV was requested, and has `error` (the code below) and `message`; `param` and `required_tier` where they apply. Report the header `X-Request-Id` when something looks wrong.',
    'Ogni errore è in JSON, anche se hai chiesto CSV, e contiene `error` (il codice qui sotto) e `message`; `param` e `required_tier` dove servono. Se qualcosa sembra non funzionare, segnala l’header `X-Request-Id`.',
  ],
  meanings: [
    Object.fromEntries(ERROR_CODES.map((code) => [code, ERRORS[code].meaning])) as Meanings,
    {
      invalid_parameter: 'Un parametro manca o non è valido; `param` lo indica.',
      missing_key: 'L’endpoint richiede una chiave e la richiesta non ne ha.',
      invalid_key: 'La chiave è sbagliata, scaduta o revocata.',
      tier_required:
        'L’endpoint o l’intervallo richiesto non è compreso nel tuo piano; `required_tier` indica il piano che lo comprende.',
      not_found: 'Endpoint o risorsa sconosciuti.',
      method_not_allowed: 'Il percorso esiste, ma non con questo metodo; l’header `Allow` elenca quelli ammessi.',
      rate_limited: 'Limite al minuto superato. `Retry-After` indica i secondi da attendere.',
      quota_exceeded: 'Quota mensile superata. `Retry-After` indica i secondi da attendere.',
      internal_error:
        'Errore del servizio: riprova e, se persiste, segnala l’header `X-Request-Id`. Con lo stato 503 e `Retry-After` il database non è raggiungibile per il momento, o il servizio è sovraccarico.',
      no_data:
        'La fonte non ha ancora pubblicato il valore. `Retry-After` indica i secondi alla prossima pubblicazione prevista.',
    } satisfies Meanings,
  ],
})
