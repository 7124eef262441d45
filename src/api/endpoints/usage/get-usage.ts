import { toRomeIso } from '../../../market/market-day.ts'
import { quotaPeriod } from '../../../market/quota-period.ts'
import { type Usage, usage } from '../../contract/usage.ts'
import { keyOf } from '../../http/caller.ts'
import { endpoint } from '../../http/endpoint.ts'

/** Usage of the caller's key this month. Decisions: "Limits". */
export const getUsage = endpoint({
  id: 'getUsage',
  method: 'get',
  path: '/usage',
  tag: 'Plans and status',
  summary: 'Get the usage of your key',
  description:
    'Returns the plan and limits of the key, and how much of its monthly quota is used. Every answered request' +
    ' counts, except 304, 401, 429 and 5xx.',
  plan: 'Developer',
  cache: 'none',
  evenOverQuota: true,
  reply: usage,
  example: presentUsage(
    { plan: 'API', requestsPerMinute: 600, requestsPerMonth: 100_000 },
    1240,
    Temporal.Instant.from('2026-11-21T10:00:00Z'),
  ),
  async handle({ caller, service, now }) {
    const used = await service.access.quotas.used(keyOf(caller).root, quotaPeriod(now).month)
    return presentUsage(caller, used - (caller.isCounted ? 1 : 0), now)
  },
})

interface Limits {
  plan: Usage['plan']
  requestsPerMinute: number
  requestsPerMonth: number | undefined
}

function presentUsage(
  { plan, requestsPerMinute, requestsPerMonth }: Limits,
  used: number,
  now: Temporal.Instant,
): Usage {
  const { startsAt, endsAt } = quotaPeriod(now)
  const hasQuota = requestsPerMonth !== undefined
  return {
    plan,
    limits: { requests_per_minute: requestsPerMinute, ...(hasQuota && { requests_per_month: requestsPerMonth }) },
    period: { from: toRomeIso(startsAt), to: toRomeIso(endsAt) },
    used,
    ...(hasQuota && { left: Math.max(0, requestsPerMonth - used) }),
  }
}
