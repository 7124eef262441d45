/** English texts of the sources in `/v1/status`, and their translation. */

import { simulatedForecasts } from '../../publishers/fundamentals-csv/index.ts'
import { sampleSource } from '../../publishers/sample/index.ts'
import type { Language } from './language.ts'

const GME =
  'Per informazione e uso privato, citando «Fonte: Gestore dei Mercati Energetici S.p.A.»; la redistribuzione e l’uso commerciale richiedono il consenso del GME.'

const ENTSOE = 'Uso libero citando ENTSO-E come fonte; restano validi i diritti dei titolari originari dei dati.'

const TERNA =
  'Libera consultazione citando Terna come fonte; le condizioni del portale non concedono la redistribuzione, che richiede il consenso di Terna.'

const ITALIAN_TERMS: Readonly<Record<string, string>> = {
  'gme-mgp': GME,
  'gme-mgas': GME,
  'gme-intraday': GME,
  entsoe: ENTSOE,
  'entsoe-load-forecast': ENTSOE,
  'entsoe-renewables-forecast': ENTSOE,
  'entsoe-actuals': ENTSOE,
  'entsoe-neighbours': ENTSOE,
  'entsoe-imbalance': ENTSOE,
  'terna-imbalance': TERNA,
  'terna-imbalance-preliminary': TERNA,
  'open-meteo':
    'Gratuito per usi non commerciali fino a 10.000 richieste al giorno, CC BY 4.0; l’uso commerciale richiede un abbonamento e la sua chiave.',
  'simulated-forecasts':
    'Ottenute dalla produzione effettiva con una simulazione, per provare le previsioni; non vanno prese per pubblicate.',
  'eex-ttf':
    'Nessuna licenza aperta: mostrato a solo scopo informativo, da non redistribuire senza il consenso di EEX.',
  'eex-eua': 'I risultati delle aste sono pubblici ma senza licenza aperta: mostrati a solo scopo informativo.',
  'eia-brent': 'Pubblico dominio; EIA chiede di essere citata come fonte.',
  'arera-offers': 'Creative Commons Attribution 4.0: uso libero citando il portale come fonte.',
  sample: 'Valori fittizi creati da questo servizio per provarlo; uso libero, ma non sono prezzi di alcun mercato.',
}

/** Publishers keep their own names. */
const ITALIAN_NAMES: Readonly<Record<string, string>> = {
  [simulatedForecasts.name]: 'Previsioni simulate di eolico e fotovoltaico (non pubblicate da nessuno)',
  [sampleSource.name]: 'Dati di prova sintetici (non prezzi di mercato)',
}

/** Name of one source, or of several joined as in responses: `a; b`. */
export function sourceNameIn(language: Language, names: string): string {
  if (language === 'en') return names
  return names
    .split('; ')
    .map((name) => ITALIAN_NAMES[name] ?? name)
    .join('; ')
}

/** The terms of a source. Untranslated terms stay in English; a test lists them. */
export function termsIn(language: Language, source: string, terms: string): string {
  return language === 'it' ? (ITALIAN_TERMS[source] ?? terms) : terms
}

/** Translates `12:55 Europe/Rome on the day before` to `12:55, ora di Roma, del giorno prima`. */
export function usualPublicationIn(language: Language, english: string): string {
  const [, time, when, days, side] =
    /^(\d\d:\d\d) Europe\/Rome (on the day before|on the day|(\d+) days? (later|before))$/.exec(english) ?? []
  if (language === 'en' || time === undefined) return english
  if (days !== undefined)
    return `${time}, ora di Roma, ${days === '1' ? 'un giorno' : `${days} giorni`} ${side === 'later' ? 'dopo' : 'prima'}`
  return `${time}, ora di Roma, ${when === 'on the day' ? 'del giorno stesso' : 'del giorno prima'}`
}
