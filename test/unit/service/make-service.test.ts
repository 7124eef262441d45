import { expect, it } from 'vitest'
import { readConfig } from '../../../src/service/config/config.ts'
import type { Context } from '../../../src/service/context.ts'
import { makeService } from '../../../src/service/make-service.ts'

it('COMING_ENDPOINTS must name existing endpoints', () => {
  const ctx = { config: readConfig({ COMING_ENDPOINTS: '/ttf/today, /co2/now' }) } as Context
  expect(() => makeService(ctx, { baseUrl: new URL('http://127.0.0.1'), health: { stopping: false } })).toThrow(
    'COMING_ENDPOINTS: "/co2/now" is no endpoint\'s path such as /ttf/today',
  )
})
