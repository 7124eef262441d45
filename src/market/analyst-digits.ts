/**
 * How many digits the numbers of an analyst's statement can have. A product has those of both factors, so squares of squares double them
 * with every query they pass through, and PostgreSQL finishes a step on 100,000 digits before it looks whether it should stop.
 * Columns are known by their names alone, wherever these come from: a bound may be too high, never too low.
 */
import { digitsIn, isDouble, isLongStep, numberOf, numeralOf } from './analyst-bounds.ts'
import { ANALYST_QUESTIONS } from './analyst-names.ts'
import { childrenOf, type Fields, nodeOf, nodesOf, type SyntaxNode, textsOf } from './syntax-tree.ts'

/** PostgreSQL divides numbers of this size in 3 ms. */
const DIGITS_MAX = 5_000
/** Of prices, volumes and counts. */
const COLUMN_DIGITS = 20
/** What a quotient can have beyond its operands. */
const QUOTIENT_DIGITS = 20
/** 1.8e308 in full, and what follows the point. */
const DOUBLE_DIGITS = 330
const EXP_DIGITS = 4_700
const DECIMALS_MAX = 2_000

type Rule = (operands: readonly number[]) => number
const largest: Rule = (operands) => Math.max(1, ...operands)
const sum: Rule = (operands) => operands.reduce((a, b) => a + b, 0)
const quotient: Rule = (operands) => sum(operands) + QUOTIENT_DIGITS

const OPERATORS = rules([
  ['*', sum],
  ['/', quotient],
  ['+ -', (operands) => largest(operands) + 1],
  ['|| -> ->> #> #>>', () => Number.POSITIVE_INFINITY],
])

/** All others make texts and lists, from which a number of any size can be read. */
const FUNCTIONS = rules([
  [
    `abs ceil ceiling first_value floor gcd generate_series lag last_value lead max min mod mode nth_value percentile_cont
     percentile_disc sign unnest`,
    largest,
  ],
  ['sum', (operands) => largest(operands) + 1],
  ['avg div sqrt', quotient],
  ['lcm', sum],
  ['stddev stddev_pop stddev_samp var_pop var_samp variance', (operands) => 2 * quotient(operands)],
  ['exp', () => EXP_DIGITS],
  ['ln log log10', () => DECIMALS_MAX],
  [
    `acos array_length array_lower array_position array_upper ascii asin atan atan2 cardinality cbrt char_length character_length
     corr cos cosh cot count covar_pop covar_samp cume_dist date_part degrees dense_rank extract factorial length ntile octet_length
     percent_rank pi position radians random rank regexp_count regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope
     regr_sxx regr_sxy regr_syy row_number sin sinh strpos tan tanh width_bucket`,
    () => DOUBLE_DIGITS,
  ],
  [[...ANALYST_QUESTIONS].join(' '), () => DOUBLE_DIGITS],
])

const SHORT_TYPES = new Set(
  'bool date float4 float8 int2 int4 int8 interval time timestamp timestamptz timetz'.split(' '),
)

/** The first step on numbers that may be too long: a phrase that follows "sql", and where. */
export function refusalByDigits(statement: SyntaxNode): { refusal: string; node: SyntaxNode } | undefined {
  const node = new DigitBounds().longStepOf(statement)
  return node && { refusal: `computes with what may have more than ${DIGITS_MAX} digits; cast it to float8`, node }
}

class DigitBounds {
  /** Of columns, tables and their aliases, anywhere in the statement. */
  readonly #named = new Map<string, number>()
  /** The most of any column that PostgreSQL names itself. */
  #unnamed = COLUMN_DIGITS
  #longStep: SyntaxNode | undefined

  longStepOf(statement: SyntaxNode): SyntaxNode | undefined {
    this.#ofQuery(statement, COLUMN_DIGITS)
    return this.#longStep
  }

