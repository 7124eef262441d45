/**
 * Middleware for every request under `/v1`: identifies the caller, enforces the limits per minute and month, and counts the request. The
 * headers of every response, refusals included, state what the client has left. Decisions: "Limits".
 */
import type { Request, Response } from 'express'
import { quotaPeriod } from '../../market/quota-period.ts'
import type { ApiKeyRecord } from '../../store/api-keys.ts'
import type { AccessControl } from '../access/access-control.ts'
import { type Consumed, type RateLimiter, type RateWindow, WINDOW_SECONDS } from '../access/rate-limiter.ts'
import { ApiError, quotaExceeded, rateLimited } from '../contract/errors.ts'
import { RATE_HEADERS, RATE_LIMIT, RATE_LIMIT_POLICY } from '../contract/headers.ts'
import type { Caller } from './caller.ts'
import type { Endpoint } from './endpoint.ts'
import type { HeaderList } from './headers.ts'
import { addressClient, anonymous, identifyCaller } from './identify-caller.ts'
import { contextOf, type RequestContext } from './request-context.ts'
import type { Service } from './service.ts'

const [LIMIT, REMAINING, RESET, QUOTA_REMAINING] = RATE_HEADERS

export class RateLimit {
  readonly #access: AccessControl
  readonly #clock: Service['clock']
  readonly #log: Service['log']

  constructor({ access, clock, log }: Pick<Service, 'access' | 'clock' | 'log'>) {
    this.#access = access
    this.#clock = clock
    this.#log = log
  }

  /** The caller, counted. Throws 401 for an invalid key, 429 beyond a limit. `endpoint`: undefined where the path is unknown. */
  async consume(req: Request, res: Response, endpoint: Endpoint | undefined): Promise<Caller> {
    const caller = await this.#identify(req, res, endpoint)
    contextOf(res).plan = caller.plan
    this.#refundAfterwards(res, this.#access.minutes, caller.client, await this.#consumeMinute(res, caller))
    const isCounted = await this.#consumeQuota(res, caller, endpoint)
    contextOf(res).isAdmitted = true
    return { ...caller, isCounted }
  }

