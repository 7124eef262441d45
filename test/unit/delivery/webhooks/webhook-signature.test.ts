import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import {
  makeSigningSecret,
  standardSignature,
  svcSignature,
} from '../../../../src/delivery/webhooks/webhook-signature.ts'
import { WEBHOOK_VECTORS } from '../../../support/webhook-vectors.ts'

describe('webhook signatures', () => {
  it.each(WEBHOOK_VECTORS)('match the documented test vector $id', ({ secret, id, timestamp, body, ...expected }) => {
    expect(svcSignature(secret, body)).toBe(expected.svcSignature)
    expect(standardSignature(secret, { id, timestamp, body })).toBe(expected.webhookSignature)
  })

  it('verify with the published library, and only for the signed content', () => {
    const secret = makeSigningSecret(randomBytes)
    const body = JSON.stringify({ unit: '€/MWh', value: 150.25 })
    const timestamp = Math.floor(Date.now() / 1000)
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(timestamp),
      'webhook-signature': standardSignature(secret, { id: 'msg_1', timestamp, body }),
    }
    expect(new Webhook(secret).verify(body, headers)).toEqual({ unit: '€/MWh', value: 150.25 })
    expect(() => new Webhook(secret).verify(body.replace('150', '151'), headers)).toThrow()
    expect(() => new Webhook(makeSigningSecret(randomBytes)).verify(body, headers)).toThrow()
    expect(() => new Webhook(secret).verify(body, { ...headers, 'webhook-id': 'msg_2' })).toThrow()
  })

  it('use unique secrets of 256 random bits', () => {
    const secrets = Array.from({ length: 100 }, () => makeSigningSecret(randomBytes))
    expect(new Set(secrets).size).toBe(100)
    for (const secret of secrets) expect(Buffer.from(secret.slice('whsec_'.length), 'base64')).toHaveLength(32)
  })
})
