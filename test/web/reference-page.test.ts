/** The API reference: every operation as in the OpenAPI document and the clients, with working code. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { endpoints } from '../../src/api/endpoints/index.ts'
import { errorCodes } from '../../src/api/http/openapi-responses.ts'
import { OPERATIONS } from '../../src/clients/typescript/src/api.generated.ts'
import { referenceTagPaths } from '../../src/web/pages/reference.ts'
import { curlCalls } from '../support/curl.ts'
import { getPage, sliceBetween, textOf } from '../support/pages.ts'
import { serviceOfFile } from '../support/service.ts'
import { SITE_NOW, seedSite } from '../support/site.ts'

const PYTHON = readFileSync(new URL('../../src/clients/python/energy_prices/_generated.py', import.meta.url), 'utf8')

const service = await serviceOfFile({ now: SITE_NOW.toString() })
await seedSite(service)
const { key } = await service.issueKey('Enterprise')
const html = (await Promise.all(referenceTagPaths.map((path) => getPage(service.baseUrl, path))))
  .map((one) => one.html)
  .join('')

const plain = (text: string) =>
  text.replace(
    /&(lt|gt|quot|#39|amp);/g,
    (_, name) => ({ lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' })[name as 'lt'],
  )

/** The code of an operation in a language. */
function codeOf(section: string, language: string): string {
  return plain(/<code>([\s\S]*?)<\/code>/.exec(sliceBetween(section, `<div class="${language}">`, '</div>'))?.[1] ?? '')
}

/** Without a database server for analysts, `/sql` is not available. */
const live = endpoints.filter(({ path }) => path !== '/sql')

describe.each(live.map((endpoint) => [endpoint.id, endpoint] as const))('%s', (id, endpoint) => {
  const section = () => sliceBetween(html, `<section class="operation" aria-labelledby="${id}">`, '</section>')

  it('is documented once, with its plan and every error code', () => {
    expect(html.split(`<h2 id="${id}">`)).toHaveLength(2)
    expect(section()).toContain(`/plans#${endpoint.plan.toLowerCase()}`)
    for (const code of errorCodes(endpoint)) expect(section()).toContain(`/docs/errors#${code}`)
    expect(textOf(section())).not.toMatch(/undefined|\[object/)
  })

  it('has examples that call existing client methods', () => {
    const [, python = ''] = /client\.(\w+)\(/.exec(codeOf(section(), 'Python')) ?? []
    const [, typescript = ''] = /client\.(\w+)\(/.exec(codeOf(section(), 'TypeScript')) ?? []
    if (endpoint.stream) return expect([python, typescript]).toEqual(['stream', 'stream'])
    expect(PYTHON).toContain(`    def ${python}(self`)
    expect(OPERATIONS).toHaveProperty(typescript)
  })

  it.skipIf(endpoint.stream)('accepts the parameters and the body of its example', async () => {
    const code = codeOf(section(), 'curl').replace('<API_KEY>', key)
    const [call] = curlCalls(`\`\`\`sh\n${code.replace(/\n(?! {2}-)/g, ' ')}\n\`\`\``)
    if (call === undefined) throw new Error('no call')
    const { method, body, headers } = call.init
    const answer = await service.ask(call.url.slice(service.baseUrl.length), { method, headers, ...(body && { body }) })
    // There are no prices for these days.
    if (id === 'postTradingBacktest') return expect(answer.text).toContain('in which PUN has prices')
    expect([200, 201, 202, 204, 404, 409, 503], answer.text).toContain(answer.status)
  })
})
