/**
 * How large the values of an analyst's statement can become, and how much work one row of it can be. PostgreSQL finishes a step before
 * it looks whether it should stop, and copies a column into every place that reads it, so both are bounded before the statement runs.
 * Every value gets an upper bound from the values it is made of, through subqueries, common tables and recursion: too high at times, never
 * too low. Aggregates that collect rows have their bound at run time (`sql/objects/bounded_aggregates.sql`).
 */
import { digitsIn, isDouble, isLongStep, numberOf, numeralOf, WIDTH_MAX } from './analyst-bounds.ts'
import { ANALYST_QUESTIONS } from './analyst-names.ts'
import { childrenOf, constantOf, type Fields, nodeOf, nodesOf, type SyntaxNode, textsOf } from './syntax-tree.ts'

/** Largest value, in memory or as text, whichever is more. */
const BYTES_MAX = 8_000_000
/** PostgreSQL divides numbers of this size in 3 ms. */
const DIGITS_MAX = 5_000
/** Roughly nanoseconds without an interruption. */
const COST_MAX = 600_000_000
/** Planning and evaluating an operator, a function, a column. */
const STEP_COST = 10_000
const BYTE_COST = 10
/** Sorting, hashing or storing rows, which takes `work_mem`. */
const STORE_COST = COST_MAX / 40
const VIEW_COST = COST_MAX / 150
/** A regular expression with counted repetitions takes up to 160 MB while it is compiled. */
const COUNTED_REGEX_COST = COST_MAX / 4
const REPETITIONS_MAX = 1_000
/** Largest row of a hash table of compared rows, which never spills to disk. */
const COMPARED_BYTES_MAX = 250

/** Limits of `sql/objects/bounded_aggregates.sql`. */
export const AGGREGATE_BYTES = 100_000
/** Digits of prices, volumes and counts. */
const COLUMN_DIGITS = 20
/** Bytes of names and addresses in the views. */
const COLUMN_BYTES = 200
const VIEW_ROW_BYTES = 40 * COLUMN_BYTES
/** An instant or an interval as text. */
const SMALL_BYTES = 100
/** Digits of a quotient beyond those of its operands. */
const QUOTIENT_DIGITS = 20
/** 1.8e308 in full, and what follows the point. */
const DOUBLE_DIGITS = 330
const EXP_DIGITS = 4_700
const DECIMALS_MAX = 2_000
/** PostgreSQL's longest number. */
const NUMERIC_DIGITS = 150_000
/** Memory of a list or a document beyond its values. */
const LIST_BYTES = 64
/** A list as text, and JSON with each character escaped. */
const QUOTED = 4
const ESCAPED = 8
/** A list of many short parts in memory. */
const SPLIT = 40

interface Bound {
  /** Digits of the number that it is, holds, or is cast to: unlimited for a computed text, never for a number or JSON. */
  digits: number
  bytes: number
  cost: number
}

