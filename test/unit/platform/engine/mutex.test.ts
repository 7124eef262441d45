import { expect, test } from 'vitest'
import { Mutex } from '../../../../src/platform/engine/mutex.ts'

test('a mutex grants turns one at a time, in the order of requests', async () => {
  const turns = new Mutex()
  const log: string[] = []
  const take = async (name: string) => {
    const endTurn = await turns.acquire()
    log.push(`${name} begins`)
    await Promise.resolve()
    log.push(`${name} ends`)
    endTurn()
  }
  await Promise.all(['a', 'b', 'c'].map(take))
  expect(log).toEqual(['a', 'b', 'c'].flatMap((name) => [`${name} begins`, `${name} ends`]))
})
