/** The JSON body of every error. Spec: "Errors". */
import * as z from 'zod'
import type { ApiError } from './errors.ts'
import { ERROR_CODES } from './errors.ts'
import * as field from './fields.ts'
import { PLAN_NAMES } from './plans.ts'

const code = z.enum(ERROR_CODES).meta({ description: 'Machine code.', example: 'invalid_parameter' })
const details = {
  required_tier: z.enum(PLAN_NAMES).optional().meta({ description: 'Needed plan, on `tier_required`.' }),
  param: field.text.optional('Offending parameter, on `invalid_parameter`.', 'from'),
}

export const errorBody = z
  .strictObject({
    error: code,
    message: field.text('Human-readable text.', 'from must not be empty.'),
    ...details,
    docs: field.text.optional('Link to the paragraph about this error.'),
  })
  .meta({ id: 'Error', description: 'What went wrong, for a program and for a person.' })

type ErrorBody = z.infer<typeof errorBody>

export const PROBLEM_TYPE = 'application/problem+json'

/** The same error as problem details (RFC 9457), for clients that accept that media type. */
export const problemBody = z
  .strictObject({
    type: field.url(
      'Address of the paragraph about this error.',
      'https://energy.example/docs/errors#invalid_parameter',
    ),
    title: field.text('The kind of error.', 'Invalid parameter'),
    status: field.integer('HTTP status.', 400),
    detail: field.text('What went wrong this time.', 'from must not be empty.'),
    error: code,
    ...details,
  })
  .meta({ id: 'Problem', description: 'An error as RFC 9457 has it.' })

type ProblemBody = z.infer<typeof problemBody>

export function toProblemBody(err: ApiError, baseUrl: URL): ProblemBody {
  const { error, message: detail, docs, ...rest } = toErrorBody(err, baseUrl)
  const words = error.replaceAll('_', ' ')
  const title = words.charAt(0).toUpperCase() + words.slice(1)
  return { type: docs as string, title, status: err.status, detail, error, ...rest }
}

/** Fields without a value are left out, never null. */
export function toErrorBody(err: ApiError, baseUrl: URL): ErrorBody {
  return {
    error: err.code,
    message: err.message,
    required_tier: err.requiredTier,
    param: err.param,
    docs: new URL(`/docs/errors#${err.code}`, baseUrl).href,
  }
}
