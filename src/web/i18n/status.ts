/** Texts of the status page. */
import type { AttemptOutcome } from '../../api/contract/status.ts'
import { counted } from '../../market/counted.ts'
import type { DayState, Series } from '../status/day-states.ts'
import { messages } from './language.ts'

const states = messages<Record<DayState, string>>({
  whole: ['complete', 'completo'],
  partial: ['partial', 'parziale'],
  due: ['not due yet', 'non ancora previsto'],
  missing: ['missing', 'mancante'],
  closed: ['no market', 'mercato chiuso'],
})
const outcomes = messages<Record<AttemptOutcome, string>>({
  complete: ['complete', 'è arrivato tutto'],
  incomplete: ['something is missing or was rejected', 'manca qualcosa o è stato rifiutato'],
  'not-published': ['nothing published yet', 'ancora nulla di pubblicato'],
  unreachable: ['no answer', 'nessuna risposta'],
  refused: ['credentials refused', 'credenziali rifiutate'],
  'budget-spent': ['our own daily limit reached', 'raggiunto il nostro limite giornaliero'],
  failed: ['internal error', 'errore interno'],
})
const series: Record<Series, string> = {
  PUN: 'PUN',
  zones: 'Zones',
  PSV: 'PSV',
  TTF: 'TTF',
  Brent: 'Brent',
  CO2: 'CO2',
}

export const statusTexts = messages({
  title: ['Status', 'Stato'],
  lead: [
    'How current and how complete the data are, and what is late or missing.',
    'Quanto sono aggiornati e completi i dati, e che cosa è in ritardo o manca.',
  ],
  incidents: ['Incidents', 'Problemi'],
  noIncidents: ['Nothing is late, missing or out of reach.', 'Nulla è in ritardo, manca o è irraggiungibile.'],
  incident: [
    {
      missing: (series: string, days: string, more: number) =>
        `${series}: no data for ${days}${more > 0 ? ` and ${more} earlier days` : ''}.`,
      partial: (series: string, days: string, more: number) =>
        `${series}: incomplete on ${days}${more > 0 ? ` and ${more} earlier days` : ''}.`,
    },
    {
      missing: (series: string, days: string, more: number) =>
        `${series}: nessun dato per ${days}${more > 0 ? ` e altri ${more} giorni precedenti` : ''}.`,
      partial: (series: string, days: string, more: number) =>
        `${series}: dati incompleti per ${days}${more > 0 ? ` e altri ${more} giorni precedenti` : ''}.`,
    },
  ],
  failedSource: [
    (name: string, when: string, outcome: string) => `${name}, ${when}: ${outcome}. We keep trying.`,
    (name, when, outcome) => `${name}, ${when}: ${outcome}. Continuiamo a provare.`,
  ],
  staleForecasts: [
    (names: string) => `These forecasts do not follow the newest prices yet: ${names}.`,
    (names) => `Queste previsioni non seguono ancora i prezzi più recenti: ${names}.`,
  ],
  good: ['All series are up to date.', 'Tutte le serie sono aggiornate.'],
  bad: [
    (series: string) => `Not complete in the last seven days: ${series}.`,
    (series) => `Dati incompleti negli ultimi sette giorni: ${series}.`,
  ],
  days: ['The last 30 market days', 'Gli ultimi 30 giorni di mercato'],
  states: [states.en, states.it],
  series: [series, { ...series, zones: 'Zone' }],
  summary: [
    (series: string, whole: number, due: number) => `${series}: ${whole} of ${counted(due, 'day')} complete`,
    (series, whole, due) => `${series}: ${whole} giorni completi su ${due}`,
  ],
  ofDays: [(whole: number, due: number) => `${whole} of ${due}`, (whole, due) => `${whole} su ${due}`],
  table: ['Day by day', 'Giorno per giorno'],
  day: ['Market day', 'Giorno di mercato'],
  hours: ['Hours', 'Ore'],
  zonesWhole: [(whole: number, all: number) => `${whole} of ${all} zones`, (whole, all) => `${whole} zone su ${all}`],
  hoursThere: [(there: string, all: number) => `${there} of ${all} hours`, (there, all) => `${there} ore su ${all}`],
  sources: ['Sources', 'Fonti'],
  sourcesLead: [
    'Every publisher, what is fetched from it, and the outcome of the last attempt.',
    'Ogni fonte, che cosa ne acquisiamo e l’esito dell’ultimo tentativo.',
  ],
  latest: ['Latest market day', 'Ultimo giorno di mercato'],
  fetched: ['Last fetched', 'Ultima acquisizione'],
  next: ['Next expected', 'Prossima attesa'],
  complete: ['complete', 'completo'],
  incomplete: ['partial', 'parziale'],
  state: ['Fetched', 'Acquisizione'],
  on: ['automatically', 'automatica'],
  off: ['not fetched', 'acquisizione non attiva'],
  notFetched: ['imported only', 'solo da file'],
  invented: ['synthetic', 'fittizia'],
  lastAttempt: ['Last attempt', 'Ultimo tentativo'],
  outcomes: [outcomes.en, outcomes.it],
  late: ['Late:', 'In ritardo:'],
  forecasts: ['Forecasts', 'Previsioni'],
  forecastsLead: [
    'When each was last issued, and from which market day. One is stale if it does not follow newer prices.',
    'Quando ciascuna è stata emessa e da quale giorno di mercato. È superata se non segue prezzi più recenti.',
  ],
  forecastOf: ['Forecast', 'Previsione'],
  forecastState: ['State', 'Stato'],
  issued: ['Issued', 'Emessa'],
  startsFrom: ['Starts from', 'Parte da'],
  training: ['Training of its models', 'Addestramento dei modelli'],
  trainingStates: [
    { running: 'running since', done: 'done' },
    { running: 'in corso dal', done: 'concluso il' },
  ],
  trainingNow: [
    (names: string) => `Models are being trained, and tested on past days: ${names}, since`,
    (names) => `Modelli in addestramento e in prova sui giorni passati: ${names}, dal`,
  ],
  trained: [(done: number, of: number) => `Done: ${done} of ${of}.`, (done, of) => `Conclusi: ${done} di ${of}.`],
  forecastStates: [
    { current: 'current', stale: 'stale', none: 'none' },
    { current: 'aggiornata', stale: 'superata', none: 'assente' },
  ],
  hoursOf: [(zone: string) => `Hours, ${zone}`, (zone) => `Ore, ${zone}`],
  noValues: ['no current value', 'nessun valore attuale'],
  zones: [(count: number) => `PUN and zones (${count})`, (count) => `PUN e zone (${count})`],
  zonesOnly: [(count: number) => `Zones (${count})`, (count) => `Zone (${count})`],
  offers: [
    (count: number) => `Offers (${counted(count, 'list')})`,
    (count) => `Offerte (${counted(count, 'elenco', 'elenchi')})`,
  ],
  terms: ['Terms, and sources that are not fetched', 'Condizioni, e fonti senza acquisizione'],
  asData: ['The same for programs:', 'Lo stesso per i programmi:'],
})
