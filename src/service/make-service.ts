/** Builds the API's service from the context, for the service, the tests and the benchmarks. */
import { deliverWebhooks } from '../../jobs/deliver-webhooks.ts'
import { makeOrderedFile } from '../../jobs/make-files.ts'
import { planExports } from '../../jobs/plan-exports.ts'
import { sendMail } from '../../jobs/send-mail.ts'
import { SQL_PATH } from '../api/contract/analyst-sql.ts'
import { endpoints } from '../api/endpoints/index.ts'
import type { Health, Service } from '../api/http/service.ts'
import { developerKeyService } from '../api/keys/developer-key-service.ts'
import { keyRotation } from '../api/keys/key-rotation.ts'
import { exportOrderService } from '../delivery/bulk/export-order-service.ts'
import { changeFeed } from '../delivery/changes/change-feed.ts'
import { alertLinkService } from '../delivery/webhooks/alert-links.ts'
import { type WebhookServiceOptions, webhookService } from '../delivery/webhooks/webhook-service.ts'
import { ConfigurationError } from '../platform/configuration-error.ts'
import { addressRules } from '../platform/egress/address-rules.ts'
import type { Resolve } from '../platform/egress/checked-lookup.ts'
import { childLogger } from '../platform/log.ts'
import { alertDays } from '../store/alerts.ts'
import { changeStore } from '../store/changes.ts'
import { CONCURRENT_CALLERS } from '../store/database.ts'
import { provenanceStore } from '../store/provenance.ts'
import { usageMonths } from '../store/usage.ts'
import type { Context } from './context.ts'

/** Poll interval while a client waits for changes. */
const CHANGES_POLL_MS = 100
/** Challenges per day to one host, for each alert that a key may have: one at its creation, and one retry. */
const CHALLENGES_PER_ALERT = 2

interface ServiceOptions {
  baseUrl: URL
  health: { stopping: boolean; filling?: boolean }
  /** Resolves the hosts of new webhooks. Default: the system's resolver. */
  resolve?: Resolve | undefined
}

export function makeService(ctx: Context, { baseUrl, health, resolve }: ServiceOptions): Service {
  const { trustedProxies, comingEndpoints } = ctx.config.http
  refuseUnknownPaths(comingEndpoints)
  const bulk = ctx.bulk(() => ctx.queue.send(planExports, { missing: true }))
  return {
    config: {
      baseUrl,
      trustedProxies,
      comingEndpoints: ctx.analystSql ? comingEndpoints : comingEndpoints.union(new Set([SQL_PATH])),
      canonicalHost: ctx.config.http.baseUrl !== undefined,
      environment: ctx.config.environment,
      alertsPerKeyMax: ctx.config.alerts.perKeyMax,
      computingAtOnce: CONCURRENT_CALLERS[ctx.config.database.url === undefined ? 'engine' : 'server'],
    },
    clock: ctx.clock,
    prices: ctx.prices,
    zones: ctx.zones,
    fundamentals: ctx.fundamentals,
    markets: ctx.markets,
    offerIndices: ctx.offerIndices,
    forecasts: ctx.forecasts,
    hourlyForecasts: ctx.hourlyForecasts,
    sourceStatus: ctx.sourceStatus,
    provenance: provenanceStore(ctx.database.read),
    sampleData: ctx.sampleData,
    analystSql: ctx.analystSql,
    trading: ctx.trading,
    changes: changeFeed({
      store: changeStore(ctx.database.sql), // a replica may not have reached a position that was returned
      everyMs: CHANGES_POLL_MS,
      beforeNotifying: () => ctx.dataVersion.refresh(),
      onError: (err) => ctx.log.warn({ err }, 'the changes could not be read'),
    }),
    webhooks: webhooksOf(ctx, resolve),
    alertLinks: alertLinksOf(ctx),
    bulk,
    exportOrders:
      bulk &&
      exportOrderService({
        sql: ctx.database.sql,
        clock: ctx.clock,
        store: ctx.files,
        signedUrlOf: bulk.signedUrlOf,
        orderLimiter: ctx.access.daily,
        wake: (id) => ctx.queue.send(makeOrderedFile, { id }),
      }),
    developerKeys: developerKeysOf(ctx, baseUrl),
    keys: keyRotation({ sql: ctx.database.sql, log: ctx.log, refresh: () => ctx.dataVersion.refresh() }),
    access: ctx.access,
    dataVersion: ctx.dataVersion,
    health: { ready: () => checkReadiness(ctx, health), filling: () => health.filling === true },
    alertDays: (alert, span) => alertDays(ctx.database.read, alert, span),
    usageMonths: (keyId) => usageMonths(ctx.database.read, keyId),
    log: childLogger(ctx.log, 'http'),
  }
}

/** A misspelt path would leave its endpoint live. */
function refuseUnknownPaths(coming: ReadonlySet<string>): void {
  const unknown = [...coming].find((path) => endpoints.every((one) => one.path !== path))
  if (unknown !== undefined)
    throw new ConfigurationError([`COMING_ENDPOINTS: "${unknown}" is no endpoint's path such as /ttf/today`])
}

function webhooksOf(ctx: Context, resolve: Resolve | undefined): Service['webhooks'] {
  const { secrets, config, clock, database, access } = ctx
  if (secrets === undefined) {
    ctx.log.info('alerts and webhooks are off: there is no SECRETS_KEY')
    return undefined
  }
  const options: WebhookServiceOptions = {
    sql: database.sql,
    clock,
    secrets,
    addresses: addressRules(config.alerts.allowedNetworks),
    ports: config.alerts.allowedPorts,
    challengesPerDay: CHALLENGES_PER_ALERT * config.alerts.perKeyMax,
    verification: config.alerts.verification,
    challengeLimiter: access.daily,
    mail: config.mail !== undefined,
    wake: () => ctx.queue.send(deliverWebhooks, {}),
    resolve,
  }
  return { alert: webhookService('alert', options), changes: webhookService('changes', options) }
}

function alertLinksOf({ alertLinks: links, config, clock, database, queue }: Context): Service['alertLinks'] {
  if (links === undefined || config.mail === undefined) return undefined
  return alertLinkService({ sql: database.sql, clock, links, wake: () => queue.send(deliverWebhooks, {}) })
}

function developerKeysOf({ config, clock, database, access, queue }: Context, baseUrl: URL): Service['developerKeys'] {
  if (config.mail === undefined) return undefined
  return developerKeyService({
    sql: database.sql,
    clock,
    days: access.daily,
    baseUrl,
    wake: () => queue.send(sendMail, {}),
  })
}

async function checkReadiness(
  ctx: Context,
  { stopping, filling }: ServiceOptions['health'],
): ReturnType<Health['ready']> {
  if (stopping) return { ready: false, checks: { service: 'stopping' } }
  try {
    await ctx.database.read`select 1`
    if (filling) return { ready: false, checks: { database: 'ok', data: 'are being stored' } }
    return { ready: true, checks: { database: 'ok' } }
  } catch (err) {
    ctx.log.warn({ err }, 'the database does not answer')
    return { ready: false, checks: { database: 'does not answer' } }
  }
}
