/**
 * The switch between light and dark. Without it the browser's preference holds; with it the choice is kept in this browser alone.
 * Loaded before the page is painted: a kept choice never flashes, and what scripts will replace is never shown (class `js`).
 */
;(() => {
  const KEY = 'theme'
  const root = document.documentElement
  root.classList.add('js')

  /** @returns {string | null} */
  function kept() {
    try {
      return localStorage.getItem(KEY)
    } catch {
      return null // storage is switched off: the browser's preference holds
    }
  }

  /** @param {string} theme */
  function keep(theme) {
    try {
      localStorage.setItem(KEY, theme)
    } catch {
      // storage is off: the choice applies to this page
    }
  }

  const theme = kept()
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme

  const isDark = () =>
    root.dataset.theme === undefined
      ? matchMedia('(prefers-color-scheme: dark)').matches
      : root.dataset.theme === 'dark'

  /** @param {HTMLButtonElement} button */
  function prepare(button) {
    const show = () => button.setAttribute('aria-pressed', String(isDark()))
    show()
    button.addEventListener('click', () => {
      const next = isDark() ? 'light' : 'dark'
      root.dataset.theme = next
      keep(next)
      show()
      document.dispatchEvent(new Event('themechange'))
    })
  }

  document.addEventListener('DOMContentLoaded', () => {
    const button = document.querySelector('#theme')
    if (button instanceof HTMLButtonElement) prepare(button)
    // Tables that a chart replaces are open without scripts; the style sheet hides them until here, so nothing jumps.
    for (const table of document.querySelectorAll('details.behind')) {
      if (table instanceof HTMLDetailsElement) table.open = false
      table.classList.remove('behind')
    }
  })
})()
