/**
 * On hourly charts (`figure.hours`): moves the dot at the current time and the shade over the time elapsed, and shows the price under the
 * pointer, the finger or the arrow keys. The texts are the titles of the intervals.
 */
;(() => {
  const MINUTE_MS = 60_000
  const HOUR_MS = 3_600_000

  equip()
  document.addEventListener('replaced', equip) // by tomorrow.js

  function equip() {
    for (const figure of document.querySelectorAll('figure.hours')) {
      const svg = figure.querySelector('svg')
      if (!(figure instanceof HTMLElement) || !svg) continue
      const readout = readOut(figure, svg)
      const move = () => {
        const passed = passedOf(figure.dataset)
        const at = readout.slotAt(passed)
        show(figure, passed, at)
        if (at) readout.showNow(at)
      }
      move()
      setInterval(move, MINUTE_MS)
    }
  }

  /**
   * Returns the hours elapsed since the first day began. Elapsed time needs no special case on change days.
   * @param {DOMStringMap} data
   */
  function passedOf({ from, hours }) {
    return Math.max(0, Math.min(Number(hours), (Date.now() - Number(from)) / HOUR_MS))
  }

  /**
   * @param {HTMLElement} figure
   * @param {number} passed
   * @param {Element | undefined} slot
   */
  function show(figure, passed, slot) {
    figure.querySelector('.past')?.setAttribute('width', String(passed))
    const dot = figure.querySelector('circle.now')
    const step = slot?.previousElementSibling // its line
    if (!step) return dot?.setAttribute('display', 'none')
    dot?.removeAttribute('display')
    dot?.setAttribute('cx', `${(100 * passed) / Number(figure.dataset.hours)}%`)
    dot?.setAttribute('cy', `${step.getAttribute('y1')}%`)
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
    const barAt = (place) => bars.findIndex((bar) => isIn(bar, place))
    /** @param {Element} bar @param {number} place */
    const isIn = (bar, place) => {
      const x = Number(bar.getAttribute('x'))
      return x <= place && place < x + Number(bar.getAttribute('width'))
    }
    /** @param {PointerEvent} event */
    const follow = ({ clientX }) => {
      const { left, width } = svg.getBoundingClientRect()
      const at = barAt(((clientX - left) / width) * Number(figure.dataset.hours))
      if (at >= 0) select(at)
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
    /** Shows the current interval until another is chosen. @param {Element} slot */
    const showNow = (slot) => {
      if (selected === -1) text.textContent = slot.textContent
    }
    /** @param {number} place */
    const slotAt = (place) => bars.find((bar) => bar.classList.contains('slot') && isIn(bar, place))
    return { showNow, slotAt }
  }
})()
