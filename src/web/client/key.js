/**
 * Pages that show more to who has a key (`[data-key-form]`): the key is entered here, stays in this browser's storage, and is sent in the
 * header alone. With one the page is fetched again for its holder, and its `#for-holder` takes the place of the public one.
 */
;(() => {
  const KEY = 'api-key'
  const form = document.querySelector('form[data-key-form]')
  if (!(form instanceof HTMLFormElement)) return
  const field = form.querySelector('input')
  const problem = form.querySelector('[data-problem]')
  const forget = form.querySelector('[data-forget]')
  if (!field || !(problem instanceof HTMLElement) || !(forget instanceof HTMLElement)) return

  const kept = () => {
    try {
      return localStorage.getItem(KEY) ?? ''
    } catch {
      return '' // storage is switched off
    }
  }
  const key = kept()
  forget.hidden = key === ''
  if (key !== '') void show(key)

  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const entered = field.value.trim()
    if (!(await show(entered))) return
    field.value = ''
    forget.hidden = false
    try {
      localStorage.setItem(KEY, entered)
    } catch {
      // storage is off: the key is for this page
    }
  })
  forget.addEventListener('click', () => {
    try {
      localStorage.removeItem(KEY)
    } catch {
      // nothing was kept
    }
    location.reload()
  })
  document.addEventListener('click', ({ target }) => {
    if (target instanceof HTMLButtonElement && target.dataset.rotate) void rotate(target, target.dataset.rotate)
  })

  /**
   * The new key takes the place of the kept one.
   * @param {HTMLButtonElement} button
   * @param {string} address
   */
  async function rotate(button, address) {
    button.disabled = true // a key can be replaced once
    const reply = await fetch(address, {
      method: 'POST',
      headers: { authorization: `Bearer ${kept()}`, 'content-type': 'application/json' },
      body: '{}',
    }).catch(() => undefined)
    /** @param {string} name @returns {HTMLElement | null} */
    const part = (name) => document.querySelector(`[data-${name}]`)
    const [done, shown, failed] = [part('rotated'), part('new-key'), part('not-rotated')]
    if (!done || !shown || !failed) return
    failed.hidden = reply?.ok === true
    if (!reply?.ok) return
    const { key } = await reply.json()
    shown.textContent = key
    done.hidden = shown.hidden = false
    localStorage.setItem(KEY, key)
  }

  /** @param {string} key */
  async function show(key) {
    const page = await fetch(location.href, {
      headers: { authorization: `Bearer ${key}` },
      cache: 'no-store',
    }).catch(() => undefined)
    if (problem instanceof HTMLElement) problem.hidden = page?.ok === true
    if (!page?.ok) return false
    const made = new DOMParser().parseFromString(await page.text(), 'text/html')
    const fresh = made.getElementById('for-holder')
    for (const table of fresh?.querySelectorAll('details.behind') ?? []) {
      table.removeAttribute('open')
      table.classList.remove('behind')
    }
    if (fresh) document.getElementById('for-holder')?.replaceWith(document.adoptNode(fresh))
    document.dispatchEvent(new Event('replaced'))
    return true
  }
})()