interface Column extends Bound {
  /** Undefined where it may be any. */
  name: string | undefined
  /** Stands for all columns of a view or function. */
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

/** A common table that reads itself, and what its columns are called. */
interface RecursiveTable {
  name: string
  names: readonly string[]
}

interface Scope {
  relations: Relation[]
  /** Common tables. */
  tables: Map<string, readonly Column[]>
  outer?: Scope | undefined
}

type Rule = (operands: readonly number[]) => number

const largest: Rule = (operands) => Math.max(1, ...operands)
const sum: Rule = (operands) => operands.reduce((a, b) => a + b, 0)
const product: Rule = (operands) => operands.reduce((a, b) => a * (b + 1), 1)
const quotient: Rule = (operands) => sum(operands) + QUOTIENT_DIGITS
const times =
  (factor: number): Rule =>
  (operands) =>
    factor * sum(operands) + LIST_BYTES
const always =
  (value: number): Rule =>
  () =>
    value

const DIGITS_OF_OPERATOR = rules([
  ['*', sum],
  ['/', quotient],
  ['+ -', (operands) => largest(operands) + 1],
  ['-> #>', always(NUMERIC_DIGITS)],
  ['|| ->> #>>', always(Number.POSITIVE_INFINITY)],
])

/** Functions whose value is a number, or among their operands. All others make texts and lists, from which a number of any size can be read. */
const DIGITS_OF_FUNCTION = rules([
  [
    `abs ceil ceiling first_value floor gcd generate_series lag last_value lead max min mod mode nth_value percentile_cont
     percentile_disc sign unnest`,
    largest,
  ],
  ['array_agg array_append array_cat array_prepend array_remove array_replace', largest],
  ['sum', (operands) => largest(operands) + 1],
  ['avg div sqrt', quotient],
  ['lcm', sum],
  ['stddev stddev_pop stddev_samp var_pop var_samp variance', (operands) => 2 * quotient(operands)],
  ['exp', always(EXP_DIGITS)],
  ['ln log log10', always(DECIMALS_MAX)],
  [
    `json_array_elements json_build_array json_build_object jsonb_array_elements jsonb_build_array jsonb_build_object row_to_json to_json
     to_jsonb to_number`,
    always(NUMERIC_DIGITS),
  ],
  [
    `acos array_length array_lower array_position array_positions array_upper ascii asin atan atan2 bit_and bit_or cardinality cbrt
     char_length character_length corr cos cosh cot count covar_pop covar_samp cume_dist date_part degrees dense_rank extract factorial
     length ntile octet_length percent_rank pi position radians random rank regexp_count regr_avgx regr_avgy regr_count regr_intercept
     regr_r2 regr_slope regr_sxx regr_sxy regr_syy row_number sin sinh strpos tan tanh width_bucket`,
    always(DOUBLE_DIGITS),
  ],
  [[...ANALYST_QUESTIONS].join(' '), always(DOUBLE_DIGITS)],
])

/** Result sizes of functions that return no number. */
const BYTES_OF_FUNCTION = rules([
  [
    `array_remove btrim first_value json_array_elements jsonb_array_elements lag last_value lead left ltrim max min mode nth_value
     regexp_substr reverse right rtrim split_part substr substring unnest`,
    largest,
  ],
  ['array_append array_cat array_prepend overlay', (operands) => sum(operands) + LIST_BYTES],
  ['concat initcap like_escape lower similar_to_escape upper', times(QUOTED)],
  ['concat_ws', (operands) => operands.length * (QUOTED * sum(operands) + LIST_BYTES)],
  ['translate', ([text = 0]) => QUOTED * text],
  ['regexp_match regexp_matches', ([text = 0, pattern = 0]) => SPLIT * text * (pattern + 1)],
  ['regexp_replace', ([text = 0, , by = 0]) => (text + 1) * (by + 1)],
  ['replace array_replace', ([text = 0, , by = 0]) => text * (by + 1)],
  ['array_to_string', ([list = 0, ...marks]) => QUOTED * list * (sum(marks) + 1)],
  ['regexp_split_to_array string_to_array', ([text = 0]) => SPLIT * text],
  ['array_positions', times(8)],
  ['percentile_cont percentile_disc', product],
  ['chr', always(4)],
  ['md5', always(32)],
  ['to_char', ([value = 0, format = 0]) => value + 100 * format],
  ['string_agg', always(AGGREGATE_BYTES)],
  [
    'json_build_array json_build_object jsonb_build_array jsonb_build_object row_to_json to_json to_jsonb',
    times(ESCAPED),
  ],
  [
    `age bool_and bool_or clock_timestamp date_bin date_trunc every isfinite justify_days justify_hours justify_interval make_date
     make_interval make_time make_timestamp make_timestamptz now overlaps regexp_like starts_with statement_timestamp timezone to_date
     to_timestamp transaction_timestamp`,
    always(SMALL_BYTES),
  ],
  [[...ANALYST_QUESTIONS].join(' '), always(COLUMN_BYTES)],
])

/** Work beyond what the size of the value shows: each character with each. */
const eachWithEach: Rule = ([one = 0, other = 0]) => one * other
const WORK_OF_FUNCTION = rules([
  [
    `array_positions array_remove array_replace position regexp_count regexp_like regexp_match regexp_matches regexp_replace
     regexp_split_to_array regexp_substr replace split_part string_to_array strpos substring`,
    eachWithEach,
  ],
  ['translate', (operands) => 20 * eachWithEach(operands)],
])
const LINEAR_OPERATORS = new Set('|| = <> < > <= >= + * / % ^ -> ->> #> #>> ? ?| ?& BETWEEN'.split(' '))
/** Whose digits go by their second operand. */
const NUMBER_FUNCTIONS = new Set(['power', 'round', 'trunc'])
const NUMBER_OPERATORS = new Set('+ - * / % ^'.split(' '))

const REGEX_FUNCTION = /^(?:regexp_\w+|substring|similar_to_escape)$/
const REGEX_OPERATOR = /^!?~\*?$/

const SHORT_TYPES = new Set(
  'bool date float4 float8 int2 int4 int8 interval time timestamp timestamptz timetz uuid'.split(' '),
)

/** Keeps a value when it becomes `text`; a list grows by its quotation marks. */
const TEXT_TYPES = new Set('text varchar bpchar'.split(' '))

export interface SizeRefusal {
  /** A phrase that follows "sql". */
  refusal: string
  node: SyntaxNode
}

/** The first part that may become too large. */
export function refusalBySizes(statement: SyntaxNode): SizeRefusal | undefined {
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
      left && right ? this.#ofTwo(query, [left, right], scope, self) : this.#ofTargets(targetList, valuesLists, scope)
    // Orders can name what is selected.
    scope.relations.push({ name: '', columns: answer.columns })
    cost += answer.cost + this.#below(others, scope).cost
    for (const stored of ['groupClause', 'distinctClause', 'sortClause']) if (stored in others) cost += STORE_COST
    const isCopied = !BARRIERS.some((one) => one in query.fields)
    return { columns: isCopied ? answer.columns : answer.columns.map((one) => ({ ...one, cost: STEP_COST })), cost }
  }

