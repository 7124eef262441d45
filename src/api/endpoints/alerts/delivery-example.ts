import type { DeliveryRecord } from '../../../store/alert-events.ts'
import { presentDelivery } from './present-alert.ts'

const DELIVERY: DeliveryRecord = {
  id: 'dlv_0f8fad5bd9cb469fa16570867728950e',
  eventId: 'msg_7c9e6679742540de944be07fc1f90ae7',
  kind: 'triggered',
  day: '2026-11-22',
  status: 'delivered',
  createdAt: Temporal.Instant.from('2026-11-21T12:01:00Z'),
  nextAttemptAt: null,
  finishedAt: Temporal.Instant.from('2026-11-21T12:01:01Z'),
  attempts: [
    {
      number: 1,
      startedAt: '2026-11-21T12:01:00Z',
      durationMs: 130,
      outcome: 'delivered',
      statusCode: 204,
      detail: null,
    },
  ],
}

/** A delivery as the documentation shows it: done, and waiting for its first attempt. */
export const EXAMPLE_DELIVERY = presentDelivery(DELIVERY)
export const EXAMPLE_PENDING = presentDelivery({
  ...DELIVERY,
  status: 'pending',
  nextAttemptAt: DELIVERY.createdAt,
  finishedAt: null,
  attempts: [],
})
