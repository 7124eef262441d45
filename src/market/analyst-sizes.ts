/**
 * Bounds the size of values in an analyst's statement and the work for one of its rows. PostgreSQL checks for interrupts only between
 * steps, and copies a column's expression to every reference, so both are bounded before the statement runs.
 * Every value gets an upper bound from its operands, through subqueries, common table expressions and recursion: sometimes too high, never
 * too low. Aggregates that collect rows are bounded at run time (`sql/objects/bounded_aggregates.sql`).
 */
import { digitsIn, isDouble, isLongStep, numeralOf } from './analyst-bounds.ts'
import {
  COLUMN_BYTES,
  COLUMN_DIGITS,
  COST_MAX,
  DOUBLE_DIGITS,
  LIST_BYTES,
  LONGEST_NUMBER,
  largest,
  NUMERIC_DIGITS,
  type Size,
  SMALL_BYTES,
  sizeOfCast,
  sizeOfStep,
  sum,
} from './analyst-step-sizes.ts'
import { childrenOf, type Fields, nodeOf, nodesOf, type SyntaxNode, textsOf } from './syntax-tree.ts'

/** Size limit of a value, in memory or as text, whichever is larger. */
const BYTES_MAX = 8_000_000
/** PostgreSQL divides numbers of this size in 3 ms. */
const DIGITS_MAX = 5_000
/** Cost of planning and evaluating an operator, function or column. */
const STEP_COST = 10_000
const BYTE_COST = 10
/** Cost of sorting, hashing or storing rows, which uses `work_mem`. */
const STORE_COST = COST_MAX / 40
const VIEW_COST = COST_MAX / 150
/** Limit of a row in a hash table of compared rows, which never spills to disk. */
const COMPARED_BYTES_MAX = 250
const VIEW_ROW_BYTES = 40 * COLUMN_BYTES

interface Bound extends Size {
  cost: number
}

interface Column extends Bound {
  /** Undefined if it may be any name. */
  name: string | undefined
  /** Represents all columns of a view or function. */
  many?: true
}

interface Relation {
  name: string
  columns: readonly Column[]
}

interface Query {
  columns: readonly Column[]
  cost: number
}

/** A recursive common table expression, with its column names. */
interface RecursiveTable {
  name: string
  names: readonly string[]
}

interface Scope {
  relations: Relation[]
  /** Common table expressions by name. */
  tables: Map<string, readonly Column[]>
  outer?: Scope | undefined
}

export interface SizeRefusal {
  /** A phrase that follows "sql". */
  refusal: string
  node: SyntaxNode
}

/** Returns the first part that may become too large. */
export function statementSizeRefusal(statement: SyntaxNode): SizeRefusal | undefined {
  return new SizeBounds().refusalOf(statement)
}

class SizeBounds {
  #refused: SizeRefusal | undefined

  refusalOf(statement: SyntaxNode): SizeRefusal | undefined {
    const { cost } = this.#ofQuery(statement, undefined)
    if (cost > COST_MAX) this.#refuse(statement, 'has too many steps or too long values; ask for less at a time')
    return this.#refused
  }