  /** UNION, INTERSECT, EXCEPT. In a recursion what still grows after as many rounds as there are columns grows without end. */
  #ofTwo(
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

  /** Tables of a recursive WITH may stand before those that they read. */
  #readCommonTables(withClause: SyntaxNode | undefined, scope: Scope): number {
    let left = nodesOf(withClause?.fields.ctes)
    const isRecursive = withClause?.fields.recursive === true
    let cost = 0
    while (left.length > 0) {
      const names = new Set(left.map(({ fields }) => String(fields.ctename)))
      const next = left.find(
        (one) => !isRecursive || [...names].every((name) => name === one.fields.ctename || !reads(one, name)),
      )
      const table = next ?? left[0]
      if (table === undefined) break
      if (next === undefined) this.#refuse(table, 'has tables that read each other in a circle')
      cost += this.#readCommonTable(table, scope, isRecursive)
      left = left.filter((one) => one !== table)
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

  /** A table, query, function or join, into the scope. */
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
      const { cost, ...bound } = this.#below(fields, scope)
      return { columns: [{ name: undefined, many: true, ...bound, cost: STEP_COST }], cost: cost + STORE_COST }
    }
    const { larg, rarg, ...others } = fields
    const sides: Scope = { relations: [], tables: new Map(), outer: scope }
    const cost = nodesOf([larg, rarg]).reduce((total, side) => total + this.#readFrom(side, sides), STORE_COST)
    scope.relations.push(...sides.relations)
    return { columns: sides.relations.flatMap(({ columns }) => columns), cost: cost + this.#below(others, sides).cost }
  }

  #ofTable({ relname, schemaname }: Fields, scope: Scope): Query {
    const found = schemaname === undefined ? tableNamed(String(relname), scope) : undefined
    return found ? { columns: found, cost: STEP_COST } : { columns: VIEW_COLUMNS, cost: VIEW_COST }
  }

