/**
 * Checks an analyst's statement over HTTP before it reaches the database, against an allow-list of syntax-tree nodes and names.
 * The role analyst protects the data. This check gives a reason for each refusal, bounds work that the server would not interrupt, and
 * helps if a managed server grants PUBLIC more functions than it should.
 */
import { nodeSizeRefusal } from './analyst-bounds.ts'
import { ANALYST_FUNCTIONS, ANALYST_TYPES, ANALYTICS_FUNCTIONS, BOUNDED_AGGREGATES } from './analyst-names.ts'
import { statementSizeRefusal } from './analyst-sizes.ts'
import { childrenOf, type Fields, nodeOf, type SyntaxNode, textsOf } from './syntax-tree.ts'

/** Node kinds that need no separate check. */
const ALLOWED_NODES = new Set(
  `SelectStmt WithClause CommonTableExpr ResTarget ColumnRef A_Star String Integer List Alias
   RangeSubselect RangeFunction JoinExpr SubLink SortBy WindowDef GroupingSet GroupingFunc
   A_Const BoolExpr NullTest BooleanTest CaseExpr CaseWhen CoalesceExpr MinMaxExpr NamedArgExpr RowExpr A_ArrayExpr A_Indirection
   A_Indices CollateClause TypeCast SQLValueFunction`.split(/\s+/),
)

const CHECKED_NODES: Record<string, (fields: Fields) => string | undefined> = {
  FuncCall: ({ funcname }) => {
    const name = textsOf(funcname)
    return isNameOf(ANALYST_FUNCTIONS, name) ||
      isNameOf(ANALYTICS_FUNCTIONS, name, SCHEMA) ||
      isNameOf(BOUNDED_AGGREGATES, name, 'analytics_bounded')
      ? undefined
      : `calls ${name.join('.')}(), which is not among the functions that can be called here`
  },
  A_Expr: ({ name }) => (textsOf(name).length > 1 ? 'names the schema of an operator' : undefined),
  TypeName: ({ names, setof, pct_type }) => {
    const name = textsOf(names)
    return isNameOf(ANALYST_TYPES, name) && !setof && !pct_type
      ? undefined
      : `names the type ${name.join('.')}, which is not among those that can be used here`
  },
  RangeVar: ({ catalogname, schemaname, relname }) => {
    const outside = [catalogname, schemaname === SCHEMA ? undefined : schemaname, relname].find(
      (name, i) => name !== undefined && (i < 2 || SYSTEM_NAME.test(String(name))),
    )
    return outside === undefined ? undefined : `names ${outside}; only the views of the schema ${SCHEMA} can be read`
  },
}

const SCHEMA = 'analytics'
/** Names that resolve without a schema although they are not views: the search path begins with the server's catalogue. */
const SYSTEM_NAME = /^pg_/

const REFUSED_PARTS: Record<string, string> = {
  ParamRef: 'holds a parameter; write the value itself',
  IntoClause: 'makes a table (INTO); only queries are taken',
  LockingClause: 'locks rows (FOR UPDATE); only queries are taken',
  InsertStmt: 'writes (INSERT); only queries are taken',
  UpdateStmt: 'writes (UPDATE); only queries are taken',
  DeleteStmt: 'writes (DELETE); only queries are taken',
  MergeStmt: 'writes (MERGE); only queries are taken',
}

/** Returns why and where the statement is refused, as a phrase that follows "sql"; undefined if it is allowed. */
export function refusalOfTree(tree: { stmts?: { stmt?: unknown }[] }, sql: string): string | undefined {
  const [first, second] = tree.stmts ?? []
  if (first === undefined) return 'holds no statement'
  if (second !== undefined) return 'holds more than one statement; send them one by one'
  const statement = nodeOf(first.stmt)
  if (statement?.kind !== 'SelectStmt') return refusalOfCommand(sql)
  // An explicit stack instead of recursion: a chain of a thousand operators is nested a thousand levels deep.
  const pending = [statement]
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const refusal = refusalOfNode(node)
    if (refusal !== undefined) return `${refusal}${positionText(node, sql)}`
    pending.push(...childrenOf(node).reverse())
  }
  const bySizes = statementSizeRefusal(statement)
  return bySizes && `${bySizes.refusal}${positionText(bySizes.node, sql)}`
}

function refusalOfNode(node: SyntaxNode): string | undefined {
  const check = CHECKED_NODES[node.kind]
  if (check === undefined && !ALLOWED_NODES.has(node.kind))
    return REFUSED_PARTS[node.kind] ?? `holds what cannot be used here (${node.kind})`
  return check?.(node.fields) ?? nodeSizeRefusal(node)
}

function refusalOfCommand(sql: string): string {
  const [word] = /^\s*[a-z]+/i.exec(sql) ?? []
  return word === undefined ? 'is no query' : `begins with ${word.trim().toUpperCase()}; only queries are taken`
}

/** Whether the list contains the name, with or without its schema. */
function isNameOf(list: ReadonlySet<string>, name: readonly string[], schema = 'pg_catalog'): boolean {
  const [last = ''] = name.slice(-1)
  return list.has(last) && (name.length === 1 || (name.length === 2 && name[0] === schema))
}

/** The parser counts bytes from 0; the message counts characters from 1. Some nodes have no position. */
function positionText({ fields: { location = 0 } }: SyntaxNode, sql: string): string {
  const bytes = Number(location)
  return bytes > 0
    ? ` (at character ${new TextDecoder().decode(new TextEncoder().encode(sql).subarray(0, bytes)).length + 1})`
    : ''
}
