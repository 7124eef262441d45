/** API reference: one language for all blocks of code, the key stored in this browser, and requests sent from the page. */
;(() => {
  const SHOWN_MAX = 20_000
  const key = document.getElementById('key')
  if (!(key instanceof HTMLInputElement)) return
  if (key.value === '') key.value = remembered.get('api-key')
  key.form?.addEventListener('submit', (event) => event.preventDefault())
  key.addEventListener('change', () => remembered.set('api-key', key.value.trim()))
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.type !== 'radio') return
    const top = target.getBoundingClientRect().top
    for (const one of document.querySelectorAll('.codes input')) {
      if (one instanceof HTMLInputElement && one.value === target.value) one.checked = true
    }
    scrollBy(0, target.getBoundingClientRect().top - top) // the height of the blocks above it has changed
  })
  for (const form of document.querySelectorAll('form[data-path]')) {
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      if (form instanceof HTMLFormElement) void send(form)
    })
  }

  /** @param {HTMLFormElement} form */
  async function send(form) {
    const place = form.nextElementSibling
    const [status, shown] = [place?.querySelector('p'), place?.querySelector('pre')]
    if (!(place instanceof HTMLElement) || !status || !shown || !(key instanceof HTMLInputElement)) return
    const { method = 'GET', path = '' } = form.dataset
    const values = new Map([...new FormData(form)].map(([name, value]) => [name, String(value).trim()]))
    const address = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(values.get(name) ?? ''))
    const query = new URLSearchParams(
      [...values].filter(([name, value]) => value !== '' && !path.includes(`{${name}}`)),
    )
    const body = form.querySelector('textarea')?.value ?? null
    const used = key.value.trim()
    const began = performance.now()
    status.textContent = '…'
    place.hidden = false
    try {
      const answer = await fetch(`${address}${query.size > 0 ? `?${query}` : ''}`, {
        method,
        body,
        headers: {
          ...(used !== '' && { authorization: `Bearer ${used}` }),
          ...(body !== null && { 'content-type': 'application/json' }),
        },
      })
      const text = await answer.text()
      const left = answer.headers.get('x-ratelimit-remaining')
      const facts = [`HTTP ${answer.status}`, `${Math.round(performance.now() - began)} ms`, `${text.length} B`]
      if (left !== null) facts.push(`X-RateLimit-Remaining: ${left}`)
      status.textContent = facts.join(' · ')
      shown.textContent = readable(text).slice(0, SHOWN_MAX)
    } catch {
      status.textContent = key.form?.dataset.unreachable ?? ''
      shown.textContent = ''
    }
    place.focus()
  }

  /** @param {string} text */
  function readable(text) {
    try {
      return JSON.stringify(JSON.parse(text), null, 2)
    } catch {
      return text // CSV, a calendar
    }
  }
})()
