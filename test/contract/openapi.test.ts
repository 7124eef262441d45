import { readFileSync } from 'node:fs'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { describe, expect, it } from 'vitest'
import { endpoints } from '../../src/endpoints/index.ts'
import type { Endpoint } from '../../src/http/endpoint.ts'
import { committedOpenapi, OPENAPI_FILE } from '../../src/web/openapi-file.ts'
import { OpenapiValidator } from '../support/openapi-validator.ts'

const document = JSON.parse(committedOpenapi())

/** No key is needed where the minimum plan is Open, but one is welcome; the query parameter is for CSV. Spec: "Authentication". */
function securityOf({ plan, formats }: Endpoint): object[] {
  return [...(plan === 'Open' ? [{}] : []), { key: [] }, ...(formats.includes('csv') ? [{ csvKey: [] }] : [])]
}

/** The part of the document as text, with the components it refers to, each once. */
function withComponents(part: unknown, seen = new Set<string>()): string {
  const text = JSON.stringify(part)
  const names = [...text.matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name]) => name as string)
  const added = names.filter((name) => !seen.has(name) && seen.add(name))
  return [text, ...added.map((name) => withComponents(document.components.schemas[name], seen))].join('\n')
}

describe('the OpenAPI document', () => {
  it('passes a public linter without an error', async () => {
    const config = await createConfig({ extends: ['recommended'] })
    const problems = await lintFromString({ source: committedOpenapi(), absoluteRef: 'openapi.json', config })
    const errors = problems.filter((problem) => problem.severity === 'error')
    expect(errors.map((problem) => `${problem.ruleId}: ${problem.message}`)).toEqual([])
  })

  it('is the one kept in the project; `npm run openapi` writes it', () => {
    const kept = JSON.stringify(JSON.parse(readFileSync(OPENAPI_FILE, 'utf8')))
    expect(kept === JSON.stringify(document), 'src/web/openapi.json is stale').toBe(true)
  })

  it('is version 1.0.0 of an OpenAPI 3.1 description', () => {
    expect(document).toMatchObject({ openapi: '3.1.0', info: { version: '1.0.0' } })
    expect(document.info.description).toContain('not financial advice')
  })

  it.each(endpoints.map((endpoint) => [endpoint.id, endpoint] as const))('describes %s fully', (_id, endpoint) => {
    const operation = document.paths[endpoint.path][endpoint.method]
    expect(operation).toMatchObject({
      operationId: endpoint.id,
      'x-min-plan': endpoint.plan,
      'x-status': endpoint.status,
      security: securityOf(endpoint),
    })
    expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['200', '304', '400', '500', '503']))
    expect(operation.responses['200'].headers).toHaveProperty('X-Request-Id')
    for (const { name, description, schema } of operation.parameters ?? []) {
      expect(description ?? schema.description, `description of ${name}`).toBeTruthy()
    }
  })

  it.each(endpoints.map((endpoint) => [endpoint.id, endpoint] as const))(
    'shows an example of %s that fits',
    (_id, endpoint) => {
      endpoint.reply.parse(endpoint.example)
      const content = document.paths[endpoint.path][endpoint.method].responses['200'].content
      const validator = new OpenapiValidator(document)
      for (const [contentType, { example }] of Object.entries<{ example: unknown }>(content)) {
        const body = typeof example === 'string' ? example : JSON.stringify(example)
        validator.check({
          method: endpoint.method,
          url: endpoint.path.replace(/\{\w+\}/, 'pun'),
          status: 200,
          contentType,
          body,
        })
      }
    },
  )

  it('does not forbid fields that answers may gain; those of requests it does', () => {
    const paths = Object.values<Record<string, { responses: unknown; requestBody?: unknown }>>(document.paths)
    const operations = paths.flatMap((path) => Object.values(path))
    const forbids = '"additionalProperties":false'
    expect(withComponents(operations.map(({ responses }) => responses))).not.toContain(forbids)
    for (const { requestBody } of operations) if (requestBody) expect(withComponents(requestBody)).toContain(forbids)
  })
})
