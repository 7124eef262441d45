import { describe, expect, test } from 'vitest'
import { encodeMessage } from '../../../../src/platform/engine/messages.ts'
import { StatementNames } from '../../../../src/platform/engine/statement-names.ts'

const message = (type: string, body: string) => encodeMessage(type, body)

describe('StatementNames', () => {
  test.each([
    ['Parse', message('P', 'insert_price\0select 1\0\0\0'), message('P', '7.insert_price\0select 1\0\0\0')],
    ['Parse of the unnamed', message('P', '\0select 1\0\0\0'), message('P', '7.\0select 1\0\0\0')],
    ['Bind', message('B', 'portal\0insert_price\0\0\0'), message('B', 'portal\x007.insert_price\0\0\0')],
    ['Describe of a statement', message('D', 'Sinsert_price\0'), message('D', 'S7.insert_price\0')],
    ['Close of a statement', message('C', 'Sinsert_price\0'), message('C', 'S7.insert_price\0')],
  ])('adds the prefix to %s', (_, from, to) => {
    expect(new StatementNames(7).rename(from)).toEqual(to)
  })

  test.each([
    ['Describe of a portal', message('D', 'Pinsert_price\0')],
    ['Close of a portal', message('C', 'Pinsert_price\0')],
    ['Execute', message('E', '\0\0\0\0\0')],
    ['Query', message('Q', 'select 1\0')],
    ['Bind without an end of its first name', message('B', 'portal')],
  ])('leaves %s unchanged', (_, unchanged) => {
    expect(new StatementNames(7).rename(unchanged)).toBe(unchanged)
  })

  test('closes an unnamed statement only before the next unnamed one', () => {
    const names = new StatementNames(7)
    const unnamed = message('P', '\0select 1\0\0\0')
    expect(names.closeBefore(unnamed)).toBeUndefined()
    names.rename(unnamed)
    expect(names.closeBefore(unnamed)).toEqual(message('C', 'S7.\0'))
    expect(names.closeBefore(message('P', 'named\0select 1\0\0\0'))).toBeUndefined()
    expect(names.closeBefore(message('B', '\0\0\0\0\0\0\0\0'))).toBeUndefined()
  })

  test('lists the statements that remain open', () => {
    const names = new StatementNames(7)
    for (const name of ['first', 'second', 'third']) names.rename(message('P', `${name}\0select 1\0\0\0`))
    names.rename(message('C', 'Ssecond\0'))
    expect(names.closeMessages()).toEqual([message('C', 'S7.first\0'), message('C', 'S7.third\0')])
  })
})