  /** Of its columns. `outer`: of what the queries around it read. */
  #ofQuery({ fields }: SyntaxNode, outer: number): number {
    const { withClause, fromClause, larg, rarg, targetList, valuesLists, ...others } = fields
    this.#readCommonTables(nodeOf(withClause, 'withClause'), outer)
    const read = largest([outer, ...nodesOf(fromClause).map((item) => this.#ofFromItem(item, outer))])
    const columns = [this.#largestBelow({ valuesLists }, read)]
    for (const side of [nodeOf(larg, 'larg'), nodeOf(rarg, 'rarg')]) if (side) columns.push(this.#ofQuery(side, outer))
    let unnamed = this.#unnamed
    for (const { fields: target } of nodesOf(targetList)) {
      const value = nodeOf(target.val)
      const digits = this.#of(value, read)
      columns.push(digits)
      if (target.name !== undefined) this.#raiseAll([target.name], digits)
      else if (value?.kind !== 'ColumnRef') unnamed = Math.max(unnamed, digits)
    }
    this.#unnamed = Math.max(this.#unnamed, unnamed)
    const most = largest(columns)
    this.#raiseAll(namesOf(nodeOf(larg, 'larg')), most)
    this.#largestBelow(others, read)
    return most
  }

  /** In a recursion a pass carries the bounds one table further; what still grows then has none. */
  #readCommonTables(withClause: SyntaxNode | undefined, outer: number): void {
    const tables = nodesOf(withClause?.fields.ctes)
    const read = () => {
      for (const { fields } of tables) {
        const query = nodeOf(fields.ctequery)
        if (query) this.#raiseAll([fields.ctename, ...textsOf(fields.aliascolnames)], this.#ofQuery(query, outer))
      }
    }
    read()
    if (!withClause?.fields.recursive) return
    for (const _ of tables) read()
    const before = this.#total()
    read()
    if (this.#total() === before) return
    this.#unnamed = Number.POSITIVE_INFINITY
    read()
  }

  /** A table, query, function or join: of its columns. */
  #ofFromItem(item: SyntaxNode, outer: number): number {
    const { alias, join_using_alias, ...fields } = item.fields
    const digits = this.#ofFromFields(item.kind, fields, outer)
    for (const named of [nodeOf(alias, 'alias'), nodeOf(join_using_alias, 'join_using_alias')])
      if (named) this.#raiseAll([named.fields.aliasname, ...textsOf(named.fields.colnames)], digits)
    if (alias === undefined && item.kind === 'RangeFunction') this.#unnamed = Math.max(this.#unnamed, digits)
    return digits
  }

  #ofFromFields(kind: string, fields: Fields, outer: number): number {
    if (kind === 'RangeVar') return this.#ofName(fields.relname)
    if (kind !== 'JoinExpr') return this.#largestBelow(fields, outer)
    const { larg, rarg, ...others } = fields
    const sides = nodesOf([larg, rarg]).map((side) => this.#ofFromItem(side, outer))
    this.#largestBelow(others, largest([outer, ...sides]))
    return largest(sides)
  }

  #of(node: SyntaxNode | undefined, read: number): number {
    if (node === undefined) return 1
    switch (node.kind) {
      case 'SelectStmt':
        return this.#ofQuery(node, read)
      case 'A_Const':
        return Math.max(COLUMN_DIGITS, digitsIn(numeralOf(node)))
      case 'ColumnRef': {
        const [last] = nodesOf(node.fields.fields).slice(-1)
        return last?.kind === 'A_Star' ? read : this.#ofName(last?.fields.sval)
      }
      case 'A_Expr':
      case 'FuncCall':
        return this.#ofStep(node, read)
      case 'SubLink':
        return this.#ofSubLink(node, read)
      case 'TypeCast':
        return this.#ofCast(node, read)
      default:
        return this.#largestBelow(node.fields, read)
    }
  }

  #ofStep(node: SyntaxNode, read: number): number {
    const { name, funcname, lexpr, rexpr, args, ...others } = node.fields
    const step = textsOf(name ?? funcname).at(-1) ?? ''
    const operandNodes =
      name === undefined ? nodesOf(args) : [nodeOf(lexpr), nodeOf(rexpr)].filter((one) => one !== undefined)
    // A list stands on the right of IN and BETWEEN.
    const operands = [
      ...operandNodes.map((one) => this.#of(one, read)),
      ...(Array.isArray(rexpr) ? [this.#largestBelow({ rexpr }, read)] : []),
    ]
    this.#largestBelow(others, read)
    if (operandNodes.some(isDouble)) return DOUBLE_DIGITS
    const digits = digitsOfStep(node, step, operandNodes, operands)
    if (isLongStep(node) && largest([digits, ...operands]) > DIGITS_MAX) this.#longStep ??= node
    return digits
  }

  /** What the query names stays inside. */
  #ofSubLink({ fields }: SyntaxNode, read: number): number {
    const unnamed = this.#unnamed
    const digits = this.#largestBelow(fields, read)
    this.#unnamed = unnamed
    return digits
  }

  #ofCast({ fields }: SyntaxNode, read: number): number {
    const digits = this.#of(nodeOf(fields.arg), read)
    const type = nodeOf(fields.typeName, 'typeName')?.fields
    const [name = ''] = textsOf(type?.names).slice(-1)
    if (SHORT_TYPES.has(name) && type?.arrayBounds === undefined) return DOUBLE_DIGITS
    if (/^jsonb?$/.test(name)) return Number.POSITIVE_INFINITY
    const [precision] = nodesOf(type?.typmods)
    return name === 'numeric' && precision ? Math.min(digits, numberOf(precision) ?? digits) : digits
  }

  #largestBelow(fields: Fields, read: number): number {
    return largest(childrenOf({ kind: '', fields }).map((child) => this.#of(child, read)))
  }

  #ofName(name: unknown): number {
    return Math.max(this.#unnamed, this.#named.get(String(name)) ?? 0)
  }

  #raiseAll(names: unknown[], digits: number): void {
    for (const name of names) this.#named.set(String(name), Math.max(digits, this.#named.get(String(name)) ?? 0))
  }

  /** To see whether any has grown. */
  #total(): number {
    return sum(
      [this.#unnamed, ...this.#named.values()].map((digits) => Math.min(digits, Number.MAX_SAFE_INTEGER / 1e6)),
    )
  }
}

/** Adding a constant does not make a number longer, however often. */
function digitsOfStep(node: SyntaxNode, step: string, operandNodes: SyntaxNode[], operands: number[]): number {
  const isPlain = operandNodes.length === 1 || operandNodes.some((one) => numberOf(one) !== undefined)
  if (/^[+-]$/.test(step) && isPlain) return largest(operands)
  const [, second] = operandNodes
  if (step === '^' || step === 'power')
    return quotient([(operands[0] ?? 1) * Math.max(1, Math.abs(numberOf(second) ?? 1))])
  if (step === 'round' || step === 'trunc')
    return (operands[0] ?? 1) + (second ? (numberOf(second) ?? DECIMALS_MAX) : 0)
  return node.kind === 'A_Expr'
    ? (OPERATORS.get(step) ?? largest)(operands)
    : (FUNCTIONS.get(step)?.(operands) ?? Number.POSITIVE_INFINITY)
}

/** The names that a union of queries goes by are those of its first. */
function namesOf(query: SyntaxNode | undefined): string[] {
  if (query === undefined) return []
  const first = nodeOf(query.fields.larg, 'larg')
  if (first) return namesOf(first)
  return nodesOf(query.fields.targetList)
    .flatMap(({ fields }) => {
      const [column] = nodesOf(nodeOf(fields.val)?.fields.fields).slice(-1)
      return fields.name ?? column?.fields.sval ?? []
    })
    .map(String)
}

function rules(list: [names: string, rule: Rule][]): ReadonlyMap<string, Rule> {
  return new Map(list.flatMap(([names, rule]) => names.split(/\s+/).map((name) => [name, rule] as const)))
}
