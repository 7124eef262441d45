/** `/healthz`: the process answers; it never touches the database. `/readyz`: it can serve; 503 while it cannot, or is stopping. */
import { Router } from 'express'
import type { HeaderList } from './headers.ts'
import { send } from './send.ts'
import type { Health } from './service.ts'

export function healthRoutes(health: Health, security: HeaderList): Router {
  const headers = ['Content-Type', 'application/json; charset=utf-8', 'Cache-Control', 'no-store', ...security]
  const router = Router({ caseSensitive: true })
  router.get('/healthz', (_req, res) => send(res, 200, headers, json({ status: 'ok' })))
  router.get('/readyz', async (_req, res) => {
    const state = await health.ready()
    send(res, state.ready ? 200 : 503, headers, json(state))
  })
  return router
}

function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value))
}