  #refuse(node: SyntaxNode, refusal: string): void {
    this.#refused ??= { refusal, node }
  }

  #ofQuery(query: SyntaxNode, outer: Scope | undefined, self?: RecursiveTable): Query {
    const { withClause, larg, rarg, fromClause, targetList, valuesLists, ...others } = query.fields
    const scope: Scope = { relations: [], tables: new Map(), outer }
    let cost = this.#readCommonTables(nodeOf(withClause, 'withClause'), scope)
    const [left, right] = [nodeOf(larg, 'larg'), nodeOf(rarg, 'rarg')]
    for (const item of nodesOf(fromClause)) cost += this.#readFrom(item, scope)
    const answer =
      left && right
        ? this.#ofSetOperation(query, [left, right], scope, self)
        : this.#ofTargets(targetList, valuesLists, scope)
    // ORDER BY can refer to the selected columns.
    scope.relations.push({ name: '', columns: answer.columns })
    cost += answer.cost + this.#boundOfChildren(others, scope).cost
    for (const stored of ['groupClause', 'distinctClause', 'sortClause']) if (stored in others) cost += STORE_COST
    const isCopied = !BARRIERS.some((one) => one in query.fields)
    return { columns: isCopied ? answer.columns : answer.columns.map((one) => ({ ...one, cost: STEP_COST })), cost }
  }

  /** UNION, INTERSECT, EXCEPT. In a recursion, a column that still grows after as many rounds as there are columns is unbounded. */
  #ofSetOperation(
    query: SyntaxNode,
    [left, right]: [SyntaxNode, SyntaxNode],
    scope: Scope,
    self: RecursiveTable | undefined,
  ): Query {
    const { op, all } = query.fields
    const first = this.#ofQuery(left, scope)
    if (self !== undefined && !all)
      this.#refuse(query, 'removes duplicates in a recursion (UNION); use UNION ALL with a condition that ends it')
    let columns = first.columns
    for (let round = 0; ; round += 1) {
      if (self !== undefined) scope.tables.set(self.name, renamed(columns, self.names))
      const next = this.#ofQuery(right, scope)
      const both = unionOf(columns, next.columns)
      if (op !== 'SETOP_UNION') this.#refuseWide(query, both)
      if (self === undefined) return { columns: both, cost: first.cost + next.cost + (all ? 0 : STORE_COST) }
      const grown = both.map((one, i) => (round > both.length ? widened(one, columns[i]) : { ...one, cost: STEP_COST }))
      const isStable = grown.length === columns.length && grown.every((one, i) => isWithin(one, columns[i]))
      columns = grown
      if (isStable) return { columns, cost: first.cost + next.cost + STORE_COST }
    }
  }

  /** In WITH RECURSIVE, a table may come before the tables that it reads. */
  #readCommonTables(withClause: SyntaxNode | undefined, scope: Scope): number {
    let remaining = nodesOf(withClause?.fields.ctes)
    const isRecursive = withClause?.fields.recursive === true
    let cost = 0
    while (remaining.length > 0) {
      const names = new Set(remaining.map(({ fields }) => String(fields.ctename)))
      const next = remaining.find(
        (one) => !isRecursive || [...names].every((name) => name === one.fields.ctename || !reads(one, name)),
      )
      const table = next ?? remaining[0]
      if (table === undefined) break
      if (next === undefined) this.#refuse(table, 'has tables that read each other in a circle')
      cost += this.#readCommonTable(table, scope, isRecursive)
      remaining = remaining.filter((one) => one !== table)
    }
    return cost
  }

  #readCommonTable(table: SyntaxNode, scope: Scope, isRecursive: boolean): number {
    const { ctename, ctequery, aliascolnames, ctematerialized } = table.fields
    const query = nodeOf(ctequery)
    if (ctematerialized === 'CTEMaterializeNever') this.#refuse(table, 'asks for a copy of a table (NOT MATERIALIZED)')
    if (query === undefined) return 0
    const name = String(ctename)
    const names = textsOf(aliascolnames)
    const { columns, cost } = this.#ofQuery(
      query,
      scope,
      isRecursive && reads(query, name) ? { name, names } : undefined,
    )
    scope.tables.set(name, renamed(columns, names))
    return cost + STORE_COST
  }

  /** Adds a table, subquery, function or join to the scope and returns its cost. */
  #readFrom(item: SyntaxNode, scope: Scope): number {
    const { alias: aliasField, join_using_alias, ...fields } = item.fields
    const alias = nodeOf(aliasField, 'alias')?.fields
    const { columns, cost } = this.#ofFromItem(item.kind, fields, scope)
    const name = String(alias?.aliasname ?? fields.relname ?? '')
    scope.relations.push({ name, columns: renamed(columns, textsOf(alias?.colnames)) })
    const using = nodeOf(join_using_alias, 'join_using_alias')?.fields.aliasname
    if (using !== undefined) scope.relations.push({ name: String(using), columns })
    return cost
  }

  #ofFromItem(kind: string, fields: Fields, scope: Scope): Query {
    if (kind === 'RangeVar') return this.#ofTable(fields, scope)
    const query = nodeOf(fields.subquery)
    if (kind === 'RangeSubselect' && query) return this.#ofQuery(query, scope)
    if (kind !== 'JoinExpr') {
      const { cost, ...bound } = this.#boundOfChildren(fields, scope)
      return { columns: [{ name: undefined, many: true, ...bound, cost: STEP_COST }], cost: cost + STORE_COST }
    }
    const { larg, rarg, ...others } = fields
    const sides: Scope = { relations: [], tables: new Map(), outer: scope }
    const cost = nodesOf([larg, rarg]).reduce((total, side) => total + this.#readFrom(side, sides), STORE_COST)
    scope.relations.push(...sides.relations)
    return {
      columns: sides.relations.flatMap(({ columns }) => columns),
      cost: cost + this.#boundOfChildren(others, sides).cost,
    }
  }

  #ofTable({ relname, schemaname }: Fields, scope: Scope): Query {
    const found = schemaname === undefined ? tableNamed(String(relname), scope) : undefined
    return found ? { columns: found, cost: STEP_COST } : { columns: VIEW_COLUMNS, cost: VIEW_COST }
  }

  #ofTargets(targetList: unknown, valuesLists: unknown, scope: Scope): Query {
    const rows = nodesOf(valuesLists).map(({ fields }) =>
      nodesOf(fields.items).map((one): Column => ({ name: undefined, ...this.#checkedBound(one, scope) })),
    )
    const columns =
      rows.length > 0 ? rows.reduce(unionOf) : nodesOf(targetList).flatMap((one) => this.#ofTarget(one, scope))
    return { columns, cost: sum([...rows.flat(), ...(rows.length > 0 ? [] : columns)].map((one) => one.cost)) }
  }

  #ofTarget({ fields }: SyntaxNode, scope: Scope): Column[] {
    const value = nodeOf(fields.val)
    if (value === undefined) return []
    const parts = nodesOf(value.fields.fields ?? value.fields.indirection)
    const isStar = parts.at(-1)?.kind === 'A_Star'
    if (isStar && value.kind === 'ColumnRef')
      return relationsFor(nameOf(parts.at(-2)), scope).flatMap(({ columns }) => [...columns])
    const bound = this.#checkedBound(value, scope)
    if (isStar) return [{ name: undefined, many: true, ...bound }]
    const own = value.kind === 'ColumnRef' ? nameOf(parts.at(-1)) : textsOf(value.fields.funcname).at(-1)
    const name = fields.name ?? own
    return [{ name: name === undefined ? undefined : String(name), ...bound }]
  }

  #checkedBound(node: SyntaxNode, scope: Scope): Bound {
    const bound = this.#boundOf(node, scope)
    if (bound.bytes > BYTES_MAX) this.#refuse(node, `may build a value of more than ${BYTES_MAX} bytes`)
    return { ...bound, cost: bound.cost + STEP_COST + BYTE_COST * bound.bytes }
  }

  #boundOf(node: SyntaxNode, scope: Scope): Bound {
    switch (node.kind) {
      case 'A_Const': {
        const text = numeralOf(node)
        return {
          digits: Math.max(COLUMN_DIGITS, digitsIn(text)),
          bytes: COLUMN_DIGITS + Buffer.byteLength(text),
          cost: 0,
        }
      }
      case 'ColumnRef':
        return ofColumn(node, scope)
      case 'A_Expr':
      case 'FuncCall':
        return this.#ofStep(node, scope)
      case 'SubLink':
        return this.#ofSubLink(node, scope)
      case 'TypeCast':
        return this.#ofCast(node, scope)
      case 'RowExpr':
      case 'A_ArrayExpr': {
        const parts = childrenOf(node).map((one) => this.#checkedBound(one, scope))
        const perPart = node.kind === 'RowExpr' ? 2 : 1
        const most = node.kind === 'RowExpr' ? boundOfRow(parts) : combinedBound(parts)
        return { ...most, bytes: sum(parts.map(({ bytes }) => perPart * bytes + 16)) + LIST_BYTES }
      }
      case 'SQLValueFunction':
        return { digits: DOUBLE_DIGITS, bytes: SMALL_BYTES, cost: 0 }
      case 'WindowDef': {
        const below = this.#boundOfChildren(node.fields, scope)
        const isSorted = 'partitionClause' in node.fields || 'orderClause' in node.fields
        return { ...below, cost: below.cost + (isSorted ? STORE_COST : 0) }
      }
      default:
        return this.#boundOfChildren(node.fields, scope)
    }
  }

  #boundOfChildren(fields: Fields, scope: Scope): Bound {
    return combinedBound(childrenOf({ kind: '', fields }).map((child) => this.#checkedBound(child, scope)))
  }

  #ofStep(node: SyntaxNode, scope: Scope): Bound {
    const { name, funcname, lexpr, rexpr, args, agg_order, ...others } = node.fields
    const step = textsOf(name ?? funcname).at(-1) ?? ''
    const within = node.fields.agg_within_group ? nodesOf(agg_order) : []
    const nodes = name === undefined ? [...nodesOf(args), ...within] : nodesOf([lexpr, rexpr])
    const operands = nodes.map((one) => this.#checkedBound(one, scope))
    const rest = this.#boundOfChildren(
      { ...others, ...(within.length === 0 && { agg_order }), ...(Array.isArray(rexpr) && { rexpr }) },
      scope,
    )
    if (others.func_variadic) this.#refuse(node, 'calls a function with VARIADIC; write the values one by one')
    const all = { digits: operands.map((one) => one.digits), bytes: operands.map((one) => one.bytes) }
    const { digits, bytes, work } = sizeOfStep(node, step, nodes, all)
    if (isLongStep(node) && largest([digits, ...all.digits]) > DIGITS_MAX && !nodes.some(isDouble))
      this.#refuse(node, `computes with what may have more than ${DIGITS_MAX} digits; cast it to float8`)
    const isStored = others.agg_distinct || agg_order !== undefined
    return {
      digits,
      bytes,
      cost: sum(operands.map(({ cost }) => cost)) + rest.cost + work + (isStored ? STORE_COST : 0),
    }
  }

  #ofSubLink(node: SyntaxNode, scope: Scope): Bound {
    const { subLinkType, subselect, ...others } = node.fields
    if (subLinkType === 'ARRAY_SUBLINK') this.#refuse(node, 'makes a list of a query; use array_agg() in it')
    const query = nodeOf(subselect)
    const rest = this.#boundOfChildren(others, scope)
    if (query === undefined) return rest
    const { columns, cost } = this.#ofQuery(query, scope)
    if (subLinkType === 'ANY_SUBLINK' || subLinkType === 'ALL_SUBLINK') this.#refuseWide(node, columns)
    const found = combinedBound(columns)
    const bytes = subLinkType === 'EXPR_SUBLINK' ? found.bytes : SMALL_BYTES
    // The operator before ANY may compare every character of one side with every character of the other.
    return { ...found, bytes, cost: cost + rest.cost + STORE_COST + rest.bytes * found.bytes }
  }

  /** Refuses wide rows in comparisons, since their hash table stays in memory. */
  #refuseWide(node: SyntaxNode, columns: readonly Column[]): void {
    const bytes = sum(columns.map((one) => (one.many ? VIEW_ROW_BYTES : one.bytes)))
    if (bytes > COMPARED_BYTES_MAX)
      this.#refuse(
        node,
        `compares rows of more than ${COMPARED_BYTES_MAX} bytes; compare fewer or shorter columns, or use EXISTS`,
      )
  }

  #ofCast(node: SyntaxNode, scope: Scope): Bound {
    const value = nodeOf(node.fields.arg)
    const operand = value ? this.#checkedBound(value, scope) : combinedBound([])
    return { ...sizeOfCast(node, operand), cost: operand.cost }
  }
}

