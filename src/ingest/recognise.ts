/** Finds a document's form, publisher and parser by trying each publisher's forms in turn. A file's name is never trusted. */
import type { DocumentForm, DocumentHints, Parse, TextHead } from '../publishers/documents.ts'
import { NothingPublished, UnreadableDocument } from '../publishers/faults.ts'
import { ANYBODYS_DOCUMENTS, PUBLISHERS } from '../publishers/index.ts'
import { readWorkbook } from '../publishers/reading/workbook.ts'

/** Enough for the longest header line and for an XML prolog with comments. */
export const HEAD_CHARACTERS = 64 * 1024

export interface Recognised extends Pick<DocumentForm, 'kind' | 'daysAfterName'> {
  /** Id of the publisher; absent where the form is anybody's. */
  source?: string
  parse: Parse
}

/** Fails with UnreadableDocument, naming what was found, for anything that is not imported. */
export function recognise(head: string, fileName: string, hints: DocumentHints): Recognised {
  const text = headOf(head, fileName, hints)
  const recognised = firstOf((form) => form.ofText?.(text))
  if (recognised !== undefined) return recognised
  if (text.json !== undefined) throw new UnreadableDocument('document', 'is JSON of no known publisher')
  if (text.root !== undefined) {
    throw new UnreadableDocument('document', `is XML with the root <${text.root}>, of no known publisher`)
  }
  for (const form of ANYBODYS_DOCUMENTS) {
    const parse = form.ofText?.(text)
    if (parse !== undefined) return { kind: form.kind, parse }
  }
  throw new UnreadableDocument('document', 'is text of no known publisher')
}

/** The same for the bytes of a workbook, whose parser has them already. */
export async function recogniseWorkbook(bytes: Uint8Array): Promise<Recognised> {
  const sheets = await readWorkbook(bytes)
  const recognised = firstOf((form) => form.ofWorkbook?.(sheets))
  if (recognised !== undefined) return recognised
  const names = sheets.slice(0, 5).map(({ name }) => JSON.stringify(name))
  throw new UnreadableDocument(
    'workbook',
    `is a workbook without a table of a known publisher (sheets ${names.join(', ')}), which is not imported: save the sheet as CSV`,
  )
}

/** The form that matches the document; no two do (`test/unit/publishers/conformity.test.ts`). */
function firstOf(ask: (form: DocumentForm) => Parse | undefined): Recognised | undefined {
  for (const { id: source, documents } of PUBLISHERS) {
    for (const form of documents) {
      const parse = ask(form)
      if (parse !== undefined) return { ...form, source, parse }
    }
  }
  return undefined
}

/** Fails with UnreadableDocument where no form could be recognised in it. */
export function headOf(head: string, fileName: string, hints: DocumentHints): TextHead {
  const text = head.trimStart()
  if (text === '') throw new UnreadableDocument('document', 'is empty')
  if (/^\[\s*\]\s*$/.test(text)) throw new NothingPublished('document', 'is an empty list')
  if (text.startsWith('<')) return { ...xmlHead(text), fileName, hints }
  if (/^[[{]/.test(text)) return { json: text, fileName, hints }
  return { firstLine: firstLine(head), fileName, hints }
}

function xmlHead(text: string): Required<Pick<TextHead, 'xml' | 'root'>> {
  const xml = text.replace(/^(?:\s+|<\?[\s\S]*?\?>|<!--[\s\S]*?-->)+/, '')
  if (/^<!DOCTYPE/i.test(xml)) {
    throw new UnreadableDocument(
      'document',
      'has a document type declaration (DOCTYPE), which is refused: entities are never expanded',
    )
  }
  return { xml, root: /^<(?:[\w.-]+:)?([\w.-]+)/.exec(xml)?.[1] ?? '' }
}

function firstLine(head: string): string {
  const end = head.search(/\r?\n/)
  if (end < 0 && head.length >= HEAD_CHARACTERS) {
    throw new UnreadableDocument('document', 'is neither XML nor CSV: its first line does not end')
  }
  return end < 0 ? head : head.slice(0, end)
}
