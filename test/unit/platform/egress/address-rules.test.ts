import { describe, expect, it } from 'vitest'
import { addressRules } from '../../../../src/platform/egress/address-rules.ts'

/** First and last address of each reserved range, and its outer neighbours if they are public. */
const RANGES: [name: string, first: string, last: string, before?: string, after?: string][] = [
  ['this network', '0.0.0.0', '0.255.255.255', undefined, '1.0.0.0'],
  ['private 10/8', '10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'],
  ['carrier-grade NAT', '100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0'],
  ['loopback', '127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0'],
  ['link-local, cloud metadata', '169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0'],
  ['private 172.16/12', '172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'],
  ['protocol assignments', '192.0.0.0', '192.0.0.255', '191.255.255.255', '192.0.1.0'],
  ['documentation 1', '192.0.2.0', '192.0.2.255', '192.0.1.255', '192.0.3.0'],
  ['6to4 relays', '192.88.99.0', '192.88.99.255', '192.88.98.255', '192.88.100.0'],
  ['private 192.168/16', '192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0'],
  ['benchmarking', '198.18.0.0', '198.19.255.255', '198.17.255.255', '198.20.0.0'],
  ['documentation 2', '198.51.100.0', '198.51.100.255', '198.51.99.255', '198.51.101.0'],
  ['documentation 3', '203.0.113.0', '203.0.113.255', '203.0.112.255', '203.0.114.0'],
  ['multicast', '224.0.0.0', '239.255.255.255', '223.255.255.255'],
  ['reserved and broadcast', '240.0.0.0', '255.255.255.255'],
  ['unallocated v6 before global unicast', '200::', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', undefined, '2001:200::'],
  ['unallocated v6 after global unicast', '4000::', 'fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '3ffe:ffff::'],
  ['dummy prefix v6', '100:0:0:1::', '100:0:0:1:ffff:ffff:ffff:ffff'],
  ['unspecified and compatible v6', '::', '::ffff:ffff'],
  ['loopback v6', '::1', '::1'],
  ['mapped IPv4', '::ffff:0:0', '::ffff:ffff:ffff'],
  ['NAT64', '64:ff9b::', '64:ff9b::ffff:ffff'],
  ['local NAT64', '64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
  ['discard', '100::', '100::ffff:ffff:ffff:ffff'],
  ['Teredo', '2001::', '2001:0:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['protocol assignments v6', '2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', undefined, '2001:200::'],
  ['documentation v6', '2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', '2001:db7:ffff::', '2001:db9::'],
  ['6to4', '2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2001:ffff::', '2003::'],
  ['documentation v6, new', '3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff', '3ffe:ffff::'],
  ['segment routing', '5f00::', '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['unique local', 'fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['link-local v6', 'fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['site-local', 'fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['multicast v6', 'ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
]

const rules = addressRules([])

describe('addresses that may not be called', () => {
  it.each(RANGES)('%s: from %s to %s', (_name, first, last, before, after) => {
    for (const inside of [first, last]) expect(rules.refusal(inside)).toContain('not a public address')
    for (const outside of [before, after]) if (outside !== undefined) expect(rules.refusal(outside)).toBeUndefined()
  })

  it('include addresses that embed a public one', () => {
    for (const text of ['::ffff:8.8.8.8', '64:ff9b::8.8.8.8', '2002:808:808::1'])
      expect(rules.refusal(text)).toContain('not a public address')
  })

  it('include text that is not an address', () => {
    for (const text of ['', 'localhost', '1.2.3.4.5', '[::1]'])
      expect(rules.refusal(text)).toContain('is not an address')
  })
})

describe('an operator’s exceptions', () => {
  const allowing = addressRules(['10.1.0.0/16', 'fd00:1::/32'])
  it.each([
    ['10.1.0.0', true],
    ['10.1.255.255', true],
    ['10.0.255.255', false],
    ['10.2.0.0', false],
    ['fd00:1::1', true],
    ['fd00:2::1', false],
    ['::ffff:10.1.0.1', false],
    ['8.8.8.8', true],
  ])('%s: %s', (address, allowed) => {
    expect(allowing.refusal(address) === undefined).toBe(allowed)
  })

  it('must be in CIDR notation', () => {
    expect(() => addressRules(['10.1.0.0'])).toThrow()
  })
})
