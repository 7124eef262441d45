/** Moves repeated parts of the OpenAPI document to `components`. */
import type * as z from 'zod'
import type { createDocument } from 'zod-openapi'
import type { Endpoint } from './endpoint.ts'

type Document = ReturnType<typeof createDocument>
type Operation = NonNullable<NonNullable<Document['paths']>[string]['get']>
type Parameter = NonNullable<Operation['parameters']>[number]

/** Adds the default of case-insensitive parameters, which zod omits. */
export function addDefaults(document: Document, registry: readonly Endpoint[]): void {
  for (const { path, method, query } of registry) {
    for (const parameter of document.paths?.[path]?.[method]?.parameters ?? []) {
      if (!('name' in parameter) || typeof parameter.schema !== 'object') continue
      if (!('$ref' in parameter.schema)) continue
      const def = query.shape[parameter.name]?.def
      if (def?.type === 'default')
        Object.assign(parameter.schema, { default: (def as z.core.$ZodDefaultDef).defaultValue })
    }
  }
}

/** Gives each parameter the description of its schema, even if the schema is in the components, and removes it from an inline schema. */
export function describeParameters(document: Document): void {
  const schemas: Record<string, unknown> = document.components?.schemas ?? {}
  for (const parameter of operations(document).flatMap((operation) => operation.parameters ?? [])) {
    const schema = 'schema' in parameter ? parameter.schema : undefined
    if (typeof schema !== 'object') continue
    const named = schemas[schema.$ref?.split('/').at(-1) ?? ''] as { description?: string } | undefined
    parameter.description ??= named?.description ?? schema.description
    if (schema.description === parameter.description) delete schema.description
    // Parameters are parsed from text, so the examples of some are text.
    if ('type' in schema && (schema.type === 'integer' || schema.type === 'number')) {
      if (typeof schema.example === 'string') schema.example = Number(schema.example)
    }
  }
}

/**
 * Moves a parameter that several operations share into the components, as `zone` or, if that name is taken, as
 * `zone_getEvccFeed` after the first operation that uses it.
 */
export function shareParameters(document: Document): void {
  for (const operation of operations(document)) if (operation.parameters?.length === 0) delete operation.parameters
  const uses = operations(document).flatMap((operation) =>
    (operation.parameters ?? []).map((parameter, index) => ({ operation, index, parameter })),
  )
  const shared: Record<string, Parameter> = {}
  for (const group of Map.groupBy(uses, ({ parameter }) => JSON.stringify(parameter)).values()) {
    const [first] = group
    if (first === undefined || group.length === 1 || !('name' in first.parameter)) continue
    const { name } = first.parameter
    const id = name in shared ? `${name}_${first.operation.operationId}` : name
    shared[id] = first.parameter
    for (const { operation, index } of group) operation.parameters?.splice(index, 1, { $ref: reference(id) })
  }
  document.components = { ...document.components, parameters: shared as never }
}

/** Resolves a parameter that may be a reference to the components. */
export function resolveParameter<T extends object>(parameter: T | { $ref: string }, document: Document): T {
  if (!('$ref' in parameter)) return parameter
  const shared = Object.entries(document.components?.parameters ?? {})
  const found = shared.find(([id]) => reference(id) === parameter.$ref)
  if (found === undefined) throw new Error(`The OpenAPI document has no ${parameter.$ref}`)
  return found[1] as T
}

const reference = (id: string) => `#/components/parameters/${id}`

function operations({ paths, webhooks }: Document): Operation[] {
  return Object.values({ ...paths, ...webhooks }).flatMap(({ get, post, patch, delete: remove }) =>
    [get, post, patch, remove].filter((operation) => operation !== undefined),
  )
}
