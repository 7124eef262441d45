/** Error messages of commands for invalid arguments; `e2e/` tests exit codes and output. */
import { describe, expect, it } from 'vitest'
import { readArguments as backfill } from '../../../src/cli/backfill.ts'
import { readArguments as exportTo } from '../../../src/cli/export.ts'
import { prepareCall } from '../../../src/cli/keys.ts'

const NOW = Temporal.Instant.from('2026-11-21T10:00:00Z')
const create = (...args: string[]) => ['create', '--owner', 'x', ...args]

describe('the keys command', () => {
  it.each<[string[], string]>([
    [[], 'usage:'],
    [['constructor'], 'usage:'],
    [create(), '--plan must be one of Developer, API, Pro, Trading, Enterprise'],
    [create('--plan', 'Open'), 'the Open plan needs no key'],
    [['create', '--plan', 'Pro'], '--owner must say whose key it is'],
    [['create', '--plan', 'Pro', '--owner', ' '], '--owner must be one line'],
    [['create', '--plan', 'Pro', '--owner', 'a\nb'], '--owner must be one line'],
    [create('--plan', 'Pro', '--email', 'nobody'), '"nobody" is not an e-mail address'],
    [create('--plan', 'Pro', '--per-minute', '9'), 'for Enterprise keys'],
    [create('--plan', 'Enterprise', '--per-month', '0'), 'not a whole number'],
    [create('--plan', 'Enterprise', '--forever'), "Unknown option '--forever'"],
    [['list', '--plan', 'Pro'], "Unknown option '--plan'"],
    [['revoke', 'key_a', 'key_b'], 'usage:'],
    [['rotate'], 'usage:'],
    [['rotate', 'key_000000000000', '--overlap', 'week'], '"week" is not a duration such as 7d, 12h or 0'],
    [['find', 'svc_live_0'], 'that is not a key: its form or its checksum is wrong'],
  ])('refuses %j: %s', (args, message) => {
    expect(() => prepareCall(args, NOW)).toThrow(message)
  })
})

describe('the backfill command', () => {
  it.each([
    [['--from', '2026-03-25'], '--source must be one of'],
    [['--source', 'sample', '--from', '2026-03-25'], '--source must be one of'],
    [['--source', 'gme-mgp'], '--from is missing'],
    [['--source', 'gme-mgp', '--from', '2026-02-30'], '--from must be a calendar date'],
    [['--source', 'gme-mgp', '--form', '2026-03-25'], "Unknown option '--form'"],
  ])('refuses %j: %s', (args, message) => {
    expect(() => backfill(args)).toThrow(message)
  })
})

describe('the export command', () => {
  it.each([
    [['gas-hourly', '--out', 'x'], 'gas-hourly is not a dataset\nusage:'],
    [['--out', 'x'], 'a dataset is missing\nusage:'],
    [['pun-hourly', 'prices-daily', '--out', 'x'], 'prices-daily is not a dataset\nusage:'],
    [['pun-hourly', '--format', 'xlsx', '--out', 'x'], '"xlsx" is not a format\nusage:'],
    [['pun-hourly'], '--out is missing\nusage:'],
  ])('refuses %j: %s', (args, message) => {
    expect(() => exportTo(args)).toThrow(message)
  })
})
