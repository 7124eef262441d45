/**
 * The switches of all pages. Light or dark: by the browser's preference until the reader chooses; the choice is stored in this browser only.
 * Units: by `data-unit`. Languages: links follow the URL, which scripts change (event `moved`). Forms marked `data-once` are sent once.
 * Runs before the first paint: a stored choice never flashes, and content that scripts will replace is never shown (class `js`).
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
      return null // storage is disabled: the browser's preference applies
    }
  }

  /** @param {string} key @param {string} choice */
  function keep(key, choice) {
    try {
      localStorage.setItem(key, choice)
    } catch {
      // storage is disabled: the choice applies to this page only
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

  // Before the other scripts of the page: one of them may load slowly.
  document.addEventListener('readystatechange', () => {
    const button = document.querySelector('#theme')
    if (document.readyState === 'interactive' && button instanceof HTMLButtonElement) prepare(button)
  })
  document.addEventListener('DOMContentLoaded', () => {
    // On a phone, rows of choices scroll: bring the current one into view.
    for (const row of document.querySelectorAll('.buttons')) {
      const entry = row.querySelector('[aria-current]')
      if (row instanceof HTMLElement && entry instanceof HTMLElement)
        row.scrollLeft = entry.offsetLeft - row.offsetLeft - row.clientWidth / 3
    }
    // The chart scripts did not load: show the table, as without JavaScript.
    for (const figure of document.querySelectorAll('figure.chart:not([data-prepared])')) {
      figure.classList.add('undrawn')
      figure.querySelector('details.behind')?.classList.remove('behind')
    }
  })
  // On the document, since the button is replaced together with its price.
  document.addEventListener('click', ({ target }) => {
    if (!(target instanceof Element) || target.closest('#unit') === null) return
    root.dataset.unit = root.dataset.unit === 'mwh' ? 'kwh' : 'mwh'
    keep('unit', root.dataset.unit)
  })
  // On a double submit, the browser would show the second response, which finds the action already done.
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
