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
return { admitted and 1 or 0, tonumber(used), redis.call('pttl', KEYS[1]), window }`
const REFUND = `
local window, used = unpack(redis.call('hmget', KEYS[1], 'window', 'used'))
if window == ARGV[1] and tonumber(used) > 0 then redis.call('hincrby', KEYS[1], 'used', -1) end`
const PEEK = `
local used = redis.call('hget', KEYS[1], 'used')
return used and { tonumber(used), redis.call('pttl', KEYS[1]) }`

export function redisCounter(redis: Redis, windowSeconds: number): Counter {
  const keyOf = (client: string) => `energy-prices:${windowSeconds}s:${client}`
  return {
    async consume(client, limit) {
      const answer = await redis.eval(CONSUME, 1, keyOf(client), limit, windowSeconds * 1000)
      const [admitted, used, msLeft, window] = answer as [0 | 1, number, number, string]
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
