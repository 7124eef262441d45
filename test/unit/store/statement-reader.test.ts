import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { statementReader } from '../../../src/store/statement-reader.ts'

const { refusalOf } = statementReader()
const nested = (depth: number) => `select ${'(select '.repeat(depth)}1${')'.repeat(depth)}`

describe('the statement reader', () => {
  it.each([
    ['', /holds no statement/],
    [' \n', /holds no statement/],
    ['select 1\0; drop view zones', /zero byte/],
    ['selec 1', /cannot be read: syntax error at or near "selec" \(at character 1\)/],
    [`select 'é' from from`, /cannot be read: .* \(at character 17\)/],
    [`select 'does not end`, /unterminated quoted string.* \(at character 8\)/],
    ['select $$ does not end', /unterminated dollar-quoted string/],
    ['select 1 /* /* */', /unterminated \/\* comment/],
    ['select pg_sleep(5)', /calls pg_sleep\(\)/],
  ])('reports the error and its position: %j', async (sql, reason) => {
    expect(await refusalOf(sql)).toMatch(reason)
  })

  it('quotes only a short part of a statement', async () => {
    expect((await refusalOf(`select '${'x'.repeat(10_000)}`))?.length).toBeLessThan(300)
  })

  it('continues after a statement nested too deeply for the parser', async () => {
    for (const tooDeep of [nested(20_000), `select ${'not '.repeat(200_000)}true`, nested(20_000)]) {
      expect(await refusalOf(tooDeep)).toMatch(/nested too deeply|memory exhausted/)
      expect(await refusalOf('select 1')).toBeUndefined()
    }
  })

  it('gives up on a slow statement, and reads those that arrive meanwhile', async () => {
    const slow = '/*'.repeat(100_000)
    expect(await Promise.all([refusalOf(slow), refusalOf('select 1'), refusalOf('selec 1')])).toEqual([
      'takes too long to read',
      undefined,
      expect.stringMatching(/cannot be read/),
    ])
  })

  it('gives a known result for any text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: fc.constantFrom(...'\'"$/*-;eEuU&x1.(\n \\é€\u{1f600}') }), async (text) => {
        const refusal = await refusalOf(text)
        if (refusal !== undefined)
          expect(refusal).toMatch(/^(?:holds|cannot be read|begins|is no query|calls|names|casts|raises|makes)/)
      }),
      { numRuns: 1_000 },
    )
  })
})
