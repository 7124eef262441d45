/**
 * Updates the result of forms marked `data-live` on input: fetches the page that the form leads to, and replaces the elements with the ids in
 * `data-live`, and the links that carry the form's values. The URL is updated, so that the view can be bookmarked and shared. Until then the
 * elements are `aria-busy`, and remain so if no response comes. Without JavaScript the form is sent with its button.
 */
;(() => {
  const PAUSE_MS = 150
  /** Elements that carry the rest of the query: links, and hidden fields of other forms. */
  const LINKS = '.choice a, #for-holder .scroll a, .carried'
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
    const ids = (form.dataset.live ?? '').split(' ')
    let timer = 0
    let latest = 0
    /** @returns {Promise<boolean>} whether the page was loaded */
    const show = async () => {
      const mine = ++latest
      clearTimeout(timer)
      const address = new URL(form.action)
      for (const [name, value] of new FormData(form)) address.searchParams.set(name, String(value))
      /** @type {RequestInit} */
      const options = {}
      document.dispatchEvent(new CustomEvent('asking', { detail: options })) // key.js adds the key
      const text = await textAt(address, options)
      if (mine !== latest || !form.isConnected) return true // changed again meanwhile
      const made = new DOMParser().parseFromString(text ?? '', 'text/html')
      if (!ids.every((id) => document.getElementById(id) && made.getElementById(id))) return false
      const details = () => ids.flatMap((id) => [...(document.getElementById(id)?.querySelectorAll('details') ?? [])])
      const opened = details().map(({ open }) => open)
      for (const id of ids)
        document
          .getElementById(id)
          ?.replaceWith(document.adoptNode(/** @type {HTMLElement} */ (made.getElementById(id))))
      replaceLinks(made)
      history.replaceState(null, '', address)
      for (const event of ['replaced', 'moved']) document.dispatchEvent(new Event(event))
      for (const [i, one] of details().entries()) one.open = opened[i] ?? one.open
      return true
    }
    const busy = () => {
      for (const id of ids) document.getElementById(id)?.setAttribute('aria-busy', 'true')
    }
    form.addEventListener('input', ({ target }) => {
      if (target instanceof HTMLInputElement) say(target)
      busy()
      clearTimeout(timer)
      if (form.checkValidity()) timer = setTimeout(show, PAUSE_MS)
    })
    form.addEventListener('submit', async (event) => {
      event.preventDefault()
      busy()
      if (!(await show())) return form.submit() // the page itself shows the error
      const result = document.getElementById(ids[0] ?? '')
      if (result === null || result.contains(form)) return
      result.tabIndex = -1
      result.focus()
    })
    const inputs = [...form.querySelectorAll('input')]
    for (const input of inputs) if (input.type === 'range') say(input)
    // Entered before this script loaded, or restored by the browser.
    if (inputs.some(({ value, defaultValue }) => value !== defaultValue)) {
      busy()
      void show()
    }
  }

  /** @param {Document} made */
  function replaceLinks(made) {
    const links = [...document.querySelectorAll(LINKS)]
    for (const [i, link] of made.querySelectorAll(LINKS).entries()) {
      const old = links[i]
      const hadFocus = old === document.activeElement
      old?.replaceWith(document.adoptNode(link))
      if (hadFocus && link instanceof HTMLElement) link.focus()
    }
  }

  /** Shows the value of a slider next to its label. @param {HTMLInputElement} input */
  function say(input) {
    const output = input.parentElement?.querySelector('output')
    if (output)
      output.textContent = Number(input.value).toLocaleString(document.documentElement.lang, { useGrouping: false })
  }
})()