  #ofTargets(targetList: unknown, valuesLists: unknown, scope: Scope): Query {
    const rows = nodesOf(valuesLists).map(({ fields }) =>
      nodesOf(fields.items).map((one): Column => ({ name: undefined, ...this.#of(one, scope) })),
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
    const bound = this.#of(value, scope)
    if (isStar) return [{ name: undefined, many: true, ...bound }]
    const own = value.kind === 'ColumnRef' ? nameOf(parts.at(-1)) : textsOf(value.fields.funcname).at(-1)
    const name = fields.name ?? own
    return [{ name: name === undefined ? undefined : String(name), ...bound }]
  }

  #of(node: SyntaxNode, scope: Scope): Bound {
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
        const parts = childrenOf(node).map((one) => this.#of(one, scope))
        const perPart = node.kind === 'RowExpr' ? 2 : 1
        const most = node.kind === 'RowExpr' ? composed(parts) : mostOf(parts)
        return { ...most, bytes: sum(parts.map(({ bytes }) => perPart * bytes + 16)) + LIST_BYTES }
      }
      case 'SQLValueFunction':
        return { digits: DOUBLE_DIGITS, bytes: SMALL_BYTES, cost: 0 }
      case 'WindowDef': {
        const below = this.#below(node.fields, scope)
        const isSorted = 'partitionClause' in node.fields || 'orderClause' in node.fields
        return { ...below, cost: below.cost + (isSorted ? STORE_COST : 0) }
      }
      default:
        return this.#below(node.fields, scope)
    }
  }

  #below(fields: Fields, scope: Scope): Bound {
    return mostOf(childrenOf({ kind: '', fields }).map((child) => this.#of(child, scope)))
  }

  #ofStep(node: SyntaxNode, scope: Scope): Bound {
    const { name, funcname, lexpr, rexpr, args, agg_order, ...others } = node.fields
    const step = textsOf(name ?? funcname).at(-1) ?? ''
    const within = node.fields.agg_within_group ? nodesOf(agg_order) : []
    const nodes = name === undefined ? [...nodesOf(args), ...within] : nodesOf([lexpr, rexpr])
    const operands = nodes.map((one) => this.#of(one, scope))
    const rest = this.#below(
      { ...others, ...(within.length === 0 && { agg_order }), ...(Array.isArray(rexpr) && { rexpr }) },
      scope,
    )
    if (others.func_variadic) this.#refuse(node, 'calls a function with VARIADIC; write the values one by one')
    const all = { digits: operands.map((one) => one.digits), bytes: operands.map((one) => one.bytes) }
    const digits = nodes.some(isDouble) ? DOUBLE_DIGITS : shortened(digitsOfStep(node, step, nodes, all.digits))
    const bytes = name === undefined ? bytesOfCall(step, digits, nodes, all) : bytesOfOperator(step, digits, all.bytes)
    if (isLongStep(node) && largest([digits, ...all.digits]) > DIGITS_MAX && !nodes.some(isDouble))
      this.#refuse(node, `computes with what may have more than ${DIGITS_MAX} digits; cast it to float8`)
    const work = workOfStep(node, step, nodes, all)
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
    const rest = this.#below(others, scope)
    if (query === undefined) return rest
    const { columns, cost } = this.#ofQuery(query, scope)
    if (subLinkType === 'ANY_SUBLINK' || subLinkType === 'ALL_SUBLINK') this.#refuseWide(node, columns)
    const found = mostOf(columns)
    const bytes = subLinkType === 'EXPR_SUBLINK' ? found.bytes : SMALL_BYTES
    // An operator before ANY may compare each character with each.
    return { ...found, bytes, cost: cost + rest.cost + STORE_COST + rest.bytes * found.bytes }
  }

  /** A hash table of rows stays in memory. */
  #refuseWide(node: SyntaxNode, columns: readonly Column[]): void {
    const bytes = sum(columns.map((one) => (one.many ? VIEW_ROW_BYTES : one.bytes)))
    if (bytes > COMPARED_BYTES_MAX)
      this.#refuse(
        node,
        `compares rows of more than ${COMPARED_BYTES_MAX} bytes; compare fewer or shorter columns, or use EXISTS`,
      )
  }

  #ofCast({ fields }: SyntaxNode, scope: Scope): Bound {
    const value = nodeOf(fields.arg)
    const { digits, bytes, cost } = value ? this.#of(value, scope) : mostOf([])
    const type = nodeOf(fields.typeName, 'typeName')?.fields
    const [name = ''] = textsOf(type?.names).slice(-1)
    const [precision] = nodesOf(type?.typmods)
    if (type?.arrayBounds === undefined) {
      if (SHORT_TYPES.has(name)) return { digits: DOUBLE_DIGITS, bytes: SMALL_BYTES, cost }
      if (TEXT_TYPES.has(name))
        return { digits, bytes: (value?.kind === 'A_Const' ? 1 : QUOTED) * bytes + (numberOf(precision) ?? 0), cost }
      if (name === 'json') return { digits: NUMERIC_DIGITS, bytes, cost }
      if (name === 'numeric') {
        const most = Math.min(digits, NUMERIC_DIGITS)
        return {
          digits: precision ? Math.min(most, numberOf(precision) ?? most) : most,
          bytes: most + COLUMN_DIGITS,
          cost,
        }
      }
    }
    const grows = SHORT_TYPES.has(name) || TEXT_TYPES.has(name) ? SPLIT : Math.max(SPLIT, digits)
    const width = Math.max(1, numberOf(precision) ?? 1)
    return { digits: name.startsWith('json') ? NUMERIC_DIGITS : digits, bytes: grows * width * bytes, cost }
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

