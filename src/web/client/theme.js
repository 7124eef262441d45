/**
 * The switches of all pages. Light or dark: by the browser's preference until the reader chooses; the choice is stored in this browser only.
 * Units: by `data-unit`. Languages: links follow the URL, which scripts change (event `moved`). Forms marked `data-once` are sent once.
 * Runs before the first paint: a stored choice never flashes, and content that scripts will replace is never shown (class `js`).
 * Before all other scripts, which use `remembered` and `textAt`.
 */

/** What is stored in this browser; nothing if storage is disabled. */
const remembered = {
  /** @param {'theme' | 'unit' | 'mine' | 'api-key'} name @returns {string} empty if it is not stored */
  get(name) {
    try {
      return localStorage.getItem(name) ?? ''
    } catch {
      return ''
    }
  },
  /** @param {'theme' | 'unit' | 'mine' | 'api-key'} name @param {string} value empty: removes it @returns {boolean} whether that succeeded */
  set(name, value) {
    try {
      if (value === '') localStorage.removeItem(name)
      else localStorage.setItem(name, value)
      return true
    } catch {
      return false
    }
  },
}

/** Fetches a text; undefined if it does not arrive. @param {string | URL} address @param {RequestInit} [options] */
// biome-ignore lint/correctness/noUnusedVariables: other scripts use it
async function textAt(address, options) {
  const answer = await fetch(address, options).catch(() => undefined)
  return answer?.ok ? await answer.text().catch(() => undefined) : undefined
}

;(() => {
  const root = document.documentElement
  root.classList.add('js')
  if (remembered.get('mine')) root.classList.add('has-mine') // client/mine.js fills its line

  function applyKept() {
    root.dataset.unit = remembered.get('unit') || 'kwh'
    const theme = remembered.get('theme')
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
      remembered.set('theme', next)
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
    remembered.set('unit', root.dataset.unit)
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
