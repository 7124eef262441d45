/**
 * Every request under `/v1` passes here: who asks, within the limits of the minute and the month, and what it counts for. What a
 * client has left stands in the headers of every answer, refusals included. Decisions: "Limits".
 */
import type { Request, Response } from 'express'
import { ApiError, quotaExceeded, rateLimited } from '../contract/errors.ts'
import { RATE_HEADERS, RATE_LIMIT, RATE_LIMIT_POLICY } from '../contract/headers.ts'
import type { AccessControl } from '../limits/access-control.ts'
import { type MinuteWindow, WINDOW_SECONDS } from '../limits/minute-limiter.ts'
import { quotaPeriod } from '../limits/quota-ledger.ts'
import { anonymous, type Caller, identifyCaller } from './caller.ts'
import type { Endpoint } from './endpoint.ts'
import type { HeaderList } from './headers.ts'
import { contextOf } from './request-context.ts'
import type { Service } from './service.ts'

const [LIMIT, REMAINING, RESET, QUOTA_REMAINING] = RATE_HEADERS

export class Admission {
  readonly #access: AccessControl
  readonly #clock: Service['clock']

  constructor({ access, clock }: Pick<Service, 'access' | 'clock'>) {
    this.#access = access
    this.#clock = clock
  }

  /** The caller, counted. Throws 401 for a key that is not good, 429 beyond a limit. `endpoint`: undefined where the path is unknown. */
  async enter(req: Request, res: Response, endpoint: Endpoint | undefined): Promise<Caller> {
    const caller = await this.#identify(req, res, endpoint)
    await this.#takeMinute(res, caller)
    if (caller.key === undefined) await this.#takeDay(caller)
    else await this.#useQuota(res, caller, caller.key.id)
    contextOf(res).plan = caller.plan
    return caller
  }

  /** For OPTIONS: shows what is left without counting. */
  async look(req: Request, res: Response): Promise<void> {
    const caller = anonymous(req, this.#access)
    showWindow(res, await this.#access.minutes.look(caller.client, caller.requestsPerMinute))
  }

  /** A key that is not good counts against the address, so that keys cannot be tried out. */
  async #identify(req: Request, res: Response, endpoint: Endpoint | undefined): Promise<Caller> {
    try {
      return await identifyCaller(req, endpoint, this.#access)
    } catch (err) {
      if (err instanceof ApiError && err.status === 401) {
        const caller = anonymous(req, this.#access)
        const window = await this.#access.minutes.take(caller.client, caller.requestsPerMinute)
        showWindow(res, window)
        if (!window.admitted) throw rateLimited(window.limit, window.resetSeconds)
      }
      throw err
    }
  }

  async #takeMinute(res: Response, caller: Caller): Promise<void> {
    const window = await this.#access.minutes.take(caller.client, caller.requestsPerMinute)
    showWindow(res, window)
    if (!window.admitted) throw rateLimited(window.limit, window.resetSeconds)
    // Our own faults, and refusals for the quota, are not the client's requests.
    contextOf(res).afterwards.push((status) => {
      if (status >= 500 || status === 429) void this.#access.minutes.giveBack(caller.client)
    })
  }

  async #takeDay(caller: Caller): Promise<void> {
    const { days } = this.#access
    if (days === undefined) return
    const window = await days.limiter.take(caller.client, days.limit)
    if (!window.admitted) throw quotaExceeded(`${days.limit} requests a day without a key`, window.resetSeconds)
  }

  async #useQuota(res: Response, caller: Caller, keyId: string): Promise<void> {
    const now = this.#clock.now()
    const { month, endsAt } = quotaPeriod(now)
    const context = contextOf(res)
    context.afterwards.push((status) => {
      if (countsForQuota(status)) this.#access.quotas.count(keyId, month)
    })
    const quota = caller.requestsPerMonth
    if (quota === undefined) return
    const used = await this.#access.quotas.used(keyId, month)
    const { limitHeaders } = context
    context.limitHeaders = (status) => [
      ...limitHeaders(status),
      QUOTA_REMAINING,
      String(Math.max(0, quota - used - (countsForQuota(status) ? 1 : 0))),
    ]
    if (used < quota) return
    throw quotaExceeded(`${quota.toLocaleString('en')} requests a month`, Math.ceil(now.until(endsAt).total('seconds')))
  }
}

/** Every answered request but 401, 429 and 5xx, and 304, which costs the minute only. */
function countsForQuota(status: number): boolean {
  return status < 500 && status !== 401 && status !== 429 && status !== 304
}

function showWindow(res: Response, window: MinuteWindow): void {
  const headers = windowHeaders(window)
  contextOf(res).limitHeaders = () => headers
}

function windowHeaders({ limit, remaining, resetSeconds }: MinuteWindow): HeaderList {
  return [
    LIMIT,
    String(limit),
    REMAINING,
    String(remaining),
    RESET,
    String(resetSeconds),
    RATE_LIMIT,
    `"minute";r=${remaining};t=${resetSeconds}`,
    RATE_LIMIT_POLICY,
    `"minute";q=${limit};w=${WINDOW_SECONDS}`,
  ]
}