function mostOf(bounds: readonly Bound[]): Bound {
  return {
    digits: largest(bounds.map((one) => one.digits)),
    bytes: largest(bounds.map((one) => one.bytes)),
    cost: sum(bounds.map((one) => one.cost)),
  }
}

/** A row may hold numbers among texts. */
function composed(bounds: readonly Bound[]): Bound {
  const most = mostOf(bounds)
  return { ...most, digits: Math.min(most.digits, NUMERIC_DIGITS) }
}

/** Columns of a union, by position where positions are known. */
function unionOf(one: readonly Column[], other: readonly Column[]): Column[] {
  const arePlaced = one.length === other.length && ![...one, ...other].some(({ many }) => many)
  const all = mostOf([...one, ...other])
  return one.map((column, i) => {
    const bound = arePlaced ? mostOf([column, other[i] ?? column]) : all
    return { ...column, ...bound, cost: STEP_COST }
  })
}

function renamed(columns: readonly Column[], names: readonly string[]): readonly Column[] {
  if (names.length === 0) return columns
  if (columns.some(({ many }) => many))
    return [...names.map((name) => ({ ...mostOf(columns), name, cost: costliest(columns) })), ...columns]
  return columns.map((column, i) => ({ ...column, name: names[i] ?? column.name }))
}

function costliest(columns: readonly Column[]): number {
  return largest(columns.map(({ cost }) => cost))
}

/** Bounds of a recursive column that grows: the longest number, a text without limit. */
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

/** Whether a table of that name is read anywhere in it. */
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

/** All that a name without a table, or with one that is unknown, can mean. */
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
  // The name of a table is its row.
  const rows = relationsFor(undefined, scope).filter((one) => one.name === name)
  if (rows.length > 0) found.push(rowOf(rows))
  return { ...mostOf(found), cost: largest(found.map(({ cost }) => cost)) }
}

function rowOf(relations: readonly Relation[]): Bound {
  const columns = relations.flatMap((one) => one.columns)
  const bytes = sum(columns.map((one) => (one.many ? VIEW_ROW_BYTES : 2 * one.bytes + 16)))
  return { ...composed(columns), bytes: bytes + LIST_BYTES }
}

interface Operands {
  digits: readonly number[]
  bytes: readonly number[]
}

/** PostgreSQL refuses a longer number. */
function shortened(digits: number): number {
  return Number.isFinite(digits) ? Math.min(digits, NUMERIC_DIGITS) : digits
}

const LONGEST_NUMBER = NUMERIC_DIGITS + COLUMN_DIGITS

function bytesOfNumber(digits: number): number {
  return Math.min(digits, NUMERIC_DIGITS) + COLUMN_DIGITS
}

