/** Checks what a client sent against a schema and describes the first problem in words. */
import type * as z from 'zod'
import { invalidParameter } from '../contract/errors.ts'
import { excerpt } from './excerpt.ts'

type Issue = z.core.$ZodIssue

/** Returns the parsed value. Throws `invalid_parameter`; its `param` is the field's path (`portfolio.customers`), else `whole`. */
export function validate<Schema extends z.ZodType>(schema: Schema, input: unknown, whole: string): z.output<Schema> {
  const result = schema.safeParse(input)
  if (result.success) return result.data
  const [issue] = result.error.issues
  if (!issue) throw new Error('a failed check without an issue')
  throw invalidParameter(paramOf(issue, whole), problemOf(issue, valueAt(input, issue.path)))
}

function paramOf(issue: Issue, whole: string): string {
  const path = issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0] ?? ''] : issue.path
  return path.length === 0 ? whole : excerpt(path.join('.'))
}

/** `must be one of kwh, mwh; got "KWH"`. */
function problemOf(issue: Issue, value: unknown): string {
  if (issue.code === 'unrecognized_keys') return 'is not a known field'
  if (value === undefined) return 'is required'
  const length = lengthProblem(issue)
  if (length !== undefined) return length
  const values = allowedValues(issue)
  const expected = values ? `must be one of ${values.join(', ')}` : phrase(issue, value)
  return typeof value === 'string' ? `${expected}; got "${excerpt(value)}"` : expected
}

const LENGTH_UNITS: Record<string, string> = { string: 'characters', array: 'items' }

/** `must be at most 64 characters long`; undefined if the problem is not the length of a text or a list. */
function lengthProblem(issue: Issue): string | undefined {
  if ((issue.code !== 'too_small' && issue.code !== 'too_big') || issue.message.startsWith('must ')) return undefined
  const unit = LENGTH_UNITS[issue.origin]
  if (unit === undefined) return undefined
  if (issue.code === 'too_big') return `must be at most ${issue.maximum} ${unit} long`
  return issue.minimum === 1 ? 'must not be empty' : `must be at least ${issue.minimum} ${unit} long`
}

/** Allowed values of an enumeration, or of a body's discriminator. */
function allowedValues(issue: Issue): readonly unknown[] | undefined {
  if (issue.code === 'invalid_value') return issue.values
  return issue.code === 'invalid_union' && 'options' in issue ? issue.options : undefined
}

const KINDS: Record<string, string> = {
  number: 'a number',
  int: 'a whole number',
  string: 'a string',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
}

/** Messages written here are phrases that begin with a verb; those of zod describe its schemas. */
function phrase(issue: Issue, value: unknown): string {
  if (issue.code === 'custom' || issue.message.startsWith('must ')) return issue.message
  const expected = boundOf(issue) ?? (issue.code === 'invalid_type' ? kindOf(issue.expected, value) : undefined)
  return expected === undefined
    ? `is invalid: ${issue.message.charAt(0).toLowerCase()}${issue.message.slice(1)}`
    : `must be ${expected}`
}

/** `at most 120`; undefined if the problem is not the size of a number. */
function boundOf(issue: Issue): string | undefined {
  if (issue.code === 'too_small' && isOfNumber(issue.origin))
    return `${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}`
  if (issue.code === 'too_big' && isOfNumber(issue.origin))
    return `${issue.inclusive ? 'at most' : 'less than'} ${issue.maximum}`
  return undefined
}

function isOfNumber(origin: string): boolean {
  return origin === 'number' || origin === 'int'
}

/** JSON reads 1e999 as Infinity. */
function kindOf(expected: string, value: unknown): string | undefined {
  return value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY ? 'a finite number' : KINDS[expected]
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    input,
  )
}
