/**
 * The switches of all pages. Between light and dark: without it the browser's preference holds; with it the choice is kept in this browser alone.
 * Between units, by the attribute `data-unit`. Between languages: its links follow the address, which scripts change (event `moved`). Forms marked `data-once` are sent once.
 * Loaded before the page is painted: a kept choice never flashes, and what scripts will replace is never shown (class `js`).
 */
;(() => {
  const root = document.documentElement
  root.classList.add('js')
  if (kept('mine')) root.classList.add('has-mine') // client/mine.js fills its line

  /** @param {string} key @returns {string | null} */
  function kept(key) {
    try {
      return localStorage.getItem(key)
    } catch {
      return null // storage is switched off: the browser's preference holds
    }
  }

  /** @param {string} key @param {string} choice */
  function keep(key, choice) {
    try {
      localStorage.setItem(key, choice)
    } catch {
      // storage is off: the choice applies to this page
    }
  }

  function applyKept() {
    root.dataset.unit = kept('unit') ?? 'kwh'
    const theme = kept('theme')
    if (theme === 'light' || theme === 'dark') root.dataset.theme = theme
  }
  applyKept()

  const isDark = () =>
    root.dataset.theme === undefined
      ? matchMedia('(prefers-color-scheme: dark)').matches
      : root.dataset.theme === 'dark'

  /** @param {HTMLButtonElement} button */
  function prepare(button) {
    const show = () => button.setAttribute('aria-pressed', String(isDark()))
    show()
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', show)
    addEventListener('pageshow', ({ persisted }) => {
      if (!persisted) return
      applyKept() // another page may have changed it since
      show()
      document.dispatchEvent(new Event('themechange'))
    })
    button.addEventListener('click', () => {
      const next = isDark() ? 'light' : 'dark'
      root.dataset.theme = next
      keep('theme', next)
      show()
      document.dispatchEvent(new Event('themechange'))
    })
  }

  // Of the whole page, before its other scripts: one of them may be long in coming.
  document.addEventListener('readystatechange', () => {
    const button = document.querySelector('#theme')
    if (document.readyState === 'interactive' && button instanceof HTMLButtonElement) prepare(button)
  })
  document.addEventListener('DOMContentLoaded', () => {
    // On a phone choices are rows that scroll.
    for (const row of document.querySelectorAll('.buttons')) {
      const entry = row.querySelector('[aria-current]')
      if (row instanceof HTMLElement && entry instanceof HTMLElement)
        row.scrollLeft = entry.offsetLeft - row.offsetLeft - row.clientWidth / 3
    }
    // The scripts of its chart did not come: the table is shown, as without scripts.
    for (const figure of document.querySelectorAll('figure.chart:not([data-prepared])')) {
      figure.classList.add('undrawn')
      figure.querySelector('details.behind')?.classList.remove('behind')
    }
  })
  // Of the document, since the button is replaced with its price.
  document.addEventListener('click', ({ target }) => {
    if (!(target instanceof Element) || target.closest('#unit') === null) return
    root.dataset.unit = root.dataset.unit === 'mwh' ? 'kwh' : 'mwh'
    keep('unit', root.dataset.unit)
  })
  // Of two presses a browser shows the answer to the second, which finds the first done.
  document.addEventListener('submit', (event) => {
    const form = event.target
    if (!(form instanceof HTMLFormElement) || form.dataset.once === undefined) return
    if (form.dataset.once === 'sent') event.preventDefault()
    form.dataset.once = 'sent'
  })
  document.addEventListener('moved', () => {
    for (const link of document.querySelectorAll('.languages a')) {
      if (!(link instanceof HTMLAnchorElement)) continue
      link.search = location.search
      link.hash = location.hash
    }
  })
})()
