/** The body that a receiver gets, and whose signature it verifies. */
import { describe, expect, it } from 'vitest'
import { alertCall } from '../../../../src/api/contract/alerts.ts'
import { webhookBody } from '../../../../src/delivery/webhooks/webhook-body.ts'
import { roundNative } from '../../../../src/market/price-units.ts'

const bodyOf = (price: number | null) =>
  JSON.parse(
    webhookBody(
      {
        kind: 'triggered',
        webhookId: 'alr_5k2m9q7x1c4d8f3g',
        asset: 'pun-zona-nord',
        condition: 'above',
        threshold: 100,
        price,
        hours: null,
        change: null,
        logId: '00000000',
        day: '2024-10-02',
        challenge: null,
        triggeredAt: Temporal.Instant.from('2024-10-01T12:30:59.5Z'),
      },
      undefined,
    ),
  )

describe('the body of a webhook call', () => {
  // The mean of that day's 24 hours is 127.6257825; the sum in binary floating point is slightly less.
  it.each([127.6257825, 127.62578249999999])('rounds the value as all other responses do: %d', (price) => {
    expect(bodyOf(price)).toMatchObject({ asset: 'PUN-ZONA-NORD', value: 127.625783 })
    expect(bodyOf(price).value).toBe(roundNative(price))
    expect(alertCall.parse(bodyOf(price))).toEqual(bodyOf(price))
  })

  it('has a null value if the index has no price yet', () => {
    expect(bodyOf(null).value).toBeNull()
  })
})
