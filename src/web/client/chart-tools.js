/// <reference types="uplot" />
/**
 * Tools for the charts of `charts.js`, which is loaded after this script: zoom by mouse or touch, reset, save the visible range as CSV or PNG.
 * If the page's URL contains the days (`data-dates`), a zoom updates them there, so that the URL reproduces the view.
 */
;(() => {
  const LINE_END = '\r\n'
  const MARGIN = 16
  /** Minimum distance between two fingers, in pixels. */
  const NARROWEST_PINCH = 20
  /** Pause after the last change of a zoom before URL and fields are updated, since browsers limit how often the URL may change. */
  const STILL_MS = 150
  const WHOLE = 'whole'
  const ADDRESS_AS_LOADED = location.search
  const ROME = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone: 'Europe/Rome' })

  /** @typedef {{ chart: uPlot, columns: { label: string, values: (number | null)[] }[] }} Drawn */

  equipAll()
  document.addEventListener('replaced', equipAll) // by live.js

  /** Adds the tools before charts are drawn, and again after `replaced` for new charts. */
  function equipAll() {
    for (const figure of document.querySelectorAll('figure.chart:not([data-prepared])'))
      if (figure instanceof HTMLElement) equip(figure)
  }

  /** @param {HTMLElement} figure */
  function equip(figure) {
    /** @type {Drawn | undefined} */
    let drawn
    /** The first drawing is not a zoom: it must not overwrite fields that the user is filling in. */
    let shown = WHOLE
    figure.addEventListener('drawn', (event) => {
      drawn = /** @type {CustomEvent<Drawn>} */ (event).detail
      const { chart } = drawn
      followFinger(chart)
      let resting = 0
      const zoomed = (/** @type {uPlot} */ one, /** @type {string} */ scale) => {
        if (scale !== 'x') return
        clearTimeout(resting)
        resting = setTimeout(() => (shown = showZoom(one, figure, shown)), STILL_MS)
      }
      chart.hooks.setScale = [...(chart.hooks.setScale ?? []), zoomed]
    })
    const [from, to] = dayFields(figure)
    if (from && to) from.addEventListener('input', () => (to.min = from.value)) // so that the browser reports the wrong field
    const tool = (/** @type {string} */ name) => figure.querySelector(`[data-tool="${name}"]`)
    tool('whole')?.addEventListener('click', () => {
      const times = drawn?.chart.data[0]
      const [min, max] = [times?.[0], times?.at(-1)]
      if (min !== undefined && max !== undefined) drawn?.chart.setScale('x', { min, max })
    })
    tool('csv')?.addEventListener('click', (event) => {
      if (drawn === undefined) return // the link's own download
      event.preventDefault()
      save(new Blob([csvOf(drawn, figure)], { type: 'text/csv' }), `${nameOf(figure)}.csv`)
    })
    tool('png')?.addEventListener('click', () => {
      if (drawn) pictureOf(drawn.chart, figure).toBlob((blob) => blob && save(blob, `${nameOf(figure)}.png`))
    })
  }

  /** Day fields of the form in the section of the chart. @param {HTMLElement} figure */
  function dayFields(figure) {
    return ['from', 'to'].map((name) => {
      const field = figure.closest('section')?.querySelector(`input[name="${name}"]`)
      return field instanceof HTMLInputElement ? field : undefined
    })
  }

  /** @param {HTMLElement} figure */
  function nameOf({ dataset }) {
    return dataset.file ?? 'chart'
  }

  /**
   * @param {Blob} blob
   * @param {string} name
   */
  function save(blob, name) {
    const link = document.createElement('a')
    link.href = URL.createObjectURL(blob)
    link.download = name
    link.click()
    URL.revokeObjectURL(link.href)
  }

  /** @param {uPlot} chart */
  function visible({ data, scales }) {
    const { min = 0, max = 0 } = scales.x ?? {}
    return Array.from(data[0]).flatMap((time, i) => (time >= (min ?? 0) && time <= (max ?? 0) ? [i] : []))
  }

  /**
   * @param {uPlot} chart
   * @param {HTMLElement} figure
   * @param {string} before - what was shown last
   * @returns {string} what is shown now: the first and the last day, or `WHOLE`
   */
  function showZoom(chart, figure, before) {
    const times = chart.data[0]
    const seen = visible(chart)
    const [first, last] = [seen[0], seen.at(-1)]
    if (first === undefined || last === undefined) return before
    const isWhole = seen.length === times.length
    const days = [first, last].map((i) => dayOf(/** @type {number} */ (times[i]), figure))
    const shown = isWhole ? WHOLE : days.join()
    if (shown === before) return shown
    const whole = figure.querySelector('[data-tool="whole"]')
    if (whole instanceof HTMLElement) whole.hidden = isWhole
    if (figure.dataset.dates === undefined) return shown
    const address = new URL(location.href)
    if (isWhole) address.search = ADDRESS_AS_LOADED
    else {
      address.searchParams.delete('range')
      address.searchParams.set('from', days[0] ?? '')
      address.searchParams.set('to', days[1] ?? '')
    }
    const [from, to] = dayFields(figure)
    for (const [i, field] of [from, to].entries())
      if (field) field.value = isWhole ? field.defaultValue : (days[i] ?? '')
    if (from && to) to.min = from.value
    history.replaceState(null, '', address)
    document.dispatchEvent(new Event('moved'))
    return shown
  }

  /**
   * @param {number} seconds
   * @param {HTMLElement} figure
   */
  function dayOf(seconds, { dataset }) {
    const date = new Date(seconds * 1000)
    return dataset.detail === 'hour' ? ROME.format(date) : date.toISOString().slice(0, 10)
  }

  /**
   * CSV as the API writes it: `;` and decimal commas.
   * @param {Drawn} drawn
   * @param {HTMLElement} figure
   */
  function csvOf({ chart, columns }, figure) {
    const { detail, unit } = figure.dataset
    const timeText = (/** @type {number} */ seconds) => {
      const iso = new Date(seconds * 1000).toISOString()
      return detail === 'hour' ? iso : iso.slice(0, detail === 'month' ? 7 : 10)
    }
    const cell = (/** @type {number | null | undefined} */ value) =>
      value == null ? '' : String(value).replace('.', ',')
    const lines = visible(chart).map((i) => {
      return [timeText(/** @type {number} */ (chart.data[0][i])), ...columns.map(({ values }) => cell(values[i]))].join(
        ';',
      )
    })
    const head = [
      detail === 'hour' ? 'starts_at_utc' : 'date',
      ...columns.map(({ label }) => `"${label} (${unit})"`),
    ].join(';')
    return [head, ...lines, ''].join(LINE_END)
  }

  /**
   * Draws the chart on its background, with its key above and its URL below.
   * @param {uPlot} chart
   * @param {HTMLElement} figure
   */
  function pictureOf({ ctx: { canvas: drawing } }, figure) {
    const scale = devicePixelRatio
    const line = 18 * scale
    const canvas = document.createElement('canvas')
    canvas.width = drawing.width + 2 * MARGIN * scale
    canvas.height = drawing.height + 3 * line + 2 * MARGIN * scale
    const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'))
    const { color, backgroundColor, fontFamily } = getComputedStyle(figure)
    pen.fillStyle = backgroundColor
    pen.fillRect(0, 0, canvas.width, canvas.height)
    pen.font = `${13 * scale}px ${fontFamily}`
    pen.textBaseline = 'top'
    let left = MARGIN * scale
    for (const swatch of figure.querySelectorAll('.swatch')) {
      pen.fillStyle = getComputedStyle(swatch, '::before').backgroundColor
      pen.fillRect(left, MARGIN * scale + 2 * scale, 10 * scale, 10 * scale)
      pen.fillStyle = color
      const text = swatch.textContent ?? ''
      pen.fillText(text, left + 15 * scale, MARGIN * scale)
      left += pen.measureText(text).width + 35 * scale
    }
    pen.drawImage(drawing, MARGIN * scale, MARGIN * scale + 1.5 * line)
    pen.fillStyle = color
    pen.font = `${11 * scale}px ${fontFamily}`
    pen.fillText(`${location.host}${location.pathname}`, MARGIN * scale, canvas.height - MARGIN * scale - line)
    return canvas
  }

  /**
   * A horizontal swipe selects as a mouse does; a pinch zooms around the times under the fingers, once a frame; a vertical swipe scrolls.
   * @param {uPlot} chart
   */
  function followFinger(chart) {
    const { over } = chart
    /** Position of each finger. @type {Map<number, number>} */
    const fingers = new Map()
    /** Times under the first two fingers when they were put down: the earlier and the later. @type {number[]} */
    let held = []
    /** Left edge of the chart in the window, read when a finger is put down: reading it during a zoom would force a layout. */
    let left = 0
    let frame = 0
    const places = () => [...fingers.values()].sort((a, b) => a - b).map((x) => x - left)
    const zoom = () => {
      frame = 0
      const [from = 0, to = 0] = places()
      const [first = 0, last = 0] = held
      const times = chart.data[0]
      const perPixel = (last - first) / (to - from)
      if (!(to - from >= NARROWEST_PINCH) || !(perPixel > 0)) return
      const min = first - from * perPixel
      const max = min + (chart.bbox.width / devicePixelRatio) * perPixel
      chart.setScale('x', { min: Math.max(min, times[0] ?? min), max: Math.min(max, times.at(-1) ?? max) })
    }
    const as = { pointerdown: 'mousedown', pointermove: 'mousemove', pointerup: 'mouseup', pointercancel: 'mouseup' }
    for (const [pointer, mouse] of Object.entries(as))
      over.addEventListener(pointer, (event) => {
        const { pointerType, pointerId, clientX, clientY } = /** @type {PointerEvent} */ (event)
        if (pointerType !== 'touch') return
        const isOver = mouse === 'mouseup'
        if (isOver) {
          if (frame !== 0) zoom()
          fingers.delete(pointerId)
        } else if (mouse === 'mousedown' || fingers.has(pointerId)) fingers.set(pointerId, clientX)
        const send = (/** @type {string} */ type) => {
          const target = type === 'mouseup' ? document : over
          target.dispatchEvent(new MouseEvent(type, { clientX, clientY, movementX: 1, button: 0, bubbles: true }))
        }
        if (mouse === 'mousedown') left = over.getBoundingClientRect().left
        if (mouse === 'mousedown' && fingers.size === 2) {
          held = places().map((x) => chart.posToVal(x, 'x'))
          chart.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
          send('mouseup') // discards what one finger has selected so far
          chart.setCursor({ left: -1, top: -1 })
        }
        if (fingers.size === 2) frame ||= requestAnimationFrame(zoom)
        else send(mouse)
      })
  }
})()
