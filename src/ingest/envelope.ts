/**
 * Answers of GME's API carry their file inside: `{"contentResponse": "<base64 of a ZIP>", "formatType": …, "resultRequest": null}`;
 * an error comes as text in `resultRequest`, with HTTP 200 as well. The spelling of the names differs between observers.
 */

import { NothingPublished, UnreadableDocument } from '../publishers/faults.ts'
import { isRecord, type JsonRecord, readJson } from '../publishers/reading/json-document.ts'

const CONTENT = 'contentresponse'
const RESULT = 'resultrequest'
/** How the publisher may say that it has nothing for the requested days: every likely wording, since none was observed. */
const NO_DATA = /\b(no (data|results?|records?)|not (available|found|published)|nessun)/i
const REASON_CHARACTERS_MAX = 300

/** Recognised by the first characters of a document. */
export function isEnvelope(head: string): boolean {
  return head.trimStart().startsWith('{') && new RegExp(`"(?:${CONTENT}|${RESULT})"\\s*:`, 'i').test(head)
}

/** The file inside. Fails with UnreadableDocument where there is none, in the publisher's words where it gives a reason. */
export async function openEnvelope(text: AsyncIterable<string>): Promise<Buffer> {
  const body = await readJson(text)
  if (!isRecord(body)) throw new UnreadableDocument('document', 'is no answer of the API')
  const content = fieldOf(body, CONTENT)
  if (typeof content !== 'string' || content === '') {
    const result = fieldOf(body, RESULT)
    if (typeof result !== 'string' || result === '' || NO_DATA.test(result)) {
      throw new NothingPublished('document', `the publisher answers without data (${result || 'no reason is given'})`)
    }
    throw new UnreadableDocument(
      'document',
      `the publisher answers without data (${result.slice(0, REASON_CHARACTERS_MAX)})`,
    )
  }
  if (!/^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(content)) {
    throw new UnreadableDocument('document', 'the content of the answer is not base64')
  }
  return Buffer.from(content, 'base64')
}

function fieldOf(body: JsonRecord, lowerCaseName: string): unknown {
  return Object.entries(body).find(([name]) => name.toLowerCase() === lowerCaseName)?.[1]
}
