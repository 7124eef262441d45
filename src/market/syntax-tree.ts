/** Syntax tree of a statement from PostgreSQL's own parser: the subset of libpg-query's output that is used. */
export type Fields = Readonly<Record<string, unknown>>

export interface SyntaxNode {
  /** PostgreSQL's name: `SelectStmt`, `FuncCall`. */
  kind: string
  fields: Fields
}

/** Fields whose node kind is only in their declaration; all others contain `{ Kind: { … } }`. */
const KIND_OF_FIELD: Record<string, string> = {
  withClause: 'WithClause',
  intoClause: 'IntoClause',
  over: 'WindowDef',
  typeName: 'TypeName',
  alias: 'Alias',
  join_using_alias: 'Alias',
  larg: 'SelectStmt',
  rarg: 'SelectStmt',
}

/** `{ FuncCall: { … } }` is a FuncCall. Undefined for a value, and for the empty node that represents DISTINCT without columns. */
export function nodeOf(value: unknown, field = ''): SyntaxNode | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const [first, ...others] = Object.entries(value)
  if (first === undefined) return undefined
  const [key, inner] = first
  if (others.length === 0 && /^[A-Z]/.test(key)) return { kind: key, fields: inner as Fields }
  return { kind: KIND_OF_FIELD[field] ?? field, fields: value as Fields }
}

/** Direct children, in the order of the text; a constant has none. */
export function childrenOf({ kind, fields }: SyntaxNode): SyntaxNode[] {
  if (kind === 'A_Const') return []
  return Object.entries(fields)
    .flatMap(([field, value]) => (Array.isArray(value) ? value.map((one) => nodeOf(one)) : [nodeOf(value, field)]))
    .filter((node) => node !== undefined)
}

/** Texts of a list of `{ String: { sval } }`, such as the parts of a qualified name. */
export function textsOf(list: unknown): string[] {
  return nodesOf(list).map(({ fields }) => String(fields.sval ?? ''))
}

export function nodesOf(list: unknown): SyntaxNode[] {
  return (Array.isArray(list) ? list : []).map((one) => nodeOf(one)).filter((node) => node !== undefined)
}

/** `{ ival: { ival: 5 } }` is `5`; the tree omits zero and the empty text. Undefined for NULL, booleans and anything but a constant. */
export function constantOf(node: SyntaxNode | undefined): number | string | undefined {
  if (node?.kind !== 'A_Const') return undefined
  const { ival, fval, sval } = node.fields as { ival?: Fields; fval?: Fields; sval?: Fields }
  if (ival !== undefined) return Number(ival.ival ?? 0)
  if (fval !== undefined) return Number(fval.fval)
  return sval === undefined ? undefined : String(sval.sval ?? '')
}
