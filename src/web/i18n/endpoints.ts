/** What each operation returns: the contract's words in English, and their translation, one table by operation. */
import { readFileSync } from 'node:fs'
import type { Endpoint } from '../../api/http/endpoint.ts'
import type { Language } from './language.ts'

type Words = Pick<Endpoint, 'summary' | 'description'>
const ITALIAN: Readonly<Record<string, Words>> = JSON.parse(
  readFileSync(new URL('./operations.it.json', import.meta.url), 'utf8'),
)

/** What has no translation stays in English; a test names it. */
export function wordsOf({ id, summary, description }: Pick<Endpoint, 'id'> & Words, language: Language): Words {
  return (language === 'it' && ITALIAN[id]) || { summary, description }
}
