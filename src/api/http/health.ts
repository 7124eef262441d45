/** `/healthz`: the process is alive; never uses the database. `/readyz`: it can serve requests; 503 while it cannot or is stopping. */
import type { Express } from 'express'
import { methodNotAllowed } from '../contract/errors.ts'
import type { HeaderList } from './headers.ts'
import { contextOf } from './request-context.ts'
import { send, textBody } from './send.ts'
import type { Health } from './service.ts'

export function addHealthRoutes(app: Express, health: Health, security: HeaderList): void {
  const headers = ['Content-Type', 'application/json; charset=utf-8', 'Cache-Control', 'no-store', ...security]
  app.get('/healthz', (_req, res) => send(res, 200, headers, textBody(JSON.stringify({ status: 'ok' }))))
  app.get('/readyz', async (_req, res) => {
    const state = await health.ready()
    // Expected, because the cause is logged where it occurs.
    if (!state.ready) contextOf(res).error = { code: 'internal_error', expected: true }
    send(res, state.ready ? 200 : 503, headers, textBody(JSON.stringify(state)))
  })
  app.all(['/healthz', '/readyz'], ({ method }) => {
    throw methodNotAllowed(method, ['GET', 'HEAD'])
  })
}
