/** Checks what a client sent against a schema and names the first thing that is wrong, in words. */
import type * as z from 'zod'
import { invalidParameter } from '../contract/errors.ts'
import { excerpt } from './excerpt.ts'

type Issue = z.core.$ZodIssue

/** The parsed value, or `invalid_parameter` whose `param` is the field's path (`portfolio.customers`), else `whole`. */
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
  const values = allowedValues(issue)
  const expected = values ? `must be one of ${values.join(', ')}` : phrase(issue)
  return typeof value === 'string' ? `${expected}; got "${excerpt(value)}"` : expected
}

/** Of an enumeration, or of the field that tells the kinds of a body apart. */
function allowedValues(issue: Issue): readonly unknown[] | undefined {
  if (issue.code === 'invalid_value') return issue.values
  return issue.code === 'invalid_union' && 'options' in issue ? issue.options : undefined
}

/** Our own messages are phrases already and begin with a verb; zod's begin with a capital. */
function phrase(issue: Issue): string {
  if (issue.code === 'custom' || issue.message.startsWith('must ')) return issue.message
  return `is invalid: ${issue.message.charAt(0).toLowerCase()}${issue.message.slice(1)}`
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    input,
  )
}
