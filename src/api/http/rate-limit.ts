/**
 * Every request under `/v1`: identifies the caller, enforces the limits per minute and month, and counts the request. The
 * headers of every response, including refusals, state the client's remaining limits. Decisions: "Limits".
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { quotaPeriod } from '../../market/quota-period.ts'
import { type Awaitable, thenSync } from '../../platform/awaitable.ts'
import type { ApiKeyRecord } from '../../store/api-keys.ts'
import type { AccessControl } from '../access/access-control.ts'
import type { Consumed, RateLimiter } from '../access/rate-limiter.ts'
import { ApiError, quotaExceeded, rateLimited } from '../contract/errors.ts'
import type { Caller } from './caller.ts'
import type { Endpoint } from './endpoint.ts'
import { anonymous, identifyCaller, mayCarryKey, recallCaller } from './identify-caller.ts'
import { countsForQuota } from './limit-headers.ts'
import { contextOf, type RequestContext } from './request-context.ts'
import type { Service } from './service.ts'
import type { TrustedProxies } from './trusted-proxies.ts'

export class RateLimit {
  readonly #access: AccessControl
  readonly #clock: Service['clock']
  readonly #log: Service['log']
  readonly #proxies: TrustedProxies
  /** Whether the service has a canonical host: then a proxy on this machine may forward requests of other clients. */
  readonly #isPublic: boolean

  constructor(
    { access, clock, log, config }: Pick<Service, 'access' | 'clock' | 'log' | 'config'>,
    proxies: TrustedProxies,
  ) {
    this.#access = access
    this.#clock = clock
    this.#log = log
    this.#proxies = proxies
    this.#isPublic = config.canonicalHost
  }

  /** Identifies the caller and counts the request. Throws 401 for an invalid key, 429 beyond a limit. `endpoint`: undefined for an unknown path. */
  consume(req: IncomingMessage, res: ServerResponse, endpoint: Endpoint | undefined): Awaitable<Caller> {
    const context = contextOf(res)
    const caller = mayCarryKey(req)
      ? (recallCaller(req, this.#access) ?? this.#identify(req, context, endpoint))
      : this.#anonymous(req)
    return thenSync(caller, (found) => {
      const caller = this.#isOpenLocally(req, found, endpoint) ? { ...found, plan: endpoint.plan } : found
      context.plan = caller.plan
      return thenSync(this.#consumeMinute(context, caller), () =>
        thenSync(this.#consumeQuota(context, caller, endpoint), (isCounted) => {
          context.isAdmitted = true
          return isCounted === caller.isCounted ? caller : { ...caller, isCounted }
        }),
      )
    })
  }

  #consumeQuota(context: RequestContext, caller: Caller, endpoint: Endpoint | undefined): Awaitable<boolean> {
    if (caller.key !== undefined) return this.#reserve(context, caller, caller.key, endpoint?.evenOverQuota)
    if (this.#access.days === undefined) return caller.isCounted
    return thenSync(this.#consumeDay(context, caller, this.#access.days), () => caller.isCounted)
  }

  /** Counts a request for a page. Pages are counted separately, per IP address. */
  consumePage(req: IncomingMessage, res: ServerResponse): Awaitable<void> {
    const { minutes, pageRequestsPerMinute } = this.#access
    const client = this.pageClient(req)
    return thenSync(minutes.consume(client, pageRequestsPerMinute), (window) => {
      if (!window.admitted) throw rateLimited(window.limit, window.resetSeconds)
      this.#refundIfNotCounted(contextOf(res), minutes, client, window)
    })
  }

  /** Returns the client to whom requests for pages are counted. */
  pageClient(req: IncomingMessage): string {
    return `pages:${this.#addressOf(req)}`
  }

  /** Reads the remaining limits without counting the request, for OPTIONS. */
  async peek(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { client, requestsPerMinute } = this.#anonymous(req)
    contextOf(res).window = await this.#access.minutes.peek(client, requestsPerMinute)
  }

  /**
   * If the caller cannot be identified, the request counts against the address, so that keys cannot be guessed. Look-ups have their own
   * limit, consumed first: beyond it an unknown key costs no look-up, and a cached key is admitted whatever else its address sends.
   */
  async #identify(req: IncomingMessage, context: RequestContext, endpoint: Endpoint | undefined): Promise<Caller> {
    const { minutes, openRequestsPerMinute } = this.#access
    const client = () => `guesses:${this.#addressOf(req)}`
    const guess = { window: undefined as string | undefined }
    const beforeGuess = async () => {
      const consumed = await minutes.consume(client(), openRequestsPerMinute)
      if (!consumed.admitted) throw refusal(context, consumed)
      guess.window = consumed.window
    }
    const refundGuess = async () => {
      if (guess.window !== undefined) await minutes.refund(client(), guess.window)
    }
    let holder: Caller | undefined
    try {
      holder = await identifyCaller(req, endpoint, this.#access, beforeGuess)
    } catch (err) {
      if (!(err instanceof ApiError)) await refundGuess()
      if (err instanceof ApiError && err.code === 'rate_limited') throw err
      await this.#consumeMinute(context, this.#anonymous(req))
      throw err
    }
    if (guess.window !== undefined) await refundGuess()
    return holder ?? this.#anonymous(req)
  }

  /** Throws 429 beyond the limit. */
  #consumeMinute(context: RequestContext, caller: Caller): Awaitable<void> {
    const { minutes } = this.#access
    return thenSync(minutes.consume(caller.client, caller.requestsPerMinute), (window) => {
      if (!window.admitted) return this.#refuse(context, caller, window)
      context.window = window
      this.#refundIfNotCounted(context, minutes, caller.client, window)
    })
  }

  async #refuse(context: RequestContext, caller: Caller, window: Consumed): Promise<never> {
    const err = refusal(context, window)
    if (caller.key !== undefined) await this.#peekQuota(context, caller.key, caller.requestsPerMonth)
    throw err
  }

  #consumeDay(
    context: RequestContext,
    { client }: Caller,
    { limiter, limit }: NonNullable<AccessControl['days']>,
  ): Awaitable<void> {
    return thenSync(limiter.consume(client, limit), (window) => {
      if (!window.admitted) throw quotaExceeded(`${limit} requests a day without a key`, window.resetSeconds)
      this.#refundIfNotCounted(context, limiter, client, window)
    })
  }

  /** Refunds the request after the response if it does not count: refusals by a limit and internal errors. */
  #refundIfNotCounted(context: RequestContext, limiter: RateLimiter, client: string, { window }: Consumed): void {
    context.afterResponse.push((status) => {
      if (countsForMinute(status, context)) return
      limiter.refund(client, window).catch((err) => this.#log.warn({ err }, 'a request could not be refunded'))
    })
  }

  /** Counts the request towards the month; false if the quota is used up and the endpoint responds anyway. */
  #reserve(context: RequestContext, caller: Caller, { root }: ApiKeyRecord, evenOverQuota = false): Awaitable<boolean> {
    const { quotas } = this.#access
    const now = this.#clock.now()
    const { month, endsAt } = quotaPeriod(now)
    const quota = caller.requestsPerMonth
    return thenSync(quotas.reserve(root, month, quota), ({ admitted, used }) => {
      if (quota !== undefined) context.quota = { left: quota - used, isReserved: admitted }
      if (admitted) {
        context.afterResponse.push((status) => {
          if (!countsForQuota(status)) quotas.refund(root, month)
        })
      } else if (!evenOverQuota) {
        const seconds = Math.ceil(now.until(endsAt).total('seconds'))
        throw quotaExceeded(`${quota?.toLocaleString('en')} requests a month`, seconds)
      }
      return admitted
    })
  }

  async #peekQuota(context: RequestContext, { root }: ApiKeyRecord, quota: number | undefined): Promise<void> {
    if (quota === undefined) return
    const { month } = quotaPeriod(this.#clock.now())
    context.quota = { left: quota - (await this.#access.quotas.used(root, month)), isReserved: false }
  }

  #isOpenLocally(req: IncomingMessage, { key }: Caller, endpoint: Endpoint | undefined): endpoint is Endpoint {
    return key === undefined && endpoint?.openLocally === true && !this.#isPublic && this.#proxies.isLocal(req)
  }

  #anonymous(req: IncomingMessage): Caller {
    return anonymous(this.#addressOf(req), this.#access)
  }

  #addressOf(req: IncomingMessage): string {
    return `ip:${this.#proxies.client(req)}`
  }
}

/** A request for a value that is not published yet counts, because looking for it has a cost. So does a 429 by an endpoint's own limit. */
function countsForMinute(status: number, { error, isAdmitted }: RequestContext): boolean {
  return status < 500 ? status !== 429 || isAdmitted : error?.code === 'no_data'
}

function refusal(context: RequestContext, window: Consumed): ApiError {
  context.window = window
  return rateLimited(window.limit, window.resetSeconds)
}
