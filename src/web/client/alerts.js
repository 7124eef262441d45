/**
 * Creates alerts on the page of a key's owner, and sends, resumes and deletes them (`[data-call]`). key.js adds the key to each request
 * and fetches the page again afterwards; the new page shows the outcome of the request.
 */
;(() => {
  const POLL_MS = 1_000
  const POLLS = 15

  document.addEventListener('submit', (event) => {
    const form = event.target
    if (!(form instanceof HTMLFormElement) || form.dataset.newAlert === undefined) return
    event.preventDefault()
    const fields = Object.fromEntries(new FormData(form))
    const { threshold, receiver, webhook_url: url, ...rest } = fields
    const to = receiver === 'email' ? { email: true } : { webhook_url: url, body: receiver }
    const body = {
      ...rest,
      ...to,
      threshold: Number(String(threshold).replace(',', '.')),
      language: document.documentElement.lang,
    }
    void act(form.querySelector('button'), 'POST', form.dataset.newAlert, body)
  })
  document.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLSelectElement && target.name === 'receiver') showAddress(target)
  })
  document.addEventListener('click', ({ target }) => {
    if (!(target instanceof HTMLButtonElement) || target.dataset.call === undefined) return
    const { call, method = 'POST', question } = target.dataset
    if (question === undefined || confirm(question)) void act(target, method, call)
  })
  document.addEventListener('replaced', () => {
    const receiver = document.querySelector('[data-new-alert] select[name=receiver]')
    if (receiver instanceof HTMLSelectElement) showAddress(receiver)
  })

  /** A webhook needs a URL, mail does not. @param {HTMLSelectElement} receiver */
  function showAddress(receiver) {
    const field = receiver.form?.elements.namedItem('webhook_url')
    if (!(field instanceof HTMLInputElement) || !field.parentElement) return
    field.disabled = receiver.value === 'email'
    field.parentElement.hidden = field.disabled
  }

  /**
   * @param {HTMLButtonElement | null} button
   * @param {string} method
   * @param {string} address
   * @param {object} [body]
   */
  async function act(button, method, address, body) {
    if (button) button.disabled = true
    const reply = await ask(address, method, body)
    const answer = await reply?.json().catch(() => undefined)
    if (reply?.ok && answer?.status === 'pending') await settled(address, answer.id)
    if (reply?.ok) await refreshed()
    if (button) button.disabled = false
    const problem = reply?.ok ? '' : (answer?.message ?? '')
    say('alert-problem', problem, !reply?.ok)
    say('alert-unsent', '', answer?.email === true && answer.verification === 'pending')
    say(
      'alert-secret',
      answer?.email ? '' : (answer?.signing_secret ?? ''),
      answer?.signing_secret !== undefined && !answer.email,
    )
  }

  /** Polls until the delivery has an outcome, at most `POLLS` times. @param {string} address @param {string} id */
  async function settled(address, id) {
    const list = address.replace(/\/\w+$/, '/deliveries')
    for (let poll = 0; poll < POLLS; poll += 1) {
      await new Promise((done) => setTimeout(done, POLL_MS))
      const answer = await (await ask(list, 'GET'))?.json().catch(() => undefined)
      const delivery = answer?.deliveries?.find((/** @type {{ id: string }} */ one) => one.id === id)
      if (delivery === undefined || delivery.attempts.length > 0) return
    }
  }

  /** @param {string} address @param {string} method @param {object} [body] */
  function ask(address, method, body) {
    /** @type {RequestInit} */
    const options = {}
    document.dispatchEvent(new CustomEvent('asking', { detail: options }))
    const headers = { ...options.headers, ...(body && { 'content-type': 'application/json' }) }
    return fetch(address, { ...options, method, headers, ...(body && { body: JSON.stringify(body) }) }).catch(
      () => undefined,
    )
  }

  function refreshed() {
    /** @type {{ shown?: Promise<boolean> }} */
    const detail = {}
    document.dispatchEvent(new CustomEvent('outdated', { detail }))
    return detail.shown
  }

  /** @param {string} name @param {string} text @param {boolean} isShown */
  function say(name, text, isShown) {
    const element = document.querySelector(`[data-${name}]`)
    if (!(element instanceof HTMLElement)) return
    element.hidden = !isShown
    const place = element.querySelector('[data-text]')
    if (place) place.textContent = text
  }
})()
