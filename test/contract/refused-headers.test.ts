/** Request headers that state an origin or a precondition. */
import { expect, it } from 'vitest'
import { serviceOfFile } from '../support/service.ts'

const service = await serviceOfFile({ now: '2026-11-21T12:00:00Z' })

const initialize = (origin: string | undefined) =>
  fetch(`${service.baseUrl}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(origin !== undefined && { origin }),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
    }),
  })

it('/mcp accepts requests without an origin, or from its own or a local origin', async () => {
  const { origin } = new URL(service.baseUrl)
  for (const one of [undefined, origin, 'http://localhost:5173', 'http://127.0.0.1:6274', 'http://[::1]:80'])
    expect((await initialize(one)).status).toBe(200)
})

it('/mcp returns 403 to requests from other origins', async () => {
  const port = new URL(service.baseUrl).port
  for (const one of [`http://rebound.example:${port}`, 'http://localhost.example', 'null', 'x']) {
    const answer = await initialize(one)
    expect(answer.status).toBe(403)
    expect(await answer.json()).toMatchObject({ error: 'invalid_parameter', param: 'Origin' })
  }
})

it.each(['/v1/plans', '/', '/llms.txt'])('If-Match at %s: 412 unless it matches the entity tag', async (path) => {
  const ask = (headers: Record<string, string>) =>
    fetch(service.baseUrl + path, { headers: { 'accept-encoding': 'identity', ...headers } })
  const { status, headers } = await ask({})
  expect(status).toBe(200)
  const etag = String(headers.get('etag'))
  const answers = [etag, `"other", ${etag}`, '*', '"other"', `W/${etag}`].map((tag) => ask({ 'if-match': tag }))
  expect((await Promise.all(answers)).map((answer) => answer.status)).toEqual([200, 200, 200, 412, 412])
})
