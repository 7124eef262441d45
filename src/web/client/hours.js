/**
 * On charts of a day's hours (`figure.hours`): a line at the present time, and the price that the pointer, the finger or the arrow keys
 * are on. The texts are the bars' own titles.
 */
;(() => {
  const MINUTE_MS = 60_000

  equip()
  document.addEventListener('replaced', equip) // by tomorrow.js

  function equip() {
    for (const figure of document.querySelectorAll('figure.hours')) {
      const svg = figure.querySelector('svg')
      if (!(figure instanceof HTMLElement) || !svg) continue
      const readout = readOut(figure, svg)
      const mark = document.createElementNS(svg.namespaceURI, 'line')
      mark.setAttribute('class', 'now')
      mark.setAttribute('y1', '0')
      mark.setAttribute('y2', '100%')
      const move = () => {
        const passed = passedOf(figure.dataset)
        place(mark, svg, passed)
        if (passed !== undefined) readout.showNow(passed)
      }
      move()
      setInterval(move, MINUTE_MS)
    }
  }

  /**
   * Intervals of the day that are over, and the part of the present one; undefined on other days. They are equally long, so the clock's changes
   * need nothing.
   * @param {DOMStringMap} data
   */
  function passedOf({ from = '', ordinal, minutes, expected }) {
    const passed = (Date.now() - Date.parse(from)) / (Number(minutes) * MINUTE_MS) + Number(ordinal) - 1
    return passed >= 0 && passed < Number(expected) ? passed : undefined
  }

  /**
   * @param {Element} mark
   * @param {Element} svg
   * @param {number | undefined} passed
   */
  function place(mark, svg, passed) {
    if (passed === undefined) return mark.remove()
    mark.setAttribute('x1', String(passed))
    mark.setAttribute('x2', String(passed))
    svg.append(mark)
  }

  /**
   * @param {HTMLElement} figure
   * @param {SVGElement} svg
   */
  function readOut(figure, svg) {
    const bars = [...svg.querySelectorAll('rect:has(title)')]
    const text = document.createElement('p')
    text.className = 'readout'
    text.setAttribute('aria-live', 'polite')
    figure.querySelector('figcaption')?.before(text)
    let selected = -1
    /** @param {number} at */
    const select = (at) => {
      bars[selected]?.classList.remove('selected')
      selected = Math.max(0, Math.min(bars.length - 1, at))
      bars[selected]?.classList.add('selected')
      text.textContent = bars[selected]?.textContent ?? ''
    }
    /** @param {number} place */
    const barAt = (place) => bars.findLastIndex((bar) => Number(bar.getAttribute('x')) <= place)
    /** @param {PointerEvent} event */
    const follow = ({ clientX }) => {
      const { left, width } = svg.getBoundingClientRect()
      select(barAt(((clientX - left) / width) * Number(figure.dataset.expected)))
    }
    svg.addEventListener('pointerdown', follow)
    svg.addEventListener('pointermove', follow)
    svg.setAttribute('tabindex', '0')
    svg.addEventListener('keydown', (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
      if (step === undefined) return
      event.preventDefault()
      select(selected + step)
    })
    /** Of the present interval, until another is chosen. @param {number} passed */
    const showNow = (passed) => {
      if (selected === -1) text.textContent = bars[barAt(passed)]?.textContent ?? ''
    }
    return { showNow }
  }
})()
