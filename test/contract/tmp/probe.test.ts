import { it } from 'vitest'
import { zoneDay } from '../../support/prices.ts'
import { startTestService } from '../../support/service.ts'
it('probe', async () => {
  const service = await startTestService({ now: '2026-11-21T10:00:00Z' })
  await service.seed([zoneDay('nazionale', '2026-11-21', 60, () => 100)])
  const { key } = await service.issueKey('API')
  const a = await service.ask('/v1/pun/zones', { headers: { authorization: `Bearer ${key}` } })
  console.log(a.status, a.text, service.logText())
  await service.stop()
})
