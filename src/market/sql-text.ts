/**
 * Cuts SQL into tokens as PostgreSQL does (manual, 4.1 "Lexical Structure"), as far as telling code from text, comments and quoted
 * names takes. What would need more than that, and is never needed, is a fault: escape strings, Unicode escapes, zero bytes.
 */
export type SqlToken =
  /** A name or key word; unquoted ones in lower case, as PostgreSQL folds them. */
  { kind: 'word'; text: string; quoted: boolean } | { kind: 'text' | 'number' } | { kind: 'sign'; text: string }

export class SqlFault extends Error {
  override name = 'SqlFault'
}

/** Each at the beginning of what is left; none can match nothing. */
const SPACE = /^(?:[ \t\n\r\f\v]+|--[^\n\r]*)/
const NUMBER = /^(?:0[xob][0-9a-f_]+|\d[\d_]*(?:\.(?!\.)[\d_]*)?(?:e[+-]?\d+)?|\.\d[\d_]*(?:e[+-]?\d+)?)/i
const WORD = /^[A-Za-z_\u0080-\u{10ffff}][\w$\u0080-\u{10ffff}]*/u
const QUOTED_WORD = /^"((?:[^"]|"")+)"/
const TEXT = /^'(?:[^']|'')*'/
const DOLLAR = /^\$((?:[A-Za-z_\u0080-\u{10ffff}][\w\u0080-\u{10ffff}]*)?)\$/u

/** `readSql('select f(1)')` is select, f, (, a number, ). Throws SqlFault where text, comment or name does not end. */
export function readSql(sql: string): SqlToken[] {
  if (sql.includes('\0')) throw new SqlFault('holds a zero byte')
  const tokens: SqlToken[] = []
  for (let rest = sql; rest !== ''; ) {
    const [length, token] = nextToken(rest)
    if (token !== undefined) tokens.push(token)
    rest = rest.slice(length)
  }
  return tokens
}

function nextToken(rest: string): [length: number, token?: SqlToken] {
  const space = SPACE.exec(rest)
  if (space) return [space[0].length]
  if (rest.startsWith('/*')) return [commentLength(rest)]
  const text = TEXT.exec(rest)
  if (text) return [text[0].length, { kind: 'text' }]
  const quoted = QUOTED_WORD.exec(rest)
  if (quoted) return [quoted[0].length, { kind: 'word', text: (quoted[1] ?? '').replaceAll('""', '"'), quoted: true }]
  const dollar = DOLLAR.exec(rest)
  if (dollar) return [dollarTextLength(rest, dollar[0]), { kind: 'text' }]
  const number = NUMBER.exec(rest)
  if (number) return [number[0].length, { kind: 'number' }]
  const word = WORD.exec(rest)
  if (word) return [word[0].length, wordToken(word[0], rest.slice(word[0].length))]
  if (rest.startsWith("'") || rest.startsWith('"')) throw new SqlFault('holds a quotation that does not end')
  return [1, { kind: 'sign', text: rest.charAt(0) }]
}

/** A prefix changes what the quotation after it means, in ways that differ between servers. */
function wordToken(word: string, after: string): SqlToken {
  if (/^e$/i.test(word) && after.startsWith("'"))
    throw new SqlFault("holds an escape string E'…'; write the character itself")
  if (/^u$/i.test(word) && /^&['"]/.test(after))
    throw new SqlFault("holds a Unicode escape U&'…'; write the character itself")
  return { kind: 'word', text: word.toLowerCase(), quoted: false }
}

/** Comments of this kind nest. */
function commentLength(rest: string): number {
  let depth = 0
  for (const mark of rest.matchAll(/\/\*|\*\//g)) {
    depth += mark[0] === '/*' ? 1 : -1
    if (depth === 0) return mark.index + 2
  }
  throw new SqlFault('holds a comment that does not end')
}

function dollarTextLength(rest: string, tag: string): number {
  const end = rest.indexOf(tag, tag.length)
  if (end < 0) throw new SqlFault('holds a quotation that does not end')
  return end + tag.length
}
