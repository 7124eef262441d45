/** Test vectors of both signatures, made with Python's hmac module; documented and checked by tests. */
export interface WebhookVector {
  secret: string
  /** `webhook-id` */
  id: string
  /** `webhook-timestamp`, seconds since 1970. */
  timestamp: number
  /** The raw body, UTF-8. */
  body: string
  /** `X-SVC-Signature` */
  svcSignature: string
  /** `webhook-signature` */
  webhookSignature: string
}

export const WEBHOOK_VECTORS: readonly WebhookVector[] = [
  {
    secret: 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=',
    id: 'msg_7c9e6679742540de944be07fc1f90ae7',
    timestamp: 1795258861,
    body: '{"type":"alert.triggered","alert_id":"alr_5k2m9q7x1c4d8f3g","asset":"PUN","condition":"above","threshold":150,"value":152.347381,"unit":"€/MWh","date":"2026-11-22","triggered_at":"2026-11-21T12:01:00Z"}',
    svcSignature: '3f37371818ef30493d08345974946bb896982284bf51665838e7c99d158a1dec',
    webhookSignature: 'v1,Y27QsR5JQXQ9cQKw4e6g4Hd5Ln5SeU1OCz3Kq+RiLF8=',
  },
  {
    secret: 'whsec_ZmVkY2JhOTg3NjU0MzIxMGZlZGNiYTk4NzY1NDMyMTA=',
    id: 'msg_0f8fad5bd9cb469fa16570867728950e',
    timestamp: 1774699260,
    body: '{"type":"alert.triggered","alert_id":"alr_0a1b2c3d4e5f6g7h","asset":"PUN-ZONA-SUD","condition":"change_pct","threshold":-5,"value":-0.5,"unit":"€/MWh","date":"2026-03-29","triggered_at":"2026-03-28T12:01:00Z"}',
    svcSignature: '7d41699aed005b8a894d8b82d0ae68fba0d7793b76cefc1d8397ec24d88c445b',
    webhookSignature: 'v1,SX3rszfKFehM8LNBGxWVSxLiId5wAyqBgpIvF06nTAY=',
  },
]
