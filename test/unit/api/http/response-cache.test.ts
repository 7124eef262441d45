import { describe, expect, it } from 'vitest'
import { ResponseCache } from '../../../../src/api/http/response-cache.ts'
import { StoredAnswer } from '../../../../src/api/http/stored-answer.ts'

const HEADERS = { contentType: 'application/json', always: [], withBody: [] }
const answer = (body: string) => new StoredAnswer(body, HEADERS)

describe('ResponseCache', () => {
  it('computes a response once for concurrent requests', async () => {
    const cache = new ResponseCache({ nowMs: () => 0 })
    const started = Promise.withResolvers<StoredAnswer>()
    let computations = 0
    const make = () => {
      computations++
      return started.promise
    }
    const rush = Array.from({ length: 20 }, () => cache.getOrMake('k', 60, make))
    started.resolve(answer('x'))
    expect(new Set(await Promise.all(rush)).size).toBe(1)
    expect(computations).toBe(1)
  })

  it('drops a response when it expires', async () => {
    let nowMs = 1000
    const cache = new ResponseCache({ nowMs: () => nowMs })
    const first = await cache.getOrMake('k', 60, async () => answer('first'))
    nowMs += 59_999
    expect(cache.get('k')).toBe(first)
    nowMs += 2
    expect(cache.get('k')).toBeUndefined()
  })

  it('does not store failures, and fails all waiting requests', async () => {
    const cache = new ResponseCache({ nowMs: () => 0 })
    const fail = async (): Promise<StoredAnswer> => {
      throw new Error('no')
    }
    const both = await Promise.allSettled([cache.getOrMake('k', 60, fail), cache.getOrMake('k', 60, fail)])
    expect(both.map((one) => one.status)).toEqual(['rejected', 'rejected'])
    expect((await cache.getOrMake('k', 60, async () => answer('now'))).identity.body.content).toBe('now')
  })

  it('stays within its size limit by evicting the least recently used responses', async () => {
    const cache = new ResponseCache({ nowMs: () => 0, bytesMax: 30_000 })
    for (let i = 0; i < 20; i++) await cache.getOrMake(`k${i}`, 60, async () => answer('x'.repeat(2000)))
    const kept = Array.from({ length: 20 }, (_, i) => i).filter((i) => cache.get(`k${i}`) !== undefined)
    expect(kept).toEqual([16, 17, 18, 19]) // each may later need space for its body, the same again compressed, and headers
  })
})
