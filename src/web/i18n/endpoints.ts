/** Texts of the operations, parameters and fields: the contract's English, and its translation. */
import { readFileSync } from 'node:fs'
import type { Endpoint } from '../../api/http/endpoint.ts'
import type { Language } from './language.ts'

type EndpointTexts = Pick<Endpoint, 'summary' | 'description'>
const readItalian = (name: string) => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'))
const ITALIAN: Readonly<Record<string, EndpointTexts>> = readItalian('./operations.it.json')
/** Italian descriptions of fields, keyed by the English ones. */
export const ITALIAN_FIELDS: Readonly<Record<string, string>> = readItalian('./fields.it.json')

/** Untranslated texts stay in English; a test lists them. */
export function endpointTexts(
  { id, summary, description }: Pick<Endpoint, 'id'> & EndpointTexts,
  language: Language,
): EndpointTexts {
  return (language === 'it' && ITALIAN[id]) || { summary, description }
}

export function fieldDescription(description: string, language: Language): string {
  return (language === 'it' && ITALIAN_FIELDS[description]) || description
}
