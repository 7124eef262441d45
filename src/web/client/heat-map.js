/**
 * On heat maps (`figure.heat`): shows the hour under the pointer, the finger or the arrow keys, with its price. Prices come from the CSV of
 * the map, which is fetched on first use.
 */
;(() => {
  const DAY_MS = 86_400_000
  const HOURS = 24
  const isItalian = document.documentElement.lang === 'it'
  const locale = isItalian ? 'it-IT' : 'en-GB'
  const unreachable = isItalian ? 'I prezzi non sono arrivati; riprova.' : 'The prices did not arrive; try again.'
  const number = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
  const dayText = new Intl.DateTimeFormat(locale, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })

  for (const figure of document.querySelectorAll('figure.heat')) if (figure instanceof HTMLElement) prepare(figure)

  /** @param {HTMLElement} figure */
  function prepare(figure) {
    const svg = figure.querySelector('svg')
    if (!svg) return
    const { from = '', columns, csv = '' } = figure.dataset
    const columnCount = Number(columns)
    const text = document.createElement('p')
    text.className = 'readout'
    text.setAttribute('aria-live', 'polite')
    figure.querySelector('figcaption')?.before(text)
    const mark = document.createElementNS(svg.namespaceURI, 'rect')
    mark.setAttribute('class', 'selected')
    mark.setAttribute('width', '1')
    mark.setAttribute('height', '1')
    /** @type {Promise<Map<string, string[]> | undefined> | undefined} */
    let prices
    let place = { column: -1, hour: 0 }

    /** @param {{ column: number, hour: number }} cell */
    const select = async ({ column, hour }) => {
      place = { column: Math.max(0, Math.min(columnCount - 1, column)), hour: Math.max(0, Math.min(HOURS - 1, hour)) }
      mark.setAttribute('x', String(place.column))
      mark.setAttribute('y', String(place.hour))
      svg?.append(mark)
      prices ??= readPrices(csv)
      const { column: x, hour: y } = place
      const found = await prices
      if (found === undefined) prices = undefined
      if (place.column !== x || place.hour !== y) return // moved on meanwhile
      if (found === undefined) {
        text.textContent = unreachable
        return
      }
      const day = new Date(Date.parse(from) + x * DAY_MS)
      const clock = String(y).padStart(2, '0')
      const values = found.get(`${day.toISOString().slice(0, 10)}T${clock}`) ?? []
      text.textContent = `${dayText.format(day)}, ${clock}:00: ${values.map((value) => `${value} €/MWh`).join(' / ') || '–'}`
    }
    /** @param {PointerEvent} event */
    const follow = ({ clientX, clientY }) => {
      const { left, top, width, height } = svg.getBoundingClientRect()
      void select({
        column: Math.floor(((clientX - left) / width) * columnCount),
        hour: Math.floor(((clientY - top) / height) * HOURS),
      })
    }
    svg.addEventListener('pointerdown', follow)
    svg.addEventListener('pointermove', follow)
    svg.setAttribute('tabindex', '0')
    svg.addEventListener('keydown', (event) => {
      const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key]
      if (step === undefined) return
      event.preventDefault()
      void select({ column: place.column + (step[0] ?? 0), hour: place.hour + (step[1] ?? 0) })
    })
  }

  /**
   * Returns prices by day and clock hour, two for the repeated hour; undefined if they cannot be read.
   * @param {string} address
   */
  async function readPrices(address) {
    /** @type {Map<string, string[]>} */
    const prices = new Map()
    const csv = await textAt(address)
    if (csv === undefined) return undefined
    const [, ...lines] = csv.trimEnd().split('\r\n')
    for (const line of lines) {
      const [at = '', value = ''] = line.split(';')
      const key = at.slice(0, 'YYYY-MM-DDTHH'.length)
      const shown = number.format(Number(value.replace(',', '.')))
      prices.set(key, [...(prices.get(key) ?? []), shown])
    }
    return prices
  }
})()