  async #consumeQuota(res: Response, caller: Caller, endpoint: Endpoint | undefined): Promise<boolean> {
    if (caller.key !== undefined) return await this.#reserve(res, caller, caller.key, endpoint?.evenOverQuota)
    await this.#consumeDay(res, caller)
    return caller.isCounted
  }

  /** A request for a page: pages are counted separately, per address. */
  async consumePage(req: Request, res: Response): Promise<void> {
    const { minutes, pageRequestsPerMinute } = this.#access
    const client = `pages:${addressClient(req)}`
    const window = await minutes.consume(client, pageRequestsPerMinute)
    if (!window.admitted) throw rateLimited(window.limit, window.resetSeconds)
    this.#refundAfterwards(res, minutes, client, window)
  }

  /** For OPTIONS: shows what is left without counting. */
  async peek(req: Request, res: Response): Promise<void> {
    const caller = anonymous(req, this.#access)
    showWindow(res, await this.#access.minutes.peek(caller.client, caller.requestsPerMinute))
  }

  /**
   * If the caller cannot be identified, the request counts against the address, so that keys cannot be guessed. Look-ups have their own
   * limit, consumed first: beyond it a bad key costs no look-up, and a known key is admitted whatever else comes from its address.
   */
  async #identify(req: Request, res: Response, endpoint: Endpoint | undefined): Promise<Caller> {
    const { minutes, openRequestsPerMinute } = this.#access
    const client = () => `guesses:${addressClient(req)}`
    const guess = { window: undefined as string | undefined }
    const beforeGuess = async () => {
      const consumed = await minutes.consume(client(), openRequestsPerMinute)
      if (!consumed.admitted) throw showRefusal(res, consumed)
      guess.window = consumed.window
    }
    const refundGuess = async () => {
      if (guess.window !== undefined) await minutes.refund(client(), guess.window)
    }
    let caller: Caller
    try {
      caller = await identifyCaller(req, endpoint, this.#access, beforeGuess)
    } catch (err) {
      if (!(err instanceof ApiError)) await refundGuess()
      if (err instanceof ApiError && err.code === 'rate_limited') throw err
      const address = anonymous(req, this.#access)
      this.#refundAfterwards(res, minutes, address.client, await this.#consumeMinute(res, address))
      throw err
    }
    await refundGuess()
    return caller
  }

  /** Throws 429 beyond the limit. */
  async #consumeMinute(res: Response, caller: Caller): Promise<Consumed> {
    const window = await this.#access.minutes.consume(caller.client, caller.requestsPerMinute)
    if (window.admitted) {
      showWindow(res, window)
      return window
    }
    const refusal = showRefusal(res, window)
    if (caller.key !== undefined) await this.#peekQuota(res, caller.key, caller.requestsPerMonth)
    throw refusal
  }

  async #consumeDay(res: Response, { client }: Caller): Promise<void> {
    const { days } = this.#access
    if (days === undefined) return
    const window = await days.limiter.consume(client, days.limit)
    if (!window.admitted) throw quotaExceeded(`${days.limit} requests a day without a key`, window.resetSeconds)
    this.#refundAfterwards(res, days.limiter, client, window)
  }

  /** Refunds a request that does not count: refusals by a limit and internal errors. */
  #refundAfterwards(res: Response, limiter: RateLimiter, client: string, { window }: Consumed): void {
    const context = contextOf(res)
    context.afterwards.push((status) => {
      if (countsForMinute(status, context)) return
      limiter.refund(client, window).catch((err) => this.#log.warn({ err }, 'a request could not be refunded'))
    })
  }

  /** Counts the request towards the month and sets the quota header; false if the quota is used up and the endpoint responds anyway. */
  async #reserve(res: Response, caller: Caller, { id }: ApiKeyRecord, evenOverQuota = false): Promise<boolean> {
    const { quotas } = this.#access
    const now = this.#clock.now()
    const { month, endsAt } = quotaPeriod(now)
    const quota = caller.requestsPerMonth
    const { admitted, used } = await quotas.reserve(id, month, quota)
    if (quota !== undefined) showQuota(res, quota - used, admitted)
    if (admitted) {
      contextOf(res).afterwards.push((status) => {
        if (!countsForQuota(status)) quotas.refund(id, month)
      })
    } else if (!evenOverQuota) {
      const seconds = Math.ceil(now.until(endsAt).total('seconds'))
      throw quotaExceeded(`${quota?.toLocaleString('en')} requests a month`, seconds)
    }
    return admitted
  }

  async #peekQuota(res: Response, { id }: ApiKeyRecord, quota: number | undefined): Promise<void> {
    if (quota === undefined) return
    showQuota(res, quota - (await this.#access.quotas.used(id, quotaPeriod(this.#clock.now()).month)), false)
  }
}

/** Looking for a value that is not published yet has a cost, so the request counts. So does what an endpoint refuses by a limit of its own. */
function countsForMinute(status: number, { error, isAdmitted }: RequestContext): boolean {
  return status < 500 ? status !== 429 || isAdmitted : error?.code === 'no_data'
}

/** Every answered request but 401, 429 and 5xx, and 304, which costs the minute only. */
function countsForQuota(status: number): boolean {
  return status < 500 && status !== 401 && status !== 429 && status !== 304
}

function showRefusal(res: Response, window: RateWindow): ApiError {
  showWindow(res, window)
  return rateLimited(window.limit, window.resetSeconds)
}

function showWindow(res: Response, window: RateWindow): void {
  const headers = windowHeaders(window)
  contextOf(res).limitHeaders = () => headers
}

/** `left`: after this request where it is reserved, which may turn out not to count. */
function showQuota(res: Response, left: number, isReserved: boolean): void {
  const context = contextOf(res)
  const { limitHeaders } = context
  context.limitHeaders = (status) => [
    ...limitHeaders(status),
    QUOTA_REMAINING,
    String(Math.max(0, left + (isReserved && !countsForQuota(status) ? 1 : 0))),
  ]
}

function windowHeaders({ limit, remaining, resetSeconds }: RateWindow): HeaderList {
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
