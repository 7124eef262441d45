/** What holders of keys do with their alerts. Every method takes the key of the caller; what belongs to another is not found. */
import { randomBytes, randomInt } from 'node:crypto'
import type { AlertAsset, AlertCondition } from '../../api/contract/alerts.ts'
import { WEBHOOK_URL_LENGTH_MAX } from '../../api/contract/alerts.ts'
import type { Clock } from '../../platform/clock.ts'
import type { AddressRules } from '../../platform/egress/address-rules.ts'
import { AddressRefused, checkHost, type Resolve } from '../../platform/egress/public-dispatcher.ts'
import { hostAddress, type PublicUrlRules, portOf, readPublicUrl } from '../../platform/egress/public-url.ts'
import { currentRequestId } from '../../platform/request-id.ts'
import {
  type DeliveryRecord,
  findDelivery,
  insertReplay,
  insertTest,
  listDeliveries,
} from '../../store/alert-events.ts'
import {
  type AlertRecord,
  deleteAlert,
  findAlert,
  insertAlert,
  keyRootOf,
  listAlerts,
  resumeAlert,
  rotateAlertSecret,
} from '../../store/alerts.ts'
import type { Sql } from '../../store/database.ts'
import type { SecretBox } from './secret-box.ts'
import { makeSigningSecret } from './webhook-signature.ts'

const ID_CHARACTERS = 16
const PREVIOUS_SECRET_HOURS = 24
const DELIVERIES_LISTED_MAX = 100

export interface WantedAlert {
  asset: AlertAsset
  condition: AlertCondition
  threshold: number
  webhookUrl: string
}

export type Created =
  | { alert: AlertRecord; signingSecret: string }
  | { refused: 'url'; problem: string }
  | { refused: 'too_many'; most: number }

export interface AlertDesk {
  create(keyId: string, wanted: WantedAlert): Promise<Created>
  list(keyId: string): Promise<AlertRecord[]>
  find(keyId: string, id: string): Promise<AlertRecord | undefined>
  remove(keyId: string, id: string): Promise<boolean>
  resume(keyId: string, id: string): Promise<AlertRecord | undefined>
  rotateSecret(
    keyId: string,
    id: string,
  ): Promise<{ signingSecret: string; previousUntil: Temporal.Instant } | undefined>
  deliveries(keyId: string, id: string): Promise<DeliveryRecord[] | undefined>
  test(keyId: string, id: string): Promise<DeliveryRecord | undefined>
  replay(keyId: string, id: string, deliveryId: string): Promise<DeliveryRecord | undefined>
}

export interface AlertDeskOptions {
  sql: Sql
  clock: Clock
  secrets: SecretBox
  addresses: AddressRules
  ports: readonly number[]
  alertsPerKeyMax: number
  /** Called when there is something to deliver. */
  wake(): Promise<unknown>
  resolve?: Resolve
}

export function alertDesk(options: AlertDeskOptions): AlertDesk {
  const { sql, clock, secrets, addresses, ports, alertsPerKeyMax, wake, resolve } = options
  const rules: PublicUrlRules = { lengthMax: WEBHOOK_URL_LENGTH_MAX, ports, addresses }

  const ownedBy = async (keyId: string, id: string) => {
    const root = await keyRootOf(sql, keyId)
    const alert = await findAlert(sql, root, id)
    return alert && { root, alert }
  }
  const queued = async (alertId: string, deliveryId: string) => {
    await wake()
    return findDelivery(sql, alertId, deliveryId)
  }

  return {
    async create(keyId, wanted) {
      const read = readPublicUrl(wanted.webhookUrl, rules)
      if ('problem' in read) return { refused: 'url', problem: read.problem }
      const problem = await hostProblem(hostAddress(read.url), addresses, resolve)
      if (problem !== undefined) return { refused: 'url', problem }

      const root = await keyRootOf(sql, keyId)
      const id = `alr_${Array.from({ length: ID_CHARACTERS }, () => randomInt(36).toString(36)).join('')}`
      const signingSecret = makeSigningSecret(randomBytes)
      const stored = await insertAlert(
        sql,
        root,
        {
          id,
          asset: wanted.asset,
          condition: wanted.condition,
          threshold: wanted.threshold,
          webhookUrl: read.url.href,
          webhookHost: `${read.url.hostname}:${portOf(read.url)}`,
          secret: secrets.seal(signingSecret, id),
          createdAt: clock.now(),
        },
        alertsPerKeyMax,
      )
      if (!stored) return { refused: 'too_many', most: alertsPerKeyMax }
      const alert = await findAlert(sql, root, id)
      if (alert === undefined) throw new Error(`the alert ${id} is gone right after it was created`)
      return { alert, signingSecret }
    },

    list: async (keyId) => listAlerts(sql, await keyRootOf(sql, keyId)),
    find: async (keyId, id) => (await ownedBy(keyId, id))?.alert,
    remove: async (keyId, id) => deleteAlert(sql, await keyRootOf(sql, keyId), id),

    async resume(keyId, id) {
      const root = await keyRootOf(sql, keyId)
      if (!(await resumeAlert(sql, root, id, clock.now()))) return undefined
      await wake()
      return findAlert(sql, root, id)
    },

    async rotateSecret(keyId, id) {
      const root = await keyRootOf(sql, keyId)
      const signingSecret = makeSigningSecret(randomBytes)
      const previousUntil = clock.now().add({ hours: PREVIOUS_SECRET_HOURS })
      const secret = secrets.seal(signingSecret, id)
      const rotated = await rotateAlertSecret(sql, root, id, { secret, previousUntil })
      return rotated ? { signingSecret, previousUntil } : undefined
    },

    async deliveries(keyId, id) {
      const owned = await ownedBy(keyId, id)
      return owned && listDeliveries(sql, owned.alert.id, DELIVERIES_LISTED_MAX)
    },

    async test(keyId, id) {
      const owned = await ownedBy(keyId, id)
      return (
        owned && queued(id, await insertTest(sql, { alertId: id, now: clock.now(), requestId: currentRequestId() }))
      )
    },

    async replay(keyId, id, deliveryId) {
      const owned = await ownedBy(keyId, id)
      const delivery = owned && (await findDelivery(sql, id, deliveryId))
      if (delivery === undefined) return undefined
      return queued(
        id,
        await insertReplay(sql, {
          eventId: delivery.eventId,
          alertId: id,
          now: clock.now(),
          requestId: currentRequestId(),
        }),
      )
    },
  }
}

/** A name that resolves to an inner address, or to none, is refused at once; every connection checks it again. */
async function hostProblem(host: string, addresses: AddressRules, resolve?: Resolve): Promise<string | undefined> {
  try {
    await checkHost(host, addresses, resolve)
    return undefined
  } catch (err) {
    if (err instanceof AddressRefused) return 'must be a public address: the name leads to one that is not'
    return `must be an address that can be reached: the name ${host} does not resolve`
  }
}
