/**
 * Forms marked `data-live` show their reply as they are changed: the page that they lead to is fetched, and the element of that id is taken
 * from it. The address follows, so that what is seen can be kept and shared. Without the script the form has its button.
 */
;(() => {
  const PAUSE_MS = 150
  const KEY = 'api-key'
  /** @type {WeakSet<Element>} */
  const prepared = new WeakSet()
  prepareAll()
  document.addEventListener('replaced', prepareAll)

  function prepareAll() {
    for (const form of document.querySelectorAll('form[data-live]')) {
      if (!(form instanceof HTMLFormElement) || prepared.has(form)) continue
      prepared.add(form)
      prepare(form)
    }
  }

  /** @param {HTMLFormElement} form */
  function prepare(form) {
    let timer = 0
    let latest = 0
    const show = async () => {
      const mine = ++latest
      const address = new URL(form.action)
      for (const [name, value] of new FormData(form)) address.searchParams.set(name, String(value))
      const page = await fetch(address, holderOptions()).catch(() => undefined)
      if (!page?.ok || mine !== latest) return // an unfinished date: what is shown stays
      const made = new DOMParser().parseFromString(await page.text(), 'text/html')
      const id = form.dataset.live ?? ''
      const place = document.getElementById(id)
      const fresh = made.getElementById(id)
      if (mine !== latest || !place || !fresh) return
      for (const table of fresh.querySelectorAll('details.behind')) {
        table.removeAttribute('open')
        table.classList.remove('behind')
      }
      place.replaceWith(document.adoptNode(fresh))
      history.replaceState(null, '', address)
      document.dispatchEvent(new Event('replaced'))
    }
    form.addEventListener('input', ({ target }) => {
      if (target instanceof HTMLInputElement) say(target)
      clearTimeout(timer)
      timer = setTimeout(show, PAUSE_MS)
    })
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      void show()
    })
    for (const input of form.querySelectorAll('input[type="range"]')) if (input instanceof HTMLInputElement) say(input)
  }

  /** On pages that show more to who has a key (key.js). @returns {RequestInit} */
  function holderOptions() {
    if (!document.querySelector('[data-key-form]')) return {}
    try {
      const key = localStorage.getItem(KEY)
      return key === null ? {} : { headers: { authorization: `Bearer ${key}` }, cache: 'no-store' }
    } catch {
      return {} // storage is switched off
    }
  }

  /** The figure of a slider, beside its label. @param {HTMLInputElement} input */
  function say(input) {
    const output = input.parentElement?.querySelector('output')
    if (output) output.textContent = input.value
  }
})()