function bytesOfOperator(step: string, digits: number, bytes: readonly number[]): number {
  if (step === '||') return sum(bytes) + LIST_BYTES
  return NUMBER_OPERATORS.has(step) ? Math.max(largest(bytes), bytesOfNumber(digits)) : largest(bytes)
}

function bytesOfCall(
  step: string,
  digits: number,
  nodes: readonly SyntaxNode[],
  { digits: each, bytes }: Operands,
): number {
  if (step === 'array_agg') return bytesOfList(each[0] ?? 1, bytes[0] ?? 1)
  if (step === 'format') {
    const [text = 0, ...values] = bytes
    const places = String(constantOf(nodes[0])).split('%').length
    return text + places * (WIDTH_MAX + QUOTED * largest(values))
  }
  const known = BYTES_OF_FUNCTION.get(step)
  if (known) return known(bytes)
  return DIGITS_OF_FUNCTION.has(step) || NUMBER_FUNCTIONS.has(step) ? bytesOfNumber(digits) : Number.POSITIVE_INFINITY
}

/** A long number with many zeros takes 8 bytes in a list and all its digits as text, a text about the same in both. */
function bytesOfList(digits: number, bytes: number): number {
  const perByte = digits === Number.POSITIVE_INFINITY ? QUOTED : Math.min(digits / 8, bytes / 20)
  return AGGREGATE_BYTES * Math.max(QUOTED, perByte)
}

function workOfStep(node: SyntaxNode, step: string, nodes: readonly SyntaxNode[], { digits, bytes }: Operands): number {
  const work = isRegex(node, step) ? workOfRegex(nodes[1], digits[1]) : 0
  if (isLongStep(node)) return work + eachWithEach(digits.toSorted((a, b) => b - a)) / 8
  if (node.kind === 'FuncCall') return work + (WORK_OF_FUNCTION.get(step)?.(bytes) ?? 0)
  // Texts can be taken out of JSON.
  const isLinear = LINEAR_OPERATORS.has(step) || (step === '-' && digits[1] !== Number.POSITIVE_INFINITY)
  return work + (isLinear ? 0 : eachWithEach(bytes))
}

function isRegex({ kind }: SyntaxNode, step: string): boolean {
  return (kind === 'FuncCall' ? REGEX_FUNCTION : REGEX_OPERATOR).test(step)
}

/** Repetitions within repetitions multiply. */
function workOfRegex(pattern: SyntaxNode | undefined, digits = 1): number {
  const text = constantOf(pattern)
  if (text === undefined) return digits === Number.POSITIVE_INFINITY ? COUNTED_REGEX_COST : 0
  const counts = [...String(text).matchAll(/\{(\d+)(?:,(\d*))?/g)].map(([, least, most]) => Number(most || least) + 1)
  return counts.reduce((a, b) => a * b, 1) > REPETITIONS_MAX ? COUNTED_REGEX_COST : 0
}

/** Adding a constant does not make a number longer, however often. */
function digitsOfStep(node: SyntaxNode, step: string, nodes: readonly SyntaxNode[], digits: readonly number[]): number {
  const isPlain = nodes.length === 1 || nodes.some((one) => numberOf(one) !== undefined)
  if (/^[+-]$/.test(step) && isPlain) return largest(digits)
  const [, second] = nodes
  if (step === '^' || step === 'power')
    return quotient([(digits[0] ?? 1) * Math.max(1, Math.abs(numberOf(second) ?? 1))])
  if (step === 'round' || step === 'trunc') return (digits[0] ?? 1) + (second ? (numberOf(second) ?? DECIMALS_MAX) : 0)
  return node.kind === 'A_Expr'
    ? (DIGITS_OF_OPERATOR.get(step) ?? largest)(digits)
    : (DIGITS_OF_FUNCTION.get(step)?.(digits) ?? Number.POSITIVE_INFINITY)
}

function rules(list: [names: string, rule: Rule][]): ReadonlyMap<string, Rule> {
  return new Map(list.flatMap(([names, rule]) => names.split(/\s+/).map((name) => [name, rule] as const)))
}
