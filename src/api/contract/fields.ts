/** Fields of answers and requests, each with its meaning and an example: `field.text('Name of the zone.', 'North')`. */
import * as z from 'zod'

const described =
  <Schema extends z.ZodType>(schema: Schema) =>
  (description: string, example?: z.output<Schema>): Schema =>
    schema.meta({ description, ...(example !== undefined && { example }) })

/** Adds the variants `optional` and `nullable` to a field. */
function field<Schema extends z.ZodType>(schema: Schema) {
  return Object.assign(described(schema), {
    optional: described(schema.optional()),
    nullable: described(schema.nullable()),
  })
}

export const text = field(z.string())
export const url = field(z.url())
/** A calendar date. */
export const day = field(z.iso.date())
export const instant = field(z.iso.datetime())
export const number = field(z.number())
/** A number that is not negative. */
export const size = field(z.number().nonnegative())
export const integer = field(z.int())
/** A whole number from 0. */
export const count = field(z.int().nonnegative())
/** A whole number from 1. */
export const positive = field(z.int().positive())
export const flag = field(z.boolean())
