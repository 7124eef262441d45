/** Windowed ridge regressions compared with examples calculated by hand. */
import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../../models/numeric/random.ts'
import { applyRule, fitWindows, lastDays, type WindowedOptions } from '../../../models/numeric/windowed-ridge.ts'

const OPTIONS: WindowedOptions = { through: 8, windows: [lastDays(8, 8)], penalties: [0], rowsMin: 2, subsets: [[0]] }

/** y = 2 x + 1 on the last four days, y = x before. */
const ROWS = {
  days: [1, 2, 3, 4, 5, 6, 7, 8],
  columns: 1,
  inputs: Float64Array.of(1, 2, 3, 4, 1, 2, 3, 4),
  outputs: 1,
  targets: Float64Array.of(1, 2, 3, 4, 3, 5, 7, 9),
}

function fitted(options: Partial<WindowedOptions>, rows = ROWS) {
  const given = { ...rows, inputs: rows.inputs.slice() }
  const [rules = []] = fitWindows(given, { ...OPTIONS, ...options }) ?? []
  return (...row: number[]) => [...applyRule(rules[0] ?? expect.fail('no rule'), Float64Array.from(row))]
}

describe('windowed ridge', () => {
  it('equals least squares without a penalty: 2 x + 1 on the last four days', () => {
    const rule = fitted({ windows: [lastDays(4, 8)] })
    expect(rule(1)[0]).toBeCloseTo(3, 9)
    expect(rule(4)[0]).toBeCloseTo(9, 9)
  })

  it('halves the slope about the mean with a penalty equal to the number of rows', () => {
    expect(fitted({ windows: [lastDays(4, 8)], penalties: [4] })(4)[0]).toBeCloseTo(7.5, 9)
  })

  it('averages the predictions of all windows and penalties', () => {
    expect(fitted({ windows: [lastDays(4, 8), lastDays(8, 8)] })(4)[0]).toBeCloseTo((9 + 6.5) / 2, 9)
    expect(fitted({ windows: [lastDays(4, 8)], penalties: [0, 4] })(4)[0]).toBeCloseTo((9 + 7.5) / 2, 9)
  })

  it('weights rows by the window: the last four count three times as much', () => {
    const slope = (day: number) => (day > 4 ? 3 : 1)
    // The weighted means are 2.5 and 5.125; the weighted slope is (3 · 2 + 1) / 4.
    expect(fitted({ windows: [slope] })(4)[0]).toBeCloseTo(5.125 + 1.5 * 1.75, 9)
  })

  it('scales the penalty to its reference number of rows', () => {
    expect(fitted({ windows: [lastDays(4, 8)], penalties: [8], penaltyRows: 8 })(4)[0]).toBeCloseTo(7.5, 9)
  })

  it('fits a rule per kind of day, in which other kinds have less weight', () => {
    const kinds = { count: 2, of: (day: number) => (day > 4 ? 1 : 0), othersShare: 0 }
    const given = { ...ROWS, inputs: ROWS.inputs.slice() }
    const byKind = (fitWindows(given, { ...OPTIONS, kinds }) ?? []).map(([rule]) => rule ?? expect.fail('no rule'))
    expect(byKind.map((rule) => applyRule(rule, Float64Array.of(4))[0])).toEqual([
      expect.closeTo(4, 9),
      expect.closeTo(9, 9),
    ])
    const shared = fitWindows(
      { ...ROWS, inputs: ROWS.inputs.slice() },
      { ...OPTIONS, kinds: { ...kinds, othersShare: 1 } },
    )
    expect(shared?.map(([rule]) => applyRule(rule ?? expect.fail('no rule'), Float64Array.of(4))[0])).toEqual([
      expect.closeTo(6.5, 9),
      expect.closeTo(6.5, 9),
    ])
  })

  it('ignores rows after its last day', () => {
    expect(fitted({ through: 4, windows: [lastDays(4, 4)] })(4)[0]).toBeCloseTo(4, 9)
  })

  it('replaces a missing input by the mean, and clips inputs at five standard deviations', () => {
    const rule = fitted({ windows: [lastDays(4, 8)] })
    expect(rule(Number.NaN)[0]).toBeCloseTo(6, 9)
    expect(rule(1000)[0]).toBeCloseTo(6 + 2 * 5 * Math.sqrt(1.25), 9)
  })

  it('skips a window with too few rows, and has no rule without any window', () => {
    expect(fitted({ windows: [lastDays(1, 8), lastDays(4, 8)] })(4)[0]).toBeCloseTo(9, 9)
    expect(
      fitWindows({ ...ROWS, inputs: ROWS.inputs.slice() }, { ...OPTIONS, windows: [lastDays(1, 8)] }),
    ).toBeUndefined()
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
