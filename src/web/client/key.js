/**
 * For pages that show more with a key (`[data-key-form]`). The key is entered here, stored in this browser, and sent in a header only.
 * The page is then fetched again with the key, and its `#for-holder` replaces the public one.
 */
;(() => {
  const form = document.querySelector('form[data-key-form]')
  if (!(form instanceof HTMLFormElement)) return
  const field = form.querySelector('input')
  const use = form.querySelector('button')
  const forget = form.querySelector('[data-forget]')
  if (!field || !use || !(forget instanceof HTMLElement)) return

  let keptHere = remembered.get('api-key')
  /** The key of this page; another tab may have stored a newer one since. */
  let key = ''
  let latest = 0
  forget.hidden = keptHere === ''
  use.disabled = false // until now, submitting would have put the key into the URL
  if (keptHere !== '') void show(keptHere)

  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const entered = field.value.trim()
    if (!(await show(entered))) return
    if (field.value.trim() === entered) field.value = ''
    forget.hidden = false
    keep(entered)
  })
  forget.addEventListener('click', () => {
    remembered.set('api-key', '')
    location.reload()
  })
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted && remembered.get('api-key') !== keptHere) location.reload() // forgotten or replaced on another page
  })
  document.addEventListener('asking', (event) => {
    if (key !== '') Object.assign(/** @type {CustomEvent<RequestInit>} */ (event).detail, withKey(key))
  })
  document.addEventListener('outdated', (event) => {
    if (key !== '') Object.assign(/** @type {CustomEvent<object>} */ (event).detail, { shown: show(key) })
  })
  document.addEventListener('click', ({ target }) => {
    if (target instanceof HTMLButtonElement && target.dataset.rotate) void rotate(target, target.dataset.rotate)
  })

  /** @param {string} key */
  function keep(key) {
    remembered.set('api-key', key)
    keptHere = remembered.get('api-key')
  }

  /** @param {string} key @returns {RequestInit} */
  function withKey(key) {
    return { headers: { authorization: `Bearer ${key}` }, cache: 'no-store' }
  }

  /** @param {string} name @returns {HTMLElement | null} */
  function part(name) {
    return document.querySelector(`[data-${name}]`)
  }

  /**
   * Rotates the key and stores the new one in its place.
   * @param {HTMLButtonElement} button
   * @param {string} address
   */
  async function rotate(button, address) {
    button.disabled = true // a key can be rotated only once
    const reply = await fetch(address, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: '{}',
    }).catch(() => undefined)
    const rotated = reply?.ok ? await reply.json().catch(() => undefined) : undefined
    const [done, shown, failed] = [part('rotated'), part('new-key'), part('not-rotated')]
    if (!done || !shown || !failed) return
    button.disabled = rotated !== undefined
    failed.hidden = rotated !== undefined
    if (rotated === undefined) return
    key = rotated.key
    shown.textContent = key
    done.hidden = shown.hidden = false
    keep(key)
  }

  /** @param {string} entered @returns {Promise<boolean>} whether the page is shown with it */
  async function show(entered) {
    const mine = ++latest
    const page = await fetch(location.href, withKey(entered)).catch(() => undefined)
    const text = page?.ok ? await page.text().catch(() => undefined) : undefined
    if (mine !== latest) return false // another key was entered meanwhile
    const isRefused = page !== undefined && page.status >= 400 && page.status < 500
    const [refused, unreachable] = [part('refused'), part('unreachable')]
    if (refused) refused.hidden = !isRefused
    if (unreachable) unreachable.hidden = text !== undefined || isRefused
    if (text === undefined) return false
    key = entered
    const old = document.getElementById('for-holder')
    const fresh = new DOMParser().parseFromString(text, 'text/html').getElementById('for-holder')
    if (old && fresh) replace(old, document.adoptNode(fresh))
    return true
  }

  /**
   * Keeps the focus, and input entered while the page was loading.
   * @param {HTMLElement} old
   * @param {HTMLElement} fresh
   */
  function replace(old, fresh) {
    const focused = old.contains(document.activeElement) ? document.activeElement?.id : ''
    for (const { id, value } of old.querySelectorAll('input')) {
      const field = id === '' ? null : fresh.querySelector(`#${id}`)
      if (field instanceof HTMLInputElement) field.value = value
    }
    old.replaceWith(fresh)
    if (focused) document.getElementById(focused)?.focus()
    document.dispatchEvent(new Event('replaced'))
  }
})()
