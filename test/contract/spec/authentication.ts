/**
 * The ways to send a key and the result of each. Spec: "Authentication", 2-5; decisions: "Requests", query key.
 * The response to an authenticated caller then follows from the tables of endpoints and plans.
 */
export type KeyCondition = 'good' | 'malformed' | 'wrong checksum' | 'unknown' | 'revoked' | 'expired'

export interface SpecKeyCase {
  name: string
  header?: KeyCondition
  /** `key=` */
  query?: KeyCondition
  /** Sent as `format=csv`. */
  csv?: boolean
  leadsTo: 'anonymous' | 'holder' | 'invalid_key' | 'missing_key'
  /** The key is accepted if the endpoint has CSV; otherwise the result is `missing_key`. */
  csvOnly?: boolean
}

export const SPEC_KEY_CASES: SpecKeyCase[] = [
  { name: 'no key', leadsTo: 'anonymous' },
  { name: 'no key, CSV asked for', csv: true, leadsTo: 'anonymous' },
  { name: 'a malformed key', header: 'malformed', leadsTo: 'invalid_key' },
  { name: 'a key with a wrong checksum', header: 'wrong checksum', leadsTo: 'invalid_key' },
  { name: 'an unknown key', header: 'unknown', leadsTo: 'invalid_key' },
  { name: 'a revoked key', header: 'revoked', leadsTo: 'invalid_key' },
  { name: 'an expired key', header: 'expired', leadsTo: 'invalid_key' },
  { name: 'a key in the header', header: 'good', leadsTo: 'holder' },
  { name: 'a key in the header, CSV asked for', header: 'good', csv: true, leadsTo: 'holder' },
  { name: 'a key in the query, JSON', query: 'good', leadsTo: 'missing_key' },
  { name: 'a key in the query, CSV', query: 'good', csv: true, leadsTo: 'holder', csvOnly: true },
  { name: 'a revoked key in the query, JSON', query: 'revoked', leadsTo: 'missing_key' },
  { name: 'a revoked key in the query, CSV', query: 'revoked', csv: true, leadsTo: 'invalid_key', csvOnly: true },
  { name: 'a malformed key in the query, CSV', query: 'malformed', csv: true, leadsTo: 'invalid_key', csvOnly: true },
  { name: 'a key in both, JSON', header: 'good', query: 'good', leadsTo: 'holder' },
  { name: 'a key in the header, a bad one in the query', header: 'good', query: 'revoked', leadsTo: 'holder' },
  {
    name: 'a bad key in the header, a good one for CSV',
    header: 'revoked',
    query: 'good',
    csv: true,
    leadsTo: 'invalid_key',
  },
]
