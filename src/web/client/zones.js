/**
 * Adds a slider through the hours and a play button to the map of zones, based on the figures of the table below. Keeps the URL in sync.
 */
;(() => {
  const STEP_MS = 600
  /** Pause after the last change: browsers limit how often the URL may change. */
  const STILL_MS = 150
  /** Thresholds of the shades in €/MWh, as in `parts/zone-map.ts`. */
  const SHADES = [0.25, 2, 8]
  const isItalian = document.documentElement.lang === 'it'
  const texts = isItalian ? { play: 'Avvia', pause: 'Ferma' } : { play: 'Play', pause: 'Pause' }
  const locale = isItalian ? 'it-IT' : 'en-GB'
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 }
  const number = new Intl.NumberFormat(locale, digits)
  const signed = new Intl.NumberFormat(locale, { ...digits, signDisplay: 'exceptZero' })

  const map = document.querySelector('.italy-map')
  const table = document.querySelector('.zone-hours')
  const hour = document.querySelector('#hour')
  const show = document.querySelector('#show')
  const date = document.querySelector('#date')
  if (!map || !(table instanceof HTMLTableElement) || !(date instanceof HTMLInputElement)) return
  if (!(hour instanceof HTMLSelectElement) || !(show instanceof HTMLSelectElement)) return

  /** Figures by zone: the mean of the day, then its hours. */
  const rows = [...table.querySelectorAll('tr[data-hour]')].flatMap((row) =>
    row instanceof HTMLTableRowElement ? [row] : [],
  )
  const prices = new Map(
    [...(table.tHead?.rows[0]?.cells ?? [])].map((head, column) => [
      head.dataset.zone,
      rows.map(({ cells }) => priceIn(cells[column])),
    ]),
  )

  const slider = document.createElement('input')
  slider.type = 'range'
  slider.min = '0'
  slider.max = String(hour.options.length - 1)
  slider.value = String(hour.selectedIndex)
  slider.setAttribute('aria-label', hour.labels[0]?.textContent ?? '')
  const play = document.createElement('button')
  play.type = 'button'
  play.className = 'button'
  play.textContent = texts.play
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
  map.querySelector('.player')?.append(...(isStill ? [] : [play]), slider)

  let timer = 0
  let resting = 0
  const move = (/** @type {number} */ at) => {
    slider.value = String(at)
    hour.selectedIndex = at
    draw(at)
  }
  const stop = () => {
    clearInterval(timer)
    timer = 0
    play.textContent = texts.play
  }
  slider.addEventListener('input', () => {
    stop()
    move(Number(slider.value))
  })
  hour.addEventListener('change', () => move(hour.selectedIndex))
  show.addEventListener('change', () => draw(hour.selectedIndex))
  play.addEventListener('click', () => {
    if (timer !== 0) return stop()
    play.textContent = texts.pause
    const next = () => {
      const at = Number(slider.value) + 1
      if (at >= hour.options.length) return stop()
      move(at)
    }
    if (Number(slider.value) === hour.options.length - 1) move(0)
    timer = setInterval(next, STEP_MS)
    next()
  })
  // Chosen before this script loaded, or restored by the browser.
  if ([hour, show].some(({ selectedOptions: [chosen] }) => !chosen?.defaultSelected)) draw(hour.selectedIndex)

  /** @param {number} at 0: the whole day */
  function draw(at) {
    const national = prices.get('nazionale')?.[at]
    for (const shape of map?.querySelectorAll('path[data-zone]') ?? []) {
      const zone = shape.getAttribute('data-zone') ?? ''
      const price = prices.get(zone)?.[at]
      const difference = price == null || national == null ? undefined : price - national
      shape.setAttribute('class', difference === undefined ? 'unknown' : shadeOf(difference))
      const value = map?.querySelector(`text[data-zone="${zone}"] .value`)
      if (value) value.textContent = textOf(price, difference)
    }
    setPart('hour', hourText(at))
    setPart('national', national == null ? '–' : number.format(national))
    clearTimeout(resting)
    resting = setTimeout(keep, STILL_MS)
  }

  /** Puts the displayed state into the URL and the links to neighbouring days; the day is the page's, not the one being entered. */
  function keep() {
    if (!(date instanceof HTMLInputElement)) return
    const address = new URL(location.href)
    address.searchParams.set('date', date.defaultValue)
    for (const field of [hour, show])
      if (field instanceof HTMLSelectElement) address.searchParams.set(field.name, field.value)
    for (const field of document.querySelectorAll('.steps input'))
      if (field instanceof HTMLInputElement) field.value = address.searchParams.get(field.name) ?? ''
    history.replaceState(null, '', address)
    document.dispatchEvent(new Event('moved'))
  }

  /**
   * @param {number | null | undefined} price
   * @param {number | undefined} difference
   */
  function textOf(price, difference) {
    if (price == null || difference === undefined) return '–'
    const isPrice = show instanceof HTMLSelectElement && show.value === 'price'
    return isPrice ? number.format(price) : signed.format(difference).replace('-', '−')
  }

  /** @param {number} at */
  function hourText(at) {
    return hour instanceof HTMLSelectElement ? (hour.options[at]?.textContent ?? '') : ''
  }

  /**
   * @param {string} name
   * @param {string} text
   */
  function setPart(name, text) {
    const part = map?.querySelector(`[data-part="${name}"]`)
    if (part) part.textContent = text
  }

  /** @param {number} difference */
  function shadeOf(difference) {
    const depth = SHADES.filter((least) => Math.abs(difference) >= least).length
    return depth === 0 ? 'even' : `${difference > 0 ? 'above' : 'below'}-${depth}`
  }

  /** @param {HTMLTableCellElement | undefined} cell */
  function priceIn(cell) {
    const value = cell?.querySelector('data')?.value
    return value === undefined ? null : Number(value)
  }
})()