/** Clauses that keep a subquery from being inlined. */
const BARRIERS = [
  'groupClause',
  'havingClause',
  'sortClause',
  'distinctClause',
  'limitCount',
  'limitOffset',
  'withClause',
]

const VIEW_COLUMNS: readonly Column[] = [
  { name: undefined, many: true, digits: COLUMN_DIGITS, bytes: COLUMN_BYTES, cost: 5 * STEP_COST },
]

function combinedBound(bounds: readonly Bound[]): Bound {
  return {
    digits: largest(bounds.map((one) => one.digits)),
    bytes: largest(bounds.map((one) => one.bytes)),
    cost: sum(bounds.map((one) => one.cost)),
  }
}

/** Bound of a row, which may contain numbers among texts. */
function boundOfRow(bounds: readonly Bound[]): Bound {
  const most = combinedBound(bounds)
  return { ...most, digits: Math.min(most.digits, NUMERIC_DIGITS) }
}

/** Columns of a union, matched by position if positions are known. */
function unionOf(one: readonly Column[], other: readonly Column[]): Column[] {
  const arePlaced = one.length === other.length && ![...one, ...other].some(({ many }) => many)
  const all = combinedBound([...one, ...other])
  return one.map((column, i) => {
    const bound = arePlaced ? combinedBound([column, other[i] ?? column]) : all
    return { ...column, ...bound, cost: STEP_COST }
  })
}

