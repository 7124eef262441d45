/** Shows tomorrow's prices on the home page when they are published. Without the script a reload does. */
;(() => {
  const RETRY_MS = 2_000
  const TRIES = 5
  const awaited = () => document.querySelector('[data-awaits]')?.getAttribute('data-awaits') ?? undefined
  const address = document.querySelector('[data-events]')?.getAttribute('data-events')
  if (!awaited() || !address) return

  const source = new EventSource(address)
  let isAgain = false
  source.addEventListener('open', () => {
    if (isAgain) void show(1) // what happened meanwhile was not heard
    isAgain = true
  })
  source.addEventListener('day.published', ({ data }) => {
    const day = awaited()
    if (day !== undefined && JSON.parse(data).day >= day) void show(TRIES)
  })

  /**
   * Another process may answer from its cache for a moment.
   * @param {number} tries
   */
  async function show(tries) {
    const page = await fetch(location.href, { cache: 'no-store' }).catch(() => undefined)
    const main = page?.ok
      ? new DOMParser().parseFromString(await page.text(), 'text/html').querySelector('main')
      : undefined
    if (main && !main.querySelector('[data-awaits]')) {
      source.close()
      document.querySelector('main')?.replaceWith(document.adoptNode(main))
      document.dispatchEvent(new Event('replaced'))
    } else if (tries > 1) setTimeout(() => show(tries - 1), RETRY_MS)
  }
})()
