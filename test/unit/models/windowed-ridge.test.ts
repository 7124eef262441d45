/** Windowed ridge regressions compared with examples calculated by hand. */
import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../../models/numeric/random.ts'
import { applyRule, fitWindows, lastDays, type WindowedOptions } from '../../../models/numeric/windowed-ridge.ts'

const OPTIONS: WindowedOptions = { through: 8, windows: [lastDays(8, 8)], penalties: [0], rowsMin: 2, subsets: [[0]] }
const LAST_FOUR = [lastDays(4, 8)]

/** y = 2 x + 1 on the last four days, y = x before. */
const ROWS = {
  days: [1, 2, 3, 4, 5, 6, 7, 8],
  columns: 1,
  inputs: Float64Array.of(1, 2, 3, 4, 1, 2, 3, 4),
  outputs: 1,
  targets: Float64Array.of(1, 2, 3, 4, 3, 5, 7, 9),
}

const rulesOf = (options: Partial<WindowedOptions>) =>
  fitWindows({ ...ROWS, inputs: ROWS.inputs.slice() }, { ...OPTIONS, ...options })

/** The prediction of each rule for an input. */
function fitted(options: Partial<WindowedOptions>) {
  const rules = rulesOf(options) ?? expect.fail('no rules')
  return (input: number) => rules.map(([rule = expect.fail('no rule')]) => applyRule(rule, Float64Array.of(input))[0])
}

describe('windowed ridge', () => {
  it.each<[string, Partial<WindowedOptions>, number]>([
    ['equals least squares without a penalty: 2 x + 1 on the last four days', { windows: LAST_FOUR }, 9],
    ['halves the slope with a penalty equal to the number of rows', { windows: LAST_FOUR, penalties: [4] }, 7.5],
    ['averages the predictions of all windows', { windows: [...LAST_FOUR, ...OPTIONS.windows] }, (9 + 6.5) / 2],
    ['averages the predictions of all penalties', { windows: LAST_FOUR, penalties: [0, 4] }, (9 + 7.5) / 2],
    // The weighted means are 2.5 and 5.125; the weighted slope is (3 · 2 + 1) / 4.
    ['counts the last four days three times as much', { windows: [(day) => (day > 4 ? 3 : 1)] }, 5.125 + 1.5 * 1.75],
    ['scales the penalty to its number of rows', { windows: LAST_FOUR, penalties: [8], penaltyRows: 8 }, 7.5],
    ['ignores rows after its last day', { through: 4, windows: [lastDays(4, 4)] }, 4],
    ['skips a window with too few rows', { windows: [lastDays(1, 8), ...LAST_FOUR] }, 9],
  ])('%s', (_, options, expected) => {
    expect(fitted(options)(4)).toEqual([expect.closeTo(expected, 9)])
  })

  it('has no rule without any window of enough rows', () => {
    expect(rulesOf({ windows: [lastDays(1, 8)] })).toBeUndefined()
  })

  it('fits a rule per kind of day, in which other kinds have less weight', () => {
    const kinds = { count: 2, of: (day: number) => (day > 4 ? 1 : 0), othersShare: 0 }
    const close = (...values: number[]) => values.map((value) => expect.closeTo(value, 9))
    expect(fitted({ kinds })(4)).toEqual(close(4, 9))
    expect(fitted({ kinds: { ...kinds, othersShare: 1 } })(4)).toEqual(close(6.5, 6.5))
  })

  it('applies its slope, replaces a missing input by the mean, and clips inputs at five standard deviations', () => {
    const rule = fitted({ windows: LAST_FOUR })
    expect(rule(1)[0]).toBeCloseTo(3, 9)
    expect(rule(Number.NaN)[0]).toBeCloseTo(6, 9)
    expect(rule(1000)[0]).toBeCloseTo(6 + 2 * 5 * Math.sqrt(1.25), 9)
  })

  it('recovers the weights of several columns and outputs, and subsets use only their columns', () => {
    const random = seededRandom(7)
    const rows = 200
    const inputs = Float64Array.from({ length: 3 * rows }, () => random() - 0.5)
    const targets = Float64Array.from({ length: 2 * rows }, (_, at) => {
      const [a, b] = [inputs[3 * (at >> 1)] as number, inputs[3 * (at >> 1) + 1] as number]
      return at % 2 === 0 ? 1 + 2 * a : a - 3 * b
    })
    const given = { days: Array.from({ length: rows }, (_, day) => day), columns: 3, inputs, outputs: 2, targets }
    const options = {
      ...OPTIONS,
      through: rows,
      windows: [lastDays(rows, rows)],
      subsets: [
        [0, 1, 2],
        [2, 0],
      ],
    }
    const [[all, some] = []] = fitWindows(given, options) ?? []
    const row = Float64Array.of(0.2, -0.1, 0.3)
    const [first = 0, second = 0] = applyRule(all ?? expect.fail(), row)
    expect(first).toBeCloseTo(1.4, 9)
    expect(second).toBeCloseTo(0.5, 9)
    expect(applyRule(some ?? expect.fail(), row)[0]).toBeCloseTo(1.4, 9)
    const other = row.with(1, 77)
    expect(applyRule(some ?? expect.fail(), other)).toEqual(applyRule(some ?? expect.fail(), row))
  })
})