function renamed(columns: readonly Column[], names: readonly string[]): readonly Column[] {
  if (names.length === 0) return columns
  if (columns.some(({ many }) => many))
    return [...names.map((name) => ({ ...combinedBound(columns), name, cost: costliest(columns) })), ...columns]
  return columns.map((column, i) => ({ ...column, name: names[i] ?? column.name }))
}

function costliest(columns: readonly Column[]): number {
  return largest(columns.map(({ cost }) => cost))
}

/** Widens the bounds of a growing recursive column to the longest number or to unlimited text. */
function widened(one: Column, before: Column | undefined): Column {
  if (before === undefined || isWithin(one, before)) return { ...one, cost: STEP_COST }
  return {
    ...one,
    digits: one.digits > before.digits ? largest([one.digits, NUMERIC_DIGITS]) : one.digits,
    bytes:
      one.bytes > before.bytes ? (one.bytes < LONGEST_NUMBER ? LONGEST_NUMBER : Number.POSITIVE_INFINITY) : one.bytes,
    cost: STEP_COST,
  }
}

function isWithin(one: Bound, other: Bound | undefined): boolean {
  return other !== undefined && one.digits <= other.digits && one.bytes <= other.bytes
}

/** Whether the node reads a table of that name at any depth. */
function reads(node: SyntaxNode, name: string): boolean {
  return (
    (node.kind === 'RangeVar' && node.fields.relname === name) || childrenOf(node).some((child) => reads(child, name))
  )
}

