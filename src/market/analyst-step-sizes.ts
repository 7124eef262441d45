/**
 * Upper bounds of one operator, function or cast, from those of its operands: digits and bytes of its value, and work that the size does
 * not reflect. A function without a rule is assumed to return text of unlimited length.
 */
import { isDouble, isLongStep, numberOf, WIDTH_MAX } from './analyst-bounds.ts'
import { ANALYTICS_FUNCTIONS } from './analyst-names.ts'
import { constantOf, nodeOf, nodesOf, type SyntaxNode, textsOf } from './syntax-tree.ts'

/** Cost limit of a row: roughly nanoseconds without a check for interrupts. */
export const COST_MAX = 600_000_000
/** A regular expression with counted repetitions takes up to 160 MB to compile. */
const COUNTED_REGEX_COST = COST_MAX / 4
const REPETITIONS_MAX = 1_000

/** Limits of `sql/objects/bounded_aggregates.sql`. */
const AGGREGATE_BYTES = 100_000
/** Digits of prices, volumes and counts. */
export const COLUMN_DIGITS = 20
/** Bytes of names and addresses in the views. */
export const COLUMN_BYTES = 200
/** An instant or an interval as text. */
export const SMALL_BYTES = 100
/** Digits of a quotient beyond those of its operands. */
const QUOTIENT_DIGITS = 20
/** 1.8e308 written out in full, plus decimals. */
export const DOUBLE_DIGITS = 330
const EXP_DIGITS = 4_700
const DECIMALS_MAX = 2_000
/** PostgreSQL's longest number. */
export const NUMERIC_DIGITS = 150_000
export const LONGEST_NUMBER = NUMERIC_DIGITS + COLUMN_DIGITS
/** Memory overhead of a list or a document, in addition to its values. */
export const LIST_BYTES = 64
/** Growth factors of a list as text, and of JSON with every character escaped. */
const QUOTED_GROWTH = 4
const ESCAPED_GROWTH = 8
/** Growth factor of a list of many short parts in memory. */
const SPLIT_GROWTH = 40

export interface Size {
  /** Digits of the number that the value is, contains, or is cast to: unlimited for computed text, never for a number or JSON. */
  digits: number
  bytes: number
}

/** Digits and bytes of each operand. */
interface Operands {
  digits: readonly number[]
  bytes: readonly number[]
}

type Rule = (operands: readonly number[]) => number

export const largest: Rule = (operands) => Math.max(1, ...operands)
export const sum: Rule = (operands) => operands.reduce((a, b) => a + b, 0)
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

/** Functions that return a number or one of their operands. All others return texts and lists, which may contain a number of any size. */
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
  [[...ANALYTICS_FUNCTIONS].join(' '), always(DOUBLE_DIGITS)],
])

/** Result sizes of functions that return no number. */
const BYTES_OF_FUNCTION = rules([
  [
    `array_remove btrim first_value json_array_elements jsonb_array_elements lag last_value lead left ltrim max min mode nth_value
     regexp_substr reverse right rtrim split_part substr substring unnest`,
    largest,
  ],
  ['array_append array_cat array_prepend overlay', (operands) => sum(operands) + LIST_BYTES],
  ['concat initcap like_escape lower similar_to_escape upper', times(QUOTED_GROWTH)],
  ['concat_ws', (operands) => operands.length * (QUOTED_GROWTH * sum(operands) + LIST_BYTES)],
  ['translate', ([text = 0]) => QUOTED_GROWTH * text],
  ['regexp_match regexp_matches', ([text = 0, pattern = 0]) => SPLIT_GROWTH * text * (pattern + 1)],
  ['regexp_replace', ([text = 0, , by = 0]) => (text + 1) * (by + 1)],
  ['replace array_replace', ([text = 0, , by = 0]) => text * (by + 1)],
  ['array_to_string', ([list = 0, ...marks]) => QUOTED_GROWTH * list * (sum(marks) + 1)],
  ['regexp_split_to_array string_to_array', ([text = 0]) => SPLIT_GROWTH * text],
  ['array_positions', times(8)],
  ['percentile_cont percentile_disc', product],
  ['chr', always(4)],
  ['md5', always(32)],
  ['to_char', ([value = 0, format = 0]) => value + 100 * format],
  ['string_agg', always(AGGREGATE_BYTES)],
  [
    'json_build_array json_build_object jsonb_build_array jsonb_build_object row_to_json to_json to_jsonb',
    times(ESCAPED_GROWTH),
  ],
  [
    `age bool_and bool_or clock_timestamp date_bin date_trunc every isfinite justify_days justify_hours justify_interval make_date
     make_interval make_time make_timestamp make_timestamptz now overlaps regexp_like starts_with statement_timestamp timezone to_date
     to_timestamp transaction_timestamp`,
    always(SMALL_BYTES),
  ],
  [[...ANALYTICS_FUNCTIONS].join(' '), always(COLUMN_BYTES)],
])

