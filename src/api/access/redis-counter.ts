import type { Redis } from 'ioredis'
import type { BatchCounter } from './rate-limiter.ts'

/** A window is a hash that expires with it, named by the instant at which it was opened. Returns the data version and the counts. */
const CONSUME = `
local now = table.concat(redis.call('time'), '.')
local counted = {}
for i = 2, #KEYS do
  local window, used = unpack(redis.call('hmget', KEYS[i], 'window', 'used'))
  local left
  if window then
    left = redis.call('pttl', KEYS[i])
  else
    window, used, left = now, 0, ARGV[1]
    redis.call('hset', KEYS[i], 'window', window, 'used', 0)
    redis.call('pexpire', KEYS[i], left)
  end
  local admitted = tonumber(used) < tonumber(ARGV[i])
  if admitted then used = redis.call('hincrby', KEYS[i], 'used', 1) end
  table.insert(counted, { admitted and 1 or 0, tonumber(used), tonumber(left), window })
end
return { tonumber(redis.call('get', KEYS[1]) or 0), counted }`
const REFUND = `
local window, used = unpack(redis.call('hmget', KEYS[1], 'window', 'used'))
if window == ARGV[1] and tonumber(used) > 0 then redis.call('hincrby', KEYS[1], 'used', -1) end`
const PEEK = `
local used = redis.call('hget', KEYS[1], 'used')
return used and { tonumber(used), redis.call('pttl', KEYS[1]) }`

/** The newest data version that any process answers from. It may expire, since by then every process has read it from the database. */
const VERSION_KEY = 'energy-prices:data-version'
const VERSION_MS = 60_000
const SET_VERSION_IF_NEWER = `
if tonumber(ARGV[1]) > tonumber(redis.call('get', KEYS[1]) or 0) then redis.call('set', KEYS[1], ARGV[1], 'px', ARGV[2]) end`

export async function setVersionIfNewer(redis: Redis, version: number): Promise<void> {
  await redis.eval(SET_VERSION_IF_NEWER, 1, VERSION_KEY, version, VERSION_MS)
}

/** Calls `advance` with the data version that is returned with the counts. */
export function redisCounter(redis: Redis, windowSeconds: number, advance: (version: number) => void): BatchCounter {
  const keyOf = (client: string) => `energy-prices:${windowSeconds}s:${client}`
  return {
    async consumeAll(requests) {
      const keys = [VERSION_KEY, ...requests.map(({ client }) => keyOf(client))]
      const limits = requests.map(({ limit }) => limit)
      const answer = await redis.eval(CONSUME, keys.length, ...keys, windowSeconds * 1000, ...limits)
      const [version, counted] = answer as [number, [0 | 1, number, number, string][]]
      advance(version)
      return counted.map(([admitted, used, msLeft, window]) => ({ admitted: admitted === 1, used, msLeft, window }))
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