function scopesFrom(scope: Scope | undefined): Scope[] {
  return scope === undefined ? [] : [scope, ...scopesFrom(scope.outer)]
}

function tableNamed(name: string, scope: Scope): readonly Column[] | undefined {
  return scopesFrom(scope)
    .find(({ tables }) => tables.has(name))
    ?.tables.get(name)
}

/** Relations that a column may come from: all of them if its table is not given or unknown. */
function relationsFor(table: string | undefined, scope: Scope): Relation[] {
  const all = scopesFrom(scope).flatMap(({ relations }) => relations)
  const named = all.filter(({ name }) => name === table)
  return named.length > 0 ? named : all
}

function nameOf(part: SyntaxNode | undefined): string | undefined {
  return part?.kind === 'String' ? String(part.fields.sval) : undefined
}

function ofColumn({ fields }: SyntaxNode, scope: Scope): Bound {
  const parts = nodesOf(fields.fields)
  const relations = relationsFor(nameOf(parts.at(-2)), scope)
  const name = nameOf(parts.at(-1))
  if (parts.at(-1)?.kind === 'A_Star') return rowOf(relations)
  const found: Bound[] = relations.flatMap(({ columns }) =>
    columns.filter((one) => one.name === undefined || one.name === name),
  )
  // The name of a table, used as a column, is its whole row.
  const rows = relationsFor(undefined, scope).filter((one) => one.name === name)
  if (rows.length > 0) found.push(rowOf(rows))
  return { ...combinedBound(found), cost: largest(found.map(({ cost }) => cost)) }
}

function rowOf(relations: readonly Relation[]): Bound {
  const columns = relations.flatMap((one) => one.columns)
  const bytes = sum(columns.map((one) => (one.many ? VIEW_ROW_BYTES : 2 * one.bytes + 16)))
  return { ...boundOfRow(columns), bytes: bytes + LIST_BYTES }
}
