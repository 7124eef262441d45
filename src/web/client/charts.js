/// <reference types="uplot" />
/**
 * Draws a line chart above each table that has one (`figure.chart`), from the table's own figures, or from the CSV at `data-csv` if
 * the table has only means. Columns with `data-line` in their heading are drawn: `low` and `high` as the edges of a band, others as lines,
 * those with their own `data-unit` on a second axis. Rows begin with a `<time>`. Each drawing dispatches the event `drawn`.
 */
;(() => {
  if (typeof uPlot === 'undefined' || typeof brokenLine === 'undefined') return // not loaded: the tables remain
  const HEIGHT = 320
  /** Bands are painted first, under the lines. */
  const BANDS = ['low', 'high']
  const DAY_SECONDS = 86_400
  /** With more points, lines are thin and reduced to the lowest and highest value of each pixel: otherwise zoom stutters on a phone. */
  const DENSE = 1_000
  /** Narrower charts show only the last values at the ends of lines; the names are in the key alone. */
  const NARROW = 560
  /** Mean width of a letter of a label, in pixels. */
  const LETTER = 7
  /** Width of an axis of values. */
  const AXIS = 52
  const ROME = 'Europe/Rome'
  const SANS = getComputedStyle(document.body).fontFamily
  const locale = document.documentElement.lang === 'it' ? 'it-IT' : 'en-GB'
  const number = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
  const plain = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 })

  const TIMES = {
    hour: new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: ROME }),
    day: new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }),
    month: new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }),
  }
  const OFFSET = new Intl.DateTimeFormat('en', { timeZone: ROME, timeZoneName: 'longOffset' })

  /** @typedef {'hour' | 'day' | 'month'} Detail */
  /** @typedef {{ line: string, label: string, unit: string | undefined, values: (number | null)[] }} Column */
  /** @typedef {{ times: number[], columns: Column[] }} Data */

  prepareAll()
  document.addEventListener('replaced', prepareAll) // by live.js

  function prepareAll() {
    for (const figure of document.querySelectorAll('figure.chart:not([data-prepared])')) {
      if (!(figure instanceof HTMLElement)) continue
      figure.dataset.prepared = ''
      // Open without JavaScript; CSS hides it until here to avoid a layout shift.
      const behind = figure.querySelector('details.behind')
      behind?.removeAttribute('open')
      behind?.classList.remove('behind')
      void prepare(figure)
    }
  }

  /** @param {HTMLElement} figure */
  async function prepare(figure) {
    const plot = figure.querySelector('.plot')
    const readout = figure.querySelector('.readout')
    const table = figure.querySelector('table')
    if (!(plot instanceof HTMLElement) || !readout || !table) return
    const data = await read(table, figure.dataset)
    if (data.times.length < 2) {
      figure.classList.add('undrawn')
      figure.querySelector('details')?.setAttribute('open', '')
      return
    }
    const { unit = '', axis = unit, mean, detail } = figure.dataset
    const marks = [...figure.querySelectorAll('.marks time')].map(
      (time) => Date.parse(time.getAttribute('datetime') ?? '') / 1000,
    )
    const draw = () => {
      plot.replaceChildren()
      const size = { width: plot.clientWidth, height: HEIGHT }
      const options = optionsOf(
        data,
        { unit, axis, marks, mean, detail: /** @type {Detail} */ (detail) },
        readout,
        size,
      )
      const chart = new uPlot(options, [data.times, ...data.columns.map(({ values }) => values)], plot)
      figure.dispatchEvent(new CustomEvent('drawn', { detail: { chart, columns: data.columns } }))
      return chart
    }
    let chart = draw()
    const redraw = () => {
      const { min, max } = chart.scales.x ?? {}
      chart.destroy()
      chart = draw()
      if (min != null && max != null) chart.setScale('x', { min, max })
    }
    const gone = new AbortController()
    const { signal } = gone
    document.addEventListener('themechange', redraw, { signal })
    if (document.fonts.status === 'loading') void document.fonts.ready.then(() => signal.aborted || redraw())
    for (const media of ['(prefers-color-scheme: dark)', 'print'])
      matchMedia(media).addEventListener('change', redraw, { signal })
    new ResizeObserver((_, observer) => {
      if (plot.isConnected) return chart.setSize({ width: plot.clientWidth, height: HEIGHT })
      observer.disconnect()
      gone.abort() // another chart has replaced it
    }).observe(plot)
  }

  /**
   * @param {HTMLTableElement} table
   * @param {DOMStringMap} chart - its `detail` becomes that of the table if the CSV cannot be read
   * @returns {Promise<Data>}
   */
  async function read(table, chart) {
    const headings = [...(table.tHead?.rows[0]?.cells ?? [])]
    const finer = chart.csv === undefined ? undefined : await csvRows(chart.csv)
    if (chart.csv !== undefined && finer === undefined) chart.detail = chart.detail === 'hour' ? 'day' : 'month'
    const rows = finer ?? tableRows(table)
    rows.sort((a, b) => a.time - b.time)
    const columns = headings.flatMap((heading, i) => {
      const { line, label, unit } = heading.dataset
      if (line === undefined) return []
      return [
        {
          line,
          label: label ?? heading.textContent ?? '',
          unit,
          values: rows.map(({ values }) => values[i - 1] ?? null),
        },
      ]
    })
    columns.sort((a, b) => Number(BANDS.includes(b.line)) - Number(BANDS.includes(a.line)))
    return { times: rows.map(({ time }) => time), columns }
  }

  /** @typedef {{ time: number, values: (number | null)[] }} Row */

  /**
   * @param {HTMLTableElement} table
   * @returns {Row[]}
   */
  function tableRows(table) {
    return [...table.tBodies]
      .flatMap((body) => [...body.rows])
      .map((row) => ({ time: timeOf(row), values: [...row.cells].slice(1).map(numberIn) }))
  }

  /**
   * Reads a CSV with decimal commas. Undefined if it cannot be read; the table's means are then drawn.
   * @param {string} address
   * @returns {Promise<Row[] | undefined>}
   */
  async function csvRows(address) {
    const text = await textAt(address)
    if (text === undefined) return undefined
    const [, ...lines] = text.trimEnd().split('\r\n')
    return lines.map((line) => {
      const [at = '', ...cells] = line.split(';')
      const values = cells.map((cell) => (cell === '' ? null : Number(cell.replace(',', '.'))))
      return { time: Date.parse(at) / 1000, values }
    })
  }

  /** @param {HTMLTableRowElement} row */
  function timeOf(row) {
    return Date.parse(row.querySelector('time')?.dateTime ?? '') / 1000
  }

  /** @param {HTMLTableCellElement} cell */
  function numberIn(cell) {
    const value = cell.querySelector('data')?.value
    return value === undefined ? null : Number(value)
  }

  /**
   * @param {Data} data
   * @param {{ unit: string, axis: string, marks: number[], mean: string | undefined, detail: Detail }} kind
   * @param {Element} readout
   * @param {{ width: number, height: number }} size
   * @returns {uPlot.Options}
   */
  function optionsOf({ times, columns }, { unit, axis: axisLabel, marks, mean, detail }, readout, size) {
    const ink = inkOf(readout)
    const low = columns.findIndex(({ line }) => line === 'low')
    const high = columns.findIndex(({ line }) => line === 'high')
    const timeZone = detail === 'hour' ? ROME : 'Etc/UTC'
    const axis = {
      stroke: ink('--soft'),
      grid: { stroke: ink('--line'), width: 1 },
      ticks: { show: false },
      font: `12px ${SANS}`,
    }
    const valueAxis = { ...axis, size: AXIS, values: valuesOf }
    const second = columns.find((column) => column.unit !== undefined)
    const isNarrow = size.width < NARROW
    const ends = columns.flatMap(({ line, label }, i) =>
      BANDS.includes(line) ? [] : [{ index: i + 1, name: isNarrow ? '' : `${label} `, color: ink(line) }],
    )
    // On a phone, two axes leave no room for labels beside them.
    const isInside = isNarrow && second !== undefined
    const room = isInside ? 0 : Math.max(0, ...ends.map(({ name }) => (name.length + 7) * LETTER))
    const [soft, ground] = [ink('--soft'), ink('--card')]
    const meanOf = columns.findIndex(({ line }) => line === 'first') + 1
    return {
      ...size,
      padding: [24, room || null, null, null],
      legend: { show: false },
      tzDate: localTimes(timeZone),
      cursor: { drag: { x: true, y: false }, points: { size: 7 } },
      bands: low >= 0 && high >= 0 ? [{ series: [high + 1, low + 1], fill: ink('band') }] : [],
      axes: [
        { ...axis, grid: { show: false }, values: ticksOf(timeZone), incrs: stepsOf(detail), space: 70 },
        valueAxis,
        ...(second ? [{ ...valueAxis, scale: 'second', side: /** @type {const} */ (1), grid: { show: false } }] : []),
      ],
      series: [{}, ...columns.map((column) => seriesOf(column, times, ink))],
      hooks: {
        draw: [
          (chart) => {
            drawMarks(chart, marks, soft)
            if (mean !== undefined && meanOf > 0) drawMean(chart, meanOf, mean, [soft, ground])
            drawTexts(chart, axisLabel, { ends, isInside, ground, beside: second ? AXIS : 0 }, soft)
          },
        ],
        setCursor: [(chart) => readOut(chart, columns, { unit, detail }, readout)],
      },
    }
  }

  /**
   * Draws dashed lines over the height of the chart.
   * @param {uPlot} chart
   * @param {number[]} times
   * @param {string} color
   */
  function drawMarks({ ctx, bbox: { left, top, width, height }, valToPos }, times, color) {
    ctx.save()
    ctx.strokeStyle = color
    ctx.lineWidth = devicePixelRatio
    ctx.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio])
    for (const x of times.map((time) => valToPos(time, 'x', true)))
      if (x >= left && x <= left + width) ctx.stroke(new Path2D(`M${x} ${top}v${height}`))
    ctx.restore()
  }

  /**
   * Draws a line at the mean of the visible part of a series, and its value.
   * @param {uPlot} chart
   * @param {number} index
   * @param {string} name
   * @param {[string, string]} colors - of the line and of the background
   */
  function drawMean({ ctx, bbox: { left, width }, data, scales, valToPos }, index, name, [color, ground]) {
    const { min = 0, max = 0 } = scales.x ?? {}
    const seen = Array.from(data[index] ?? []).filter((value, i) => {
      const time = /** @type {number} */ (data[0][i])
      return value != null && time >= (min ?? 0) && time <= (max ?? 0)
    })
    if (seen.length < 2) return
    const mean = seen.reduce((sum, value) => /** @type {number} */ (sum) + /** @type {number} */ (value), 0)
    const value = /** @type {number} */ (mean) / seen.length
    const y = valToPos(value, 'y', true)
    ctx.save()
    ctx.strokeStyle = color
    ctx.lineWidth = devicePixelRatio
    ctx.setLineDash([devicePixelRatio, 3 * devicePixelRatio])
    ctx.stroke(new Path2D(`M${left} ${y}h${width}`))
    ctx.restore()
    write(ctx, `${name} ${number.format(value)}`, {
      x: left + 6 * devicePixelRatio,
      y: y - 9 * devicePixelRatio,
      color,
      ground,
    })
  }

  /**
   * Writes text with an outline in the colour of the background, so that lines behind the text do not cross it.
   * @param {CanvasRenderingContext2D} ctx
   * @param {string} text
   * @param {{ x: number, y: number, color: string, ground?: string, align?: CanvasTextAlign }} place
   */
  function write(ctx, text, { x, y, color, ground, align = 'left' }) {
    ctx.save()
    ctx.font = `${12 * devicePixelRatio}px ${SANS}`
    ctx.textAlign = align
    ctx.textBaseline = 'middle'
    if (ground !== undefined) {
      ctx.strokeStyle = ground
      ctx.lineWidth = 4 * devicePixelRatio
      ctx.lineJoin = 'round'
      ctx.strokeText(text, x, y)
    }
    ctx.fillStyle = color
    ctx.fillText(text, x, y)
    ctx.restore()
  }

  /**
   * Draws the unit above the axis and, at the end of each line, its name and last value in its colour, without overlaps.
   * @param {uPlot} chart
   * @param {string} axis
   * @param {{ ends: { index: number, name: string, color: string }[], isInside: boolean, ground: string, beside: number }} labels - `beside`: the width of a second axis
   * @param {string} color
   */
  function drawTexts(chart, axis, { ends, isInside, ground, beside }, color) {
    const { ctx, data, scales, series, valToPos } = chart
    const { left, top, width } = chart.bbox
    const ratio = devicePixelRatio
    const last = data[0].findLastIndex((time) => time <= (scales.x?.max ?? Number.POSITIVE_INFINITY))
    const labels = ends.flatMap(({ index, name, color: ink }) => {
      const value = Array.from(data[index] ?? [])
        .slice(0, last + 1)
        .findLast((one) => one != null)
      if (value == null) return []
      return [{ text: `${name}${number.format(value)}`, ink, y: valToPos(value, series[index]?.scale ?? 'y', true) }]
    })
    write(ctx, axis, { x: 4 * ratio, y: top - 14 * ratio, color })
    let free = top
    for (const { text, ink, y } of labels.toSorted((a, b) => a.y - b.y)) {
      const at = Math.max(y - (isInside ? 10 * ratio : 0), free)
      const x = isInside ? left + width - 4 * ratio : left + width + (beside + 6) * ratio
      write(ctx, text, { x, y: at, color: ink, ...(isInside && { ground, align: 'right' }) })
      free = at + 15 * ratio
    }
  }

  /**
   * Caches local times: a zoom needs the same ticks in every frame, and each conversion applies time-zone rules.
   * @param {string} timeZone
   * @returns {(seconds: number) => Date}
   */
  function localTimes(timeZone) {
    /** @type {Map<number, number>} */
    const known = new Map()
    return (seconds) => {
      const local = known.get(seconds) ?? uPlot.tzDate(new Date(seconds * 1000), timeZone).getTime()
      known.set(seconds, local)
      return new Date(local)
    }
  }

  /**
   * @param {uPlot} _chart
   * @param {number[]} splits
   */
  function valuesOf(_chart, splits) {
    return splits.map((value) => plain.format(value))
  }

  /** @param {Detail} detail */
  function stepsOf(detail) {
    const months = [30, 61, 91, 182, 365, 730].map((count) => count * DAY_SECONDS)
    if (detail === 'month') return months
    const days = [...[1, 2, 5, 7, 14].map((count) => count * DAY_SECONDS), ...months]
    return detail === 'hour' ? [3_600, 10_800, 21_600, 43_200, ...days] : days
  }

  /**
   * @param {string} timeZone
   * @returns {(chart: uPlot, splits: number[], axis: number, space: number, step: number) => string[]}
   */
  function ticksOf(timeZone) {
    const of = (/** @type {Intl.DateTimeFormatOptions} */ options) =>
      new Intl.DateTimeFormat(locale, { ...options, timeZone })
    const day = of({ day: 'numeric', month: 'short' })
    const month = of({ month: 'short', year: '2-digit' })
    const clock = of({ hour: '2-digit', minute: '2-digit' })
    return (_chart, splits, _axis, _space, step) =>
      splits.map((seconds) => {
        const format = step >= 28 * DAY_SECONDS ? month : day
        const isHour = step < DAY_SECONDS && clock.format(seconds * 1000) !== '00:00'
        return (isHour ? clock : format).format(seconds * 1000)
      })
  }

  /**
   * @param {Column} column
   * @param {number[]} times
   * @param {(name: string) => string} ink
   * @returns {uPlot.Series}
   */
  function seriesOf({ line, label, unit, values }, times, ink) {
    const isDense = times.length > DENSE
    const { paths, ...broken } = brokenLine(times, values)
    const base = { label, ...broken, ...(unit !== undefined && { scale: 'second' }) }
    if (BANDS.includes(line)) return { ...base, stroke: ink('band'), width: 1 }
    const style = { stroke: ink(line), width: isDense ? 1 : 2, ...(line === 'median' && { dash: [6, 4] }) }
    return { ...base, ...style, ...(isDense && { paths }) }
  }

  /**
   * Writes the values under the pointer: `21 Nov 2026: Price 118.43 €/MWh`. Without a pointer the line is empty and keeps its height.
   * @param {uPlot} chart
   * @param {Column[]} columns
   * @param {{ unit: string, detail: Detail }} kind
   * @param {Element} readout
   */
  function readOut({ cursor, data }, columns, { unit, detail }, readout) {
    const at = cursor.idx
    const seconds = at == null ? undefined : data[0][at]
    if (at == null || seconds === undefined) {
      if (readout.textContent !== '') readout.textContent = ''
      return
    }
    const shown = columns.filter(({ values }) => values[at] != null)
    const parts = shown.map(({ label, values, unit: own }, i) => {
      const isLastOfUnit = own !== undefined || shown.slice(i + 1).every((other) => other.unit !== undefined)
      return `${label} ${number.format(/** @type {number} */ (values[at]))}${isLastOfUnit ? ` ${own ?? unit}` : ''}`
    })
    readout.textContent = `${timeText(seconds, detail)}: ${parts.join(' · ')}`
  }

  /**
   * The hour that occurs twice is written with its offset, as by the server: `25 Oct 2026, 02:00 (+01:00)`.
   * @param {number} seconds
   * @param {Detail} detail
   */
  function timeText(seconds, detail) {
    const [text = '', ...others] = [0, -3_600, 3_600].map((step) => TIMES[detail].format((seconds + step) * 1000))
    return detail === 'hour' && others.includes(text) ? `${text} (${OFFSET.format(seconds * 1000).slice(-6)})` : text
  }

  /**
   * Returns the current colours of the style sheet, light or dark, in a form that a canvas accepts: of a token, or the tone of a class.
   * @param {Element} place
   */
  function inkOf(place) {
    /** @param {string} name */
    return (name) => {
      const probe = document.createElement('span')
      probe.className = name
      probe.style.color = name.startsWith('--') ? `var(${name})` : 'var(--tone)'
      place.append(probe)
      const { color } = getComputedStyle(probe)
      probe.remove()
      return color
    }
  }
})()
