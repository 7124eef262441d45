/** Opens the webhook client as configured; disposing of it closes its connections. */

import { WEBHOOK_URL_LENGTH_MAX } from '../../api/contract/webhooks.ts'
import type { Clock } from '../../platform/clock.ts'
import { addressRules } from '../../platform/egress/address-rules.ts'
import { publicDispatcher } from '../../platform/egress/public-dispatcher.ts'
import type { Config } from '../../service/config/config.ts'
import { CALLS_PER_HOST_MAX } from './deliver-due.ts'
import { type WebhookClient, webhookClient } from './webhook-client.ts'

const CONNECT_TIMEOUT_MS = 5_000
const USER_AGENT = 'italian-energy-prices-webhooks/1'

export function openWebhookClient({
  config,
  clock,
}: {
  config: Pick<Config, 'alerts'>
  clock: Clock
}): WebhookClient & AsyncDisposable {
  const addresses = addressRules(config.alerts.allowedNetworks)
  const dispatcher = publicDispatcher({
    addresses,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    connectionsPerHost: CALLS_PER_HOST_MAX,
  })
  const client = webhookClient({
    dispatcher,
    urlRules: { lengthMax: WEBHOOK_URL_LENGTH_MAX, ports: config.alerts.allowedPorts, addresses },
    userAgent: USER_AGENT,
    now: () => clock.now(),
  })
  return { ...client, [Symbol.asyncDispose]: () => dispatcher.destroy() }
}
