/** What the operations on alerts share: tag, path, and the alerts of the caller. */
import * as z from 'zod'
import type { AlertService, RequestedDelivery } from '../../../delivery/alerts/alert-service.ts'
import type { DeliveryRecord } from '../../../store/alert-events.ts'
import type { AlertRecord } from '../../../store/alerts.ts'
import { CALLS_PER_MINUTE } from '../../contract/alerts.ts'
import { ApiError, invalidParameter, notFound, rateLimited } from '../../contract/errors.ts'
import type { EndpointRequest } from '../../http/endpoint.ts'

export const ALERTS_TAG = 'Alerts'

const ALERT_ID = /^alr_[0-9a-z]{16}$/
const DELIVERY_ID = /^dlv_[0-9a-f]{32}$/

/** Any text: a malformed id is not found, like one that does not exist. */
export const alertPath = z.object({
  id: z.string().meta({ description: 'Identifier of the alert.', example: 'alr_5k2m9q7x1c4d8f3g' }),
})
export const deliveryPath = alertPath.extend({
  delivery_id: z
    .string()
    .meta({ description: 'Identifier of the delivery.', example: 'dlv_0f8fad5bd9cb469fa16570867728950e' }),
})

/** An alert as the documentation shows it. */
export const EXAMPLE_ALERT: AlertRecord = {
  id: 'alr_5k2m9q7x1c4d8f3g',
  asset: 'pun',
  condition: 'above',
  threshold: 150,
  webhookUrl: 'https://hooks.example.com/energy',
  status: 'active',
  verification: 'not_required',
  consecutiveFailures: 0,
  createdAt: Temporal.Instant.from('2026-11-21T10:00:00Z'),
  suspendedAt: null,
  suspendedBecause: null,
  ownerNotified: null,
}

type AlertsContext = Pick<EndpointRequest<unknown, unknown, unknown>, 'service' | 'caller'>

interface AlertCaller {
  alerts: AlertService
  keyId: string
}

/** Throws if the service has no key to encrypt signing secrets. */
export function alertCaller({ service, caller }: AlertsContext): AlertCaller {
  if (caller.key === undefined) throw new Error('a caller without a key was admitted to alerts')
  if (service.alerts === undefined) throw notFound('Alerts are not set up on this service: it has no SECRETS_KEY')
  return { alerts: service.alerts, keyId: caller.key.id }
}

export function checkedAlertId(id: string): string {
  if (!ALERT_ID.test(id)) throw noSuchAlert()
  return id
}

export function checkedDeliveryId(id: string): string {
  if (!DELIVERY_ID.test(id)) throw noSuchDelivery()
  return id
}

/** Also for alerts of other keys, whose existence must not be revealed. */
export function noSuchAlert(): ApiError {
  return notFound('There is no such alert.')
}

export function noSuchDelivery(): ApiError {
  return notFound('There is no such delivery of this alert.')
}

/** The delivery that was requested; throws if it was refused. */
export function deliveryOrThrow(requested: RequestedDelivery): DeliveryRecord {
  if ('delivery' in requested) return requested.delivery
  switch (requested.refused) {
    case 'unverified':
      throw invalidParameter(
        'id',
        'names an alert whose receiver is not verified: POST /alerts/{id}/verify sends the challenge',
      )
    case 'no_challenge_due':
      throw invalidParameter('id', 'names an alert whose receiver needs no verification')
    case 'too_many_calls':
      throw rateLimited(CALLS_PER_MINUTE, requested.retryAfterSeconds, 'tests, replays and challenges of this alert')
    case 'too_many_challenges':
      throw tooManyChallenges(requested.retryAfterSeconds)
  }
}

export function tooManyChallenges(retryAfterSeconds: number): ApiError {
  const message = `Too many challenges were sent to this host for your alerts. Try again in ${retryAfterSeconds} seconds.`
  return new ApiError('rate_limited', message, { retryAfterSeconds })
}
