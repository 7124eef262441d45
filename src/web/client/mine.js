/**
 * Settings saved on `/bands` as "mine": zone, contract and consumption, stored in this browser only, as the query of that page. They are shown in
 * a line of the frame, added to links to pages that accept them, and set the zone of the home page. Invalid settings are ignored and removed.
 */
;(() => {
  const USE = ['f1', 'f2', 'f3', 'f0']
  const TERMS = ['spread', 'fixed', 'fee', 'losses', 'vat']
  const NAMES = ['zone', 'contract', ...USE, ...TERMS]
  const line = document.querySelector('aside.mine')
  if (!(line instanceof HTMLElement)) return
  /** @type {{ zones: Record<string, string>, bands: string, flat: string, fixed: string, use: string }} */
  const texts = JSON.parse(line.dataset.texts ?? '{}')
  const page = location.pathname.replace(/^\/(en|it)(?=\/)/, '')

  let shown = remembered.get('mine')
  let mine = read(shown)
  if (shown !== '' && mine === undefined) remembered.set('mine', '')
  show()
  if (mine && page === '/bands' && location.search === '') location.replace(`?${mine}${location.hash}`)
  document.addEventListener('replaced', show)
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted && remembered.get('mine') !== shown) location.reload() // stored or cleared on another page
  })
  line.querySelector('button')?.addEventListener('click', () => {
    remembered.set('mine', '')
    const address = new URL(location.href)
    for (const name of NAMES) address.searchParams.delete(name)
    address.hash = ''
    location.replace(address)
  })
  chooseZone()
  const form = document.querySelector('form#mine')
  if (form instanceof HTMLFormElement) prepare(form)

  /** Undefined if a field is missing or invalid. @param {string} text @returns {URLSearchParams | undefined} */
  function read(text) {
    const found = new URLSearchParams(text)
    const contract = found.get('contract') ?? ''
    const isValid =
      NAMES.every((name) => found.getAll(name).length === 1) &&
      [...found].length === NAMES.length &&
      Object.hasOwn(texts.zones, found.get('zone') ?? '') &&
      ['bands', 'flat', 'fixed'].includes(contract) &&
      USE.every((name) => /^\d{1,7}(\.\d{1,6})?(( \d{1,7}(\.\d{1,6})?){11})?$/.test(found.get(name) ?? '')) &&
      TERMS.every((name) => /^\d{1,7}(\.\d{1,6})?$/.test(found.get(name) ?? ''))
    return isValid ? found : undefined
  }

  function show() {
    document.documentElement.classList.toggle('has-mine', mine !== undefined)
    const said = line?.querySelector('span')
    if (mine === undefined || !said) return
    const contract = /** @type {'bands' | 'flat' | 'fixed'} */ (mine.get('contract'))
    const number = (/** @type {number} */ value) =>
      value.toLocaleString(document.documentElement.lang, { useGrouping: false, maximumFractionDigits: 6 })
    const mean = (/** @type {number[]} */ values) => values.reduce((sum, one) => sum + one, 0) / values.length
    const use = USE.reduce((sum, name) => sum + mean((mine?.get(name) ?? '').split(' ').map(Number)), 0)
    const price = Number(mine.get(contract === 'fixed' ? 'fixed' : 'spread'))
    const zone = mine.get('zone') ?? ''
    said.textContent = [
      texts.zones[zone],
      texts[contract].replace('#', number(price)),
      texts.use.replace('#', number(Math.round(use))),
    ].join(', ')
    for (const link of document.links) {
      const path = link.pathname.replace(/^\/(en|it)(?=\/)/, '')
      if (link.origin !== location.origin || link.search !== '' || link.closest('.languages')) continue
      if (path === '/bands') link.search = String(mine)
      if (path === '/prices/pun/hours') link.search = `zone=${zone}`
    }
    for (const place of document.querySelectorAll(`[data-zone="${zone}"]`)) place.classList.add('own')
  }

  /** Selects the stored zone on the home page if its URL names none. */
  function chooseZone() {
    const select = document.querySelector('form[data-live] select[name=zone]')
    const zone = mine?.get('zone')
    if (!(select instanceof HTMLSelectElement) || zone === undefined || zone === null) return
    if (new URLSearchParams(location.search).has('zone') || select.value === zone) return
    select.value = zone
    select.dispatchEvent(new Event('input', { bubbles: true }))
  }

  /** @param {HTMLFormElement} form */
  function prepare(form) {
    const files = form.querySelector('input[type=file]')
    form.querySelector('[data-keep]')?.addEventListener('click', () => {
      if (!form.reportValidity()) return
      const entries = [...new FormData(form)].filter(([name]) => NAMES.includes(name))
      const kept = String(
        new URLSearchParams(entries.map(([name, value]) => [name, String(value).replaceAll(',', '.')])),
      )
      const failed = form.querySelector('[data-not-kept]')
      const isKept = remembered.set('mine', kept)
      if (failed instanceof HTMLElement) failed.hidden = isKept
      if (!isKept) return
      shown = kept
      mine = read(kept)
      show()
      form.requestSubmit()
    })
    if (!(files instanceof HTMLInputElement)) return
    files.addEventListener('change', async () => {
      const { fillFrom } = await import(files.dataset.reader ?? '')
      await fillFrom(form, [...(files.files ?? [])])
    })
  }
})()
