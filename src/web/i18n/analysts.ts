/** Texts of the page of analysts’ views. */
import { readFileSync } from 'node:fs'
import { html } from '../html.ts'
import { type Language, messages } from './language.ts'

export const analystTexts = messages({
  title: ['SQL for analysts', 'SQL per analisti'],
  lead: [
    html`Analysts query these views of the schema <code>analytics</code>: on the replica as the role <code>analyst</code>, by
<code>POST /v1/sql</code> (Trading), or with <code>npm run sql</code> on a copy of the embedded database. Names and columns stay;
columns are only ever added. Queries on hours and intervals are fast where they name a zone and a span of <code>starts_at</code>.`,
    html`Gli analisti interrogano queste viste dello schema <code>analytics</code>: sulla replica con il ruolo <code>analyst</code>, con
<code>POST /v1/sql</code> (piano Trading), o con <code>npm run sql</code> su una copia del database incorporato. Nomi e colonne restano;
le colonne vengono solo aggiunte. Le query su ore e intervalli sono veloci se indicano una zona e un intervallo di <code>starts_at</code>.`,
  ],
  functions: [
    html`Functions, each the answer to a question: <code>select * from hours_at_level(60, '2026-01-01', '2026-12-31')</code>. Days are
market days, the last included.`,
    html`Funzioni, ognuna la risposta a una domanda: <code>select * from hours_at_level(60, '2026-01-01', '2026-12-31')</code>. I giorni
sono giorni di mercato, l’ultimo compreso.`,
  ],
  column: ['Column', 'Colonna'],
  type: ['Type', 'Tipo'],
  meaning: ['Meaning', 'Significato'],
})

export type AnalystTexts = (typeof analystTexts)['en']

/** Translations of the database's comments, keyed by the English ones; a test lists missing and unused translations. */
export const ITALIAN_MEANINGS: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(new URL('analyst-meanings.json', import.meta.url), 'utf8'),
)

export function analystMeaning(english: string, language: Language): string {
  return (language === 'it' && ITALIAN_MEANINGS[english]) || english
}
