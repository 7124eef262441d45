import type { Redis } from 'ioredis'
import type { Counter } from './rate-limiter.ts'

/** A window is a hash that expires with it; the instant at which it was opened names it. */
const CONSUME = `
local window, used = unpack(redis.call('hmget', KEYS[1], 'window', 'used'))
if not window then
  window, used = table.concat(redis.call('time'), '.'), 0
  redis.call('hset', KEYS[1], 'window', window, 'used', 0)
  redis.call('pexpire', KEYS[1], ARGV[2])
end
local admitted = tonumber(used) < tonumber(ARGV[1])
if admitted then used = redis.call('hincrby', KEYS[1], 'used', 1) end
return { admitted and 1 or 0, tonumber(used), redis.call('pttl', KEYS[1]), window, tonumber(redis.call('get', KEYS[2]) or 0) }`
const REFUND = `
local window, used = unpack(redis.call('hmget', KEYS[1], 'window', 'used'))
if window == ARGV[1] and tonumber(used) > 0 then redis.call('hincrby', KEYS[1], 'used', -1) end`
const PEEK = `
local used = redis.call('hget', KEYS[1], 'used')
return used and { tonumber(used), redis.call('pttl', KEYS[1]) }`

/** The newest data version that a process has answered from. It expires: by then each has read it in the database. */
const VERSION_KEY = 'energy-prices:data-version'
const VERSION_MS = 60_000
const TELL_VERSION = `
if tonumber(ARGV[1]) > tonumber(redis.call('get', KEYS[1]) or 0) then redis.call('set', KEYS[1], ARGV[1], 'px', ARGV[2]) end`

export async function tellVersion(redis: Redis, version: number): Promise<void> {
  await redis.eval(TELL_VERSION, 1, VERSION_KEY, version, VERSION_MS)
}

/** `advance` gets the data version that came with a count. */
export function redisCounter(redis: Redis, windowSeconds: number, advance: (version: number) => void): Counter {
  const keyOf = (client: string) => `energy-prices:${windowSeconds}s:${client}`
  return {
    async consume(client, limit) {
      const answer = await redis.eval(CONSUME, 2, keyOf(client), VERSION_KEY, limit, windowSeconds * 1000)
      const [admitted, used, msLeft, window, version] = answer as [0 | 1, number, number, string, number]
      advance(version)
      return { admitted: admitted === 1, used, msLeft, window }
    },
    async refund(client, window) {
      await redis.eval(REFUND, 1, keyOf(client), window)
    },
    async peek(client) {
      const answer = (await redis.eval(PEEK, 1, keyOf(client))) as [number, number] | null
      return answer === null ? undefined : { used: answer[0], msLeft: answer[1] }
    },
  }
}
