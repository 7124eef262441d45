import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { marketDay } from '../../../../src/api/contract/parameters.ts'
import { validate } from '../../../../src/api/http/validate.ts'

const schema = z.strictObject({
  unit: z.enum(['kwh', 'mwh']).optional(),
  day: marketDay.optional(),
  portfolio: z.strictObject({ customers: z.int().positive().max(1_000_000) }).optional(),
  price: z.number().optional(),
  zones: z.array(z.string()).min(1).max(2).optional(),
  sql: z.string().min(1).max(5).optional(),
  name: z.string().min(2).optional(),
})

describe('validate', () => {
  it('parses calendar dates', () => {
    expect(validate(schema, { day: '2026-03-29' }, 'body').day?.toString()).toBe('2026-03-29')
  })

  it.each([
    [{ unit: 'KWH' }, 'unit', 'unit must be one of kwh, mwh; got "KWH".'],
    [{ day: '2026-02-30' }, 'day', 'day must be a calendar date, YYYY-MM-DD; got "2026-02-30".'],
    [{ day: '1492-10-12' }, 'day', 'day must be between 1900-01-01 and 2100-12-31; got "1492-10-12".'],
    [{ unknown: 1 }, 'unknown', 'unknown is not a known field.'],
    [{ portfolio: { customers: 1, extra: 1 } }, 'portfolio.extra', 'portfolio.extra is not a known field.'],
    [{ portfolio: {} }, 'portfolio.customers', 'portfolio.customers is required.'],
    [{ portfolio: { customers: 0 } }, 'portfolio.customers', 'portfolio.customers must be more than 0.'],
    [{ portfolio: { customers: 1e7 } }, 'portfolio.customers', 'portfolio.customers must be at most 1000000.'],
    [{ portfolio: { customers: 1.5 } }, 'portfolio.customers', 'portfolio.customers must be a whole number.'],
    [{ portfolio: { customers: '12' } }, 'portfolio.customers', 'portfolio.customers must be a number; got "12".'],
    [{ portfolio: [] }, 'portfolio', 'portfolio must be an object.'],
    [{ price: null }, 'price', 'price must be a number.'],
    [{ price: Number('1e999') }, 'price', 'price must be a finite number.'],
    [{ zones: [] }, 'zones', 'zones must not be empty.'],
    [{ zones: ['a', 'b', 'c'] }, 'zones', 'zones must be at most 2 items long.'],
    [{ sql: '' }, 'sql', 'sql must not be empty.'],
    [{ sql: 'select' }, 'sql', 'sql must be at most 5 characters long.'],
    [{ name: 'a' }, 'name', 'name must be at least 2 characters long.'],
    ['text', 'body', 'body must be an object; got "text".'],
  ])('names the parameter and the rule for %j', (input, param, message) => {
    const refusal = expect.objectContaining({ code: 'invalid_parameter', param, message })
    expect(() => validate(schema, input, 'body')).toThrow(refusal)
  })

  it('quotes only a short excerpt of the input', () => {
    const unit = `\u0000\u202E${'x'.repeat(5000)}`
    expect(() => validate(schema, { unit }, 'body')).toThrow(/^\P{C}{1,119}$/u)
  })
})
