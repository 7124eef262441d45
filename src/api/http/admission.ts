/**
 * Every request under `/v1` passes here: who asks, within the limits of the minute and the month, and what it counts for. What a
 * client has left stands in the headers of every answer, refusals included. Decisions: "Limits".
 */
import type { Request, Response } from 'express'
import { quotaPeriod } from '../../market/quota-period.ts'
import type { AccessControl } from '../access/access-control.ts'
import { type MinuteLimiter, type MinuteWindow, WINDOW_SECONDS } from '../access/minute-limiter.ts'
import { type ApiError, quotaExceeded, rateLimited } from '../contract/errors.ts'
import { RATE_HEADERS, RATE_LIMIT, RATE_LIMIT_POLICY } from '../contract/headers.ts'
import { anonymous, type Caller, identifyCaller } from './caller.ts'
import type { Endpoint } from './endpoint.ts'
import type { HeaderList } from './headers.ts'
import { contextOf } from './request-context.ts'
import type { Service } from './service.ts'

const [LIMIT, REMAINING, RESET, QUOTA_REMAINING] = RATE_HEADERS

export class Admission {
  readonly #access: AccessControl
  readonly #clock: Service['clock']
  readonly #log: Service['log']

  constructor({ access, clock, log }: Pick<Service, 'access' | 'clock' | 'log'>) {
    this.#access = access
    this.#clock = clock
    this.#log = log
  }

  /** The caller, counted. Throws 401 for a key that is not good, 429 beyond a limit. `endpoint`: undefined where the path is unknown. */
  async enter(req: Request, res: Response, endpoint: Endpoint | undefined): Promise<Caller> {
    const caller = await this.#identify(req, res, endpoint)
    contextOf(res).plan = caller.plan
    const window = await this.#takeMinute(res, caller)
    const quota = await this.#meter(res, caller)
    refuseBeyond(window)
    if (quota?.isExceeded && !endpoint?.evenOverQuota) throw refusalOf(quota, this.#clock.now())
    if (caller.key === undefined) await this.#takeDay(res, caller)
    return caller
  }

  /** For OPTIONS: shows what is left without counting. */
  async look(req: Request, res: Response): Promise<void> {
    const caller = anonymous(req, this.#access)
    showWindow(res, await this.#access.minutes.look(caller.client, caller.requestsPerMinute))
  }

  /** Where it cannot be told who asks, the address is counted, so that keys cannot be tried out. */
  async #identify(req: Request, res: Response, endpoint: Endpoint | undefined): Promise<Caller> {
    try {
      return await identifyCaller(req, endpoint, this.#access)
    } catch (err) {
      refuseBeyond(await this.#takeMinute(res, anonymous(req, this.#access)))
      throw err
    }
  }

  async #takeMinute(res: Response, caller: Caller): Promise<MinuteWindow> {
    const window = await this.#take(this.#access.minutes, res, caller.client, caller.requestsPerMinute)
    showWindow(res, window)
    return window
  }

  async #takeDay(res: Response, caller: Caller): Promise<void> {
    const { days } = this.#access
    if (days === undefined) return
    const window = await this.#take(days.limiter, res, caller.client, days.limit)
    if (!window.admitted) throw quotaExceeded(`${days.limit} requests a day without a key`, window.resetSeconds)
  }

  /** Counts a request, and takes it back where it turns out not to be the client's: refusals, and faults of ours. */
  async #take(limiter: MinuteLimiter, res: Response, client: string, limit: number): Promise<MinuteWindow> {
    const window = await limiter.take(client, limit)
    contextOf(res).afterwards.push((status) => {
      if (status !== 429 && status < 500) return
      limiter.giveBack(client).catch((err) => this.#log.warn({ err }, 'a request could not be taken back'))
    })
    return window
  }

  /** Counts the month's use of a key, and shows what is left of its quota, on refusals too. Undefined where there is no quota. */
  async #meter(res: Response, caller: Caller): Promise<Quota | undefined> {
    if (caller.key === undefined) return undefined
    const { id } = caller.key
    const { month, endsAt } = quotaPeriod(this.#clock.now())
    contextOf(res).afterwards.push((status) => {
      if (countsForQuota(status)) this.#access.quotas.count(id, month)
    })
    const limit = caller.requestsPerMonth
    if (limit === undefined) return undefined
    const used = await this.#access.quotas.used(id, month)
    showQuota(res, limit - used)
    return { isExceeded: used >= limit, limit, endsAt }
  }
}

interface Quota {
  isExceeded: boolean
  limit: number
  endsAt: Temporal.Instant
}

function refusalOf({ limit, endsAt }: Quota, now: Temporal.Instant): ApiError {
  return quotaExceeded(`${limit.toLocaleString('en')} requests a month`, Math.ceil(now.until(endsAt).total('seconds')))
}

function refuseBeyond({ admitted, limit, resetSeconds }: MinuteWindow): void {
  if (!admitted) throw rateLimited(limit, resetSeconds)
}

/** Every answered request but 401, 429 and 5xx, and 304, which costs the minute only. */
function countsForQuota(status: number): boolean {
  return status < 500 && status !== 401 && status !== 429 && status !== 304
}

function showWindow(res: Response, window: MinuteWindow): void {
  const headers = windowHeaders(window)
  contextOf(res).limitHeaders = () => headers
}

/** `left`: before this request, which may turn out to count. */
function showQuota(res: Response, left: number): void {
  const context = contextOf(res)
  const { limitHeaders } = context
  context.limitHeaders = (status) => [
    ...limitHeaders(status),
    QUOTA_REMAINING,
    String(Math.max(0, left - (countsForQuota(status) ? 1 : 0))),
  ]
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
