/** Shows the price of each quarter-hour on the home page, tomorrow's prices when they are published, and the next day when it begins. */
;(() => {
  const RETRY_MS = 2_000
  const TRIES = 5
  const SECONDS_MS = 15_000
  const ROME = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone: 'Europe/Rome' })
  const stack = () => /** @type {HTMLElement | null} */ (document.querySelector('[data-events]'))
  const awaited = () => stack()?.dataset.awaits
  /** @type {EventSource | undefined} */
  let source
  listen()
  setInterval(() => {
    const today = stack()?.dataset.today
    if (today !== undefined && today < ROME.format(Date.now())) void show(1)
    else if (isOver()) void show(1)
    listen()
  }, SECONDS_MS)
  if (isOver()) void show(1) // the page came from a cache

  function isOver() {
    const until = document.getElementById('now')?.dataset.until
    return until !== undefined && Date.parse(until) <= Date.now()
  }

  /** Listens until tomorrow is published; reconnects after a refused stream, which browsers do not. */
  function listen() {
    const address = stack()?.dataset.events
    if (awaited() === undefined || address === undefined) {
      source?.close()
      source = undefined
      return
    }
    if (source !== undefined && source.readyState !== EventSource.CLOSED) return
    source = new EventSource(address)
    source.addEventListener('day.published', ({ data }) => {
      const day = awaited()
      if (day !== undefined && JSON.parse(data).day >= day) void show(TRIES)
    })
  }

  /**
   * Retries, since another process may still answer from its cache for a moment.
   * @param {number} tries
   */
  async function show(tries) {
    const text = await textAt(location.href, { cache: 'no-store' })
    const main = new DOMParser().parseFromString(text ?? '', 'text/html').querySelector('main')
    const fresh = main?.querySelector('[data-events]')
    const isNews =
      fresh instanceof HTMLElement &&
      (fresh.dataset.awaits !== awaited() || fresh.dataset.today !== stack()?.dataset.today)
    if (main && isNews) {
      const old = document.querySelector('main')
      const opened = [...(old?.querySelectorAll('details') ?? [])].map(({ open }) => open)
      const hadFocus = old?.contains(document.activeElement)
      old?.replaceWith(document.adoptNode(main))
      for (const [i, details] of main.querySelectorAll('details').entries()) details.open = opened[i] ?? false
      if (hadFocus) main.focus()
      document.dispatchEvent(new Event('replaced'))
      listen()
      return
    }
    const now = main?.querySelector('#now')
    if (now instanceof HTMLElement && isOver() && now.dataset.until !== document.getElementById('now')?.dataset.until)
      document.getElementById('now')?.replaceWith(document.adoptNode(now))
    else if (tries > 1) setTimeout(() => show(tries - 1), RETRY_MS)
  }
})()
