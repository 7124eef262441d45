/**
 * Bounds on the size of values in an analyst's statement. Arithmetic on numbers of 100,000 digits and building long texts are
 * single steps, which neither PostgreSQL's time-out nor termination of the session interrupts.
 */
import { constantOf, nodeOf, nodesOf, type SyntaxNode, textsOf } from './syntax-tree.ts'

/** Digits of a number written out in full: `1e300` has 301. */
const DIGITS_MAX = 400
export const WIDTH_MAX = 1_000
const EXPONENT_MAX = 100
/** The largest factorial in double precision. */
const FACTORIAL_MAX = 170
const EXP_MAX = 700
const SERIES_MAX = 1_000_000

const NUMBER = /^\s*[+-]?(?<digits>[\d_]*\.?[\d_]*)(?:e(?<exponent>[+-]?\d+))?\s*$/i
const OTHER_BASE = /^\s*[+-]?0[xob][\da-f_]+\s*$/i

/** Returns a phrase that follows "sql"; undefined if the value is small enough. */
export function nodeSizeRefusal(node: SyntaxNode): string | undefined {
  return RULES[node.kind]?.(node)
}

const LONG_OPERATORS = new Set(['*', '/', '%', '^'])
const LONG_FUNCTIONS = new Set(
  `div mod power sqrt exp ln log log10 gcd lcm width_bucket stddev stddev_pop stddev_samp var_pop var_samp variance`.split(
    ' ',
  ),
)

/** Whether the node may be a long-running step on numbers of many digits. */
export function isLongStep({ kind, fields }: SyntaxNode): boolean {
  if (kind === 'A_Expr') return LONG_OPERATORS.has(textsOf(fields.name).at(-1) ?? '')
  return kind === 'FuncCall' && LONG_FUNCTIONS.has(textsOf(fields.funcname).at(-1) ?? '')
}

const RULES: Record<string, (node: SyntaxNode) => string | undefined> = {
  A_Const: (node) => {
    const digits = digitsOf(numeralOf(node))
    return digits > DIGITS_MAX ? `holds a number of ${digits} digits; at most ${DIGITS_MAX} are allowed` : undefined
  },
  TypeName: ({ fields }) => {
    const [type = ''] = textsOf(fields.names).slice(-1)
    if (!['bpchar', 'varchar', 'numeric'].includes(type)) return undefined
    const wide = nodesOf(fields.typmods).some((size) => !isAtMost(size, WIDTH_MAX))
    return wide ? `casts to a width of more than ${WIDTH_MAX}` : undefined
  },
  A_Expr: ({ fields }) =>
    textsOf(fields.name).at(-1) === '^' ? refusalOfPower(nodeOf(fields.lexpr), nodeOf(fields.rexpr)) : undefined,
  FuncCall: ({ fields }) => CALLS[textsOf(fields.funcname).at(-1) ?? '']?.(nodesOf(fields.args)),
}

const CALLS: Record<string, (args: SyntaxNode[]) => string | undefined> = {
  power: ([base, exponent]) => refusalOfPower(base, exponent),
  factorial: ([n]) =>
    isAtMost(n, FACTORIAL_MAX) ? undefined : `calls factorial() with anything but a constant up to ${FACTORIAL_MAX}`,
  exp: ([x]) => (Math.abs(numberOf(x) ?? 0) > EXP_MAX ? `calls exp() with more than ${EXP_MAX}` : undefined),
  format: ([text]) => refusalOfFormat(constantOf(text)),
  generate_series([first, last, step]) {
    const [from, to, by] = [numberOf(first), numberOf(last), step === undefined ? 1 : numberOf(step)]
    if (from === undefined || to === undefined || by === undefined) return undefined
    return (to - from) / by >= SERIES_MAX ? `makes a series of more than ${SERIES_MAX} rows` : undefined
  },
}

function refusalOfFormat(text: number | string | undefined): string | undefined {
  if (typeof text !== 'string') return 'calls format() with a text that is no constant'
  const specifiers = text.match(/%[^sIL%]*/g) ?? []
  if (specifiers.some((one) => one.includes('*'))) return 'calls format() with a width that is no constant (*)'
  const widths = specifiers.flatMap((one) => one.match(/\d+/g) ?? []).map(Number)
  return widths.some((width) => width > WIDTH_MAX) ? `calls format() with a width of more than ${WIDTH_MAX}` : undefined
}

/** Powers in double precision have a fixed size, whatever the exponent. */
function refusalOfPower(base: SyntaxNode | undefined, exponent: SyntaxNode | undefined): string | undefined {
  if (isDouble(base) || isDouble(exponent) || isAtMost(exponent, EXPONENT_MAX)) return undefined
  return `raises to a power that is not a constant up to ${EXPONENT_MAX}; with a base cast to float8 any power is allowed`
}

export function isDouble(node: SyntaxNode | undefined): boolean {
  if (node?.kind !== 'TypeCast') return false
  const type = nodeOf(node.fields.typeName, 'typeName')
  return type?.fields.arrayBounds === undefined && textsOf(type?.fields.names).at(-1) === 'float8'
}

function isAtMost(node: SyntaxNode | undefined, most: number): boolean {
  return Math.abs(numberOf(node) ?? Number.NaN) <= most
}

/** Value of a constant, also cast or negated, and of arithmetic on constants. */
export function numberOf(node: SyntaxNode | undefined): number | undefined {
  const constant = constantOf(node)
  if (constant !== undefined) return Number(constant)
  if (node?.kind === 'TypeCast') return numberOf(nodeOf(node.fields.arg))
  if (node?.kind !== 'A_Expr') return undefined
  const right = numberOf(nodeOf(node.fields.rexpr))
  const left = node.fields.lexpr === undefined ? 0 : numberOf(nodeOf(node.fields.lexpr))
  if (left === undefined || right === undefined) return undefined
  return ARITHMETIC[textsOf(node.fields.name).at(-1) ?? '']?.(left, right)
}

const ARITHMETIC: Record<string, (left: number, right: number) => number> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
}

/** The numeral as written; empty for an integer, which has at most ten digits. */
export function numeralOf({ fields }: SyntaxNode): string {
  const { fval, sval } = fields as Record<string, Record<string, string> | undefined>
  return fval?.fval ?? sval?.sval ?? ''
}

/** Digits of a numeral or a numeric text, which PostgreSQL casts when it is combined with a number. 0 for other texts. */
function digitsOf(text: string): number {
  if (OTHER_BASE.test(text)) return text.trim().length
  const { digits = '', exponent = '0' } = NUMBER.exec(text)?.groups ?? {}
  return digits.length + Math.abs(Number(exponent))
}

/** Digits of the longest number in the text. */
export function digitsIn(text: string): number {
  const parts = text.match(/[\d._]+(?:e[+-]?\d+)?/gi) ?? []
  return Math.max(1, digitsOf(text), ...parts.map(digitsOf))
}
