import { PgBoss } from 'pg-boss'
import { expect, test } from 'vitest'
import { connectionStringFor } from '../../../src/platform/engine/engine.ts'
import { startEngineFixture } from './engine-fixture.ts'

test('pg-boss sends, processes and completes a job and stops over the connection string', async () => {
  const fixture = await startEngineFixture()
  const boss = new PgBoss({ connectionString: connectionStringFor(fixture.engine.address), max: 4 })
  const errors: unknown[] = []
  boss.on('error', (error) => errors.push(error))
  await boss.start()
  await boss.createQueue('refresh')

  const worked = Promise.withResolvers<unknown>()
  await boss.work('refresh', { pollingIntervalSeconds: 0.5 }, async ([job]) => {
    worked.resolve(job?.data)
    return { days: 1 }
  })
  const id = await boss.send('refresh', { day: '2026-10-25' })
  expect(await worked.promise).toEqual({ day: '2026-10-25' })
  await expect
    .poll(async () => (await boss.findJobs('refresh', { id: id as string }))[0])
    .toMatchObject({ state: 'completed', output: { days: 1 } })

  await boss.stop({ graceful: true, timeout: 5_000 })
  expect(errors).toEqual([])
  await fixture.stop()
})
