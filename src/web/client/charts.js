/// <reference types="uplot" />
/**
 * Draws a line chart above each table that has one (`figure.chart`), from the table's own figures. Columns whose heading has
 * `data-line` are drawn: `price`, `median` and `actual` as lines, `low` and `high` as the edges of a band. Rows begin with a `<time>`.
 */
;(() => {
  const HEIGHT = 320
  /** Bands are painted first, under the lines. */
  const BANDS = ['low', 'high']
  const DAY_SECONDS = 86_400
  const locale = document.documentElement.lang === 'it' ? 'it-IT' : 'en-GB'
  const number = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
  const plain = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 })
  const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
  const dayTick = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' })
  const monthTick = new Intl.DateTimeFormat(locale, { month: 'short', year: '2-digit', timeZone: 'UTC' })

  /** @typedef {{ line: string, label: string, values: (number | null)[] }} Column */

  for (const figure of document.querySelectorAll('figure.chart')) prepare(figure)

  /** @param {Element} figure */
  function prepare(figure) {
    const plot = figure.querySelector('.plot')
    const readout = figure.querySelector('.readout')
    const table = figure.querySelector('table')
    if (!(plot instanceof HTMLElement) || !readout || !table) return
    const { times, columns } = read(table)
    if (times.length < 2) return
    const unit = figure.getAttribute('data-unit') ?? ''
    const draw = () => {
      plot.replaceChildren()
      const size = { width: plot.clientWidth, height: HEIGHT }
      return new uPlot(optionsOf(columns, unit, readout, size), [times, ...columns.map(({ values }) => values)], plot)
    }
    let chart = draw()
    const redraw = () => {
      chart.destroy()
      chart = draw()
    }
    document.addEventListener('themechange', redraw)
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw)
    new ResizeObserver(() => chart.setSize({ width: plot.clientWidth, height: HEIGHT })).observe(plot)
  }

  /**
   * @param {HTMLTableElement} table
   * @returns {{ times: number[], columns: Column[] }}
   */
  function read(table) {
    const rows = [...table.tBodies].flatMap((body) => [...body.rows]).map((row) => ({ row, time: timeOf(row) }))
    rows.sort((a, b) => a.time - b.time)
    const headings = [...(table.tHead?.rows[0]?.cells ?? [])]
    const columns = headings.flatMap((heading, i) => {
      const line = heading.dataset.line
      if (line === undefined) return []
      return [
        {
          line,
          label: heading.dataset.label ?? heading.textContent ?? '',
          values: rows.map(({ row }) => numberIn(row.cells[i])),
        },
      ]
    })
    columns.sort((a, b) => Number(BANDS.includes(b.line)) - Number(BANDS.includes(a.line)))
    return { times: rows.map(({ time }) => time), columns }
  }

  /** @param {HTMLTableRowElement} row */
  function timeOf(row) {
    return Date.parse(row.querySelector('time')?.dateTime ?? '') / 1000
  }

  /** @param {HTMLTableCellElement | undefined} cell */
  function numberIn(cell) {
    const value = cell?.querySelector('data')?.value
    return value === undefined ? null : Number(value)
  }

  /**
   * @param {Column[]} columns
   * @param {string} unit
   * @param {Element} readout
   * @param {{ width: number, height: number }} size
   * @returns {uPlot.Options}
   */
  function optionsOf(columns, unit, readout, size) {
    const ink = inkOf(readout)
    const low = columns.findIndex(({ line }) => line === 'low')
    const high = columns.findIndex(({ line }) => line === 'high')
    const axis = {
      stroke: ink('--soft'),
      grid: { stroke: ink('--line'), width: 1 },
      ticks: { show: false },
      font: '12px system-ui, sans-serif',
    }
    return {
      ...size,
      legend: { show: false },
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
      cursor: { drag: { x: false, y: false }, points: { size: 7 } },
      bands: low >= 0 && high >= 0 ? [{ series: [high + 1, low + 1], fill: ink('--band') }] : [],
      axes: [
        {
          ...axis,
          grid: { show: false },
          values: (_chart, splits, _axis, _space, step) =>
            splits.map((seconds) => (step >= 28 * DAY_SECONDS ? monthTick : dayTick).format(seconds * 1000)),
          incrs: [1, 2, 5, 7, 14, 30, 61, 91, 182, 365].map((days) => days * DAY_SECONDS),
          space: 70,
        },
        { ...axis, size: 52, values: (_chart, splits) => splits.map((value) => plain.format(value)) },
      ],
      series: [{}, ...columns.map(({ line, label }) => seriesOf(line, label, ink))],
      hooks: { setCursor: [(chart) => readOut(chart, columns, unit, readout)] },
    }
  }

  /**
   * @param {string} line
   * @param {string} label
   * @param {(name: string) => string} ink
   * @returns {uPlot.Series}
   */
  function seriesOf(line, label, ink) {
    const base = { label, points: { show: false }, spanGaps: !BANDS.includes(line) }
    if (BANDS.includes(line)) return { ...base, stroke: ink('--band'), width: 1 }
    if (line === 'median') return { ...base, stroke: ink('--accent'), width: 2, dash: [6, 4] }
    return { ...base, stroke: ink(line === 'actual' ? '--actual' : '--accent'), width: 2 }
  }

  /**
   * Under the pointer: `21 Nov 2026: Price 118.43 €/MWh`. Elsewhere the line keeps its height and says nothing.
   * @param {uPlot} chart
   * @param {Column[]} columns
   * @param {string} unit
   * @param {Element} readout
   */
  function readOut({ cursor, data }, columns, unit, readout) {
    const at = cursor.idx
    const seconds = at == null ? undefined : data[0][at]
    if (at == null || seconds === undefined) {
      readout.textContent = ''
      return
    }
    const parts = columns.flatMap(({ label, values }) => {
      const value = values[at]
      return value == null ? [] : [`${label} ${number.format(value)}`]
    })
    readout.textContent = `${day.format(seconds * 1000)}: ${parts.join(' · ')} ${unit}`
  }

  /**
   * The colours of the style sheet as they are now, light or dark, in a form that a canvas understands.
   * @param {Element} place
   */
  function inkOf(place) {
    const probe = document.createElement('span')
    place.append(probe)
    /** @param {string} name */
    const ink = (name) => {
      probe.style.color = `var(${name})`
      return getComputedStyle(probe).color
    }
    const inks = Object.fromEntries(
      ['--soft', '--line', '--band', '--accent', '--actual'].map((name) => [name, ink(name)]),
    )
    probe.remove()
    /** @param {string} name */
    return (name) => inks[name] ?? ''
  }
})()
