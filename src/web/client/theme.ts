/**
 * The switch between light and dark. Without it the browser's preference holds; with it the choice is kept in this browser alone.
 * Loaded before the page is painted, so that a kept choice never flashes.
 */
;(() => {
  const KEY = 'theme'
  const root = document.documentElement

  const kept = (): string | null => {
    try {
      return localStorage.getItem(KEY)
    } catch {
      return null // storage is switched off: the browser's preference holds
    }
  }
  const keep = (theme: string): void => {
    try {
      localStorage.setItem(KEY, theme)
    } catch {
      // storage is switched off: the choice holds for this page
    }
  }

  const theme = kept()
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme

  document.addEventListener('DOMContentLoaded', () => {
    const button = document.querySelector<HTMLButtonElement>('#theme')
    if (!button) return
    const isDark = () =>
      root.dataset.theme === undefined
        ? matchMedia('(prefers-color-scheme: dark)').matches
        : root.dataset.theme === 'dark'
    const show = () => button.setAttribute('aria-pressed', String(isDark()))
    button.hidden = false
    show()
    button.addEventListener('click', () => {
      const next = isDark() ? 'light' : 'dark'
      root.dataset.theme = next
      keep(next)
      show()
      document.dispatchEvent(new Event('themechange'))
    })
  })
})()