/** Work that the size of the value does not reflect: every character is compared with every other. */
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
/** Functions whose digits depend on their second operand. */
const NUMBER_FUNCTIONS = new Set(['power', 'round', 'trunc'])
const NUMBER_OPERATORS = new Set('+ - * / % ^'.split(' '))

const REGEX_FUNCTION = /^(?:regexp_\w+|substring|similar_to_escape)$/
const REGEX_OPERATOR = /^!?~\*?$/

const SHORT_TYPES = new Set(
  'bool date float4 float8 int2 int4 int8 interval time timestamp timestamptz timetz uuid'.split(' '),
)

/** Casts to these types keep the value; a list grows by its quotation marks. */
const TEXT_TYPES = new Set('text varchar bpchar'.split(' '))

/** `nodes`: the syntax nodes of the operands. */
export function sizeOfStep(
  node: SyntaxNode,
  step: string,
  nodes: readonly SyntaxNode[],
  operands: Operands,
): Size & { work: number } {
  const digits = nodes.some(isDouble) ? DOUBLE_DIGITS : capDigits(digitsOfStep(node, step, nodes, operands.digits))
  const bytes =
    node.kind === 'FuncCall'
      ? bytesOfCall(step, digits, nodes, operands)
      : bytesOfOperator(step, digits, operands.bytes)
  return { digits, bytes, work: workOfStep(node, step, nodes, operands) }
}

export function sizeOfCast({ fields }: SyntaxNode, { digits, bytes }: Size): Size {
  const type = nodeOf(fields.typeName, 'typeName')?.fields
  const [name = ''] = textsOf(type?.names).slice(-1)
  const [precision] = nodesOf(type?.typmods)
  const width = numberOf(precision)
  if (type?.arrayBounds === undefined) {
    if (SHORT_TYPES.has(name)) return { digits: DOUBLE_DIGITS, bytes: SMALL_BYTES }
    if (TEXT_TYPES.has(name))
      return { digits, bytes: (nodeOf(fields.arg)?.kind === 'A_Const' ? 1 : QUOTED_GROWTH) * bytes + (width ?? 0) }
    if (name === 'json') return { digits: NUMERIC_DIGITS, bytes }
    if (name === 'numeric') {
      const most = Math.min(digits, NUMERIC_DIGITS)
      return { digits: Math.min(most, width ?? most), bytes: most + COLUMN_DIGITS }
    }
  }
  const growth = SHORT_TYPES.has(name) || TEXT_TYPES.has(name) ? SPLIT_GROWTH : Math.max(SPLIT_GROWTH, digits)
  return { digits: name.startsWith('json') ? NUMERIC_DIGITS : digits, bytes: growth * Math.max(1, width ?? 1) * bytes }
}

/** PostgreSQL rejects longer numbers. */
function capDigits(digits: number): number {
  return Number.isFinite(digits) ? Math.min(digits, NUMERIC_DIGITS) : digits
}

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
    return text + places * (WIDTH_MAX + QUOTED_GROWTH * largest(values))
  }
  const known = BYTES_OF_FUNCTION.get(step)
  if (known) return known(bytes)
  return DIGITS_OF_FUNCTION.has(step) || NUMBER_FUNCTIONS.has(step) ? bytesOfNumber(digits) : Number.POSITIVE_INFINITY
}

/** A long number with many zeros takes 8 bytes in a list but all its digits as text. A text takes about the same in both. */
function bytesOfList(digits: number, bytes: number): number {
  const perByte = digits === Number.POSITIVE_INFINITY ? QUOTED_GROWTH : Math.min(digits / 8, bytes / 20)
  return AGGREGATE_BYTES * Math.max(QUOTED_GROWTH, perByte)
}

function workOfStep(node: SyntaxNode, step: string, nodes: readonly SyntaxNode[], { digits, bytes }: Operands): number {
  const work = isRegex(node, step) ? workOfRegex(nodes[1], digits[1]) : 0
  if (isLongStep(node)) return work + eachWithEach(digits.toSorted((a, b) => b - a)) / 8
  if (node.kind === 'FuncCall') return work + (WORK_OF_FUNCTION.get(step)?.(bytes) ?? 0)
  // `-` with a text operand removes keys from JSON, which is not linear.
  const isLinear = LINEAR_OPERATORS.has(step) || (step === '-' && digits[1] !== Number.POSITIVE_INFINITY)
  return work + (isLinear ? 0 : eachWithEach(bytes))
}

function isRegex({ kind }: SyntaxNode, step: string): boolean {
  return (kind === 'FuncCall' ? REGEX_FUNCTION : REGEX_OPERATOR).test(step)
}

/** Cost of compiling the pattern. Nested repetitions multiply. */
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
