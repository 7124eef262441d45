import { describe, expect, it } from 'vitest'
import { type ChartTable, chart } from '../../../src/web/parts/chart.ts'
import { clockChanges } from '../../../src/web/parts/history-section.ts'
import { makeView } from '../../../src/web/view.ts'

const view = makeView({ language: 'en', isChosen: true, address: '/' })

const drawn = (dates: string[], more: Partial<ChartTable> = {}) =>
  chart(
    {
      ...{ name: 'prices', caption: 'Prices', dayLabel: 'Day', unit: '€/MWh', key: [] },
      columns: [{ label: 'PUN', line: 'first' }],
      rows: dates.map((date) => ({ date, values: [100] })),
      ...more,
    },
    view,
  ).text

describe('a chart', () => {
  it('marks the introduction of PUN Index GME if its days include it', () => {
    const mark = '<li><time datetime="2025-01-01">1 Jan 2025</time>: the PUN has been the PUN Index GME since'
    expect(drawn(['2025-01-02', '2024-12-30'], { hasPun: true })).toContain(mark)
    expect(drawn(['2025-02', '2024-12'], { hasPun: true })).toContain(mark)
    expect(drawn(['2025-01-02', '2025-01-01'], { hasPun: true })).not.toContain('class="marks')
    expect(drawn(['2025-01-02', '2024-12-30'])).not.toContain('class="marks')
    expect(view.charts[0]?.notes).toEqual([expect.stringContaining('2025-01-01: the PUN has been')])
  })

  it('lists marks with the same label once', () => {
    const marks = ['2026-11-20', '2026-11-18'].map((date) => ({ date, label: 'corrected' }))
    expect(drawn(['2026-11-20'], { marks })).toContain(
      '<li><time datetime="2026-11-20">20 Nov 2026</time>, <time datetime="2026-11-18">18 Nov 2026</time>: corrected</li>',
    )
  })

  it('shows its unit on the axis, and the base of an index', () => {
    expect(drawn(['2026-11-20'])).toContain('data-axis="€/MWh"')
    expect(drawn(['2026-11-20'], { unit: '' })).toContain('data-axis="index, first day = 100"')
  })
})

it('the change days have 23 and 25 hours', () => {
  const [from, to] = [Temporal.PlainDate.from('2026-03-28'), Temporal.PlainDate.from('2026-10-26')]
  expect(clockChanges({ from, to })).toEqual([
    { date: '2026-03-29', hours: 23 },
    { date: '2026-10-25', hours: 25 },
  ])
})
