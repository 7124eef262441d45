/**
 * SQL editor: runs the query with the key stored in this browser, and shows its rows, a chart of them drawn by `charts.js`, its plan, or the
 * error at its position. Keeps the query in the fragment of the URL.
 */
;(() => {
  /** Pause after the last change: browsers limit how often the URL may change. */
  const STILL_MS = 150
  const SHOWN_MAX = 2_000
  const LINES = ['first', 'actual', 'f1', 'f3', 'previous']
  const NUMBERS = ['integer', 'bigint', 'double precision', 'numeric']
  const TIMES = ['date', 'timestamp with time zone']

  const form = element('sql-form', HTMLFormElement)
  const query = element('sql', HTMLTextAreaElement)
  const key = element('key', HTMLInputElement)
  const status = element('sql-status', HTMLElement)
  const result = element('sql-result', HTMLElement)
  /** @type {Record<string, string>} */
  const texts = JSON.parse(form.dataset.texts ?? '{}')
  const language = document.documentElement.lang
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 6 })
  /** @type {AbortController | undefined} */
  let running
  let cursor = ''
  let resting = 0

  // Keep input entered before this script loaded.
  if (key.value === '') key.value = remembered.get('api-key')
  if (query.value === query.defaultValue) readAddress()
  else keepQuery()
  for (const name of ['run', 'csv', 'forget']) button(name).hidden = false
  addEventListener('hashchange', readAddress)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void explain()
  })
  button('run').addEventListener('click', () => void run())
  button('more').addEventListener('click', () => void run(cursor))
  button('csv').addEventListener('click', () => void download())
  button('stop').addEventListener('click', () => running?.abort())
  button('forget').addEventListener('click', () => {
    remembered.set('api-key', '')
    key.value = ''
    status.textContent = texts.forgotten ?? ''
  })
  query.addEventListener('input', () => {
    endPages()
    clearTimeout(resting)
    resting = setTimeout(keepQuery, STILL_MS)
  })
  query.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    void run()
  })

  /** @typedef {{ name: string, type: string }} Column */
  /** @typedef {Record<string, string | number | boolean | null>} Row */
  /** @typedef {{ columns: Column[], rows: Row[], row_count: number, truncated: boolean, next_cursor?: string }} Reply */

  async function run(from = '') {
    const began = performance.now()
    const reply = /** @type {Reply | undefined} */ (
      await ask(from === '' ? {} : { cursor: from }, (answer) => answer.json())
    )
    if (reply === undefined) return
    cursor = reply.next_cursor ?? ''
    button('more').hidden = cursor === ''
    const seconds = number.format(Math.round((performance.now() - began) / 10) / 100)
    const parts = [filled('rows', { rows: number.format(reply.row_count), seconds })]
    if (reply.rows.length > SHOWN_MAX) parts.push(filled('first', { rows: number.format(SHOWN_MAX) }))
    if (reply.truncated) parts.push(texts.truncated ?? '')
    status.textContent = parts.join(', ')
    show(reply)
  }

  async function explain() {
    const reply = /** @type {Reply | undefined} */ (await ask({ explain: 'true' }, (answer) => answer.json()))
    if (reply === undefined) return
    endPages()
    const plan = document.createElement('pre')
    plan.tabIndex = 0
    plan.append(make('code', reply.rows.map((row) => String(Object.values(row)[0])).join('\n')))
    status.textContent = ''
    result.replaceChildren(plan)
  }

  async function download() {
    const file = await ask({ format: 'csv', stream: 'true' }, (answer) => answer.blob())
    if (file === undefined) return
    const link = document.createElement('a')
    link.href = URL.createObjectURL(file)
    link.download = 'query.csv'
    link.click()
    URL.revokeObjectURL(link.href)
    status.textContent = texts.saved ?? ''
  }

  /** Ends paging: the rows shown, if any, belong to another query. */
  function endPages() {
    cursor = ''
    button('more').hidden = true
  }

  /**
   * Returns what `read` makes of a successful response, else shows the error. A newer request aborts an older one.
   * @template Read
   * @param {Record<string, string>} parameters
   * @param {(answer: Response) => Promise<Read>} read
   * @returns {Promise<Read | undefined>}
   */
  async function ask(parameters, read) {
    running?.abort()
    const own = new AbortController()
    running = own
    problem('sql', '')
    problem('key', '')
    status.textContent = texts.running ?? ''
    button('stop').hidden = false
    keepQuery()
    const used = key.value.trim()
    try {
      const answer = await fetch(`${form.dataset.api}?${new URLSearchParams(parameters)}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${used}`, 'content-type': 'application/json' },
        body: JSON.stringify({ sql: query.value }),
        signal: own.signal,
      })
      const refusal = answer.ok ? undefined : await answer.json()
      if (!aboutKey(refusal)) remembered.set('api-key', used)
      if (refusal === undefined) return await read(answer)
      if (running === own) refuse(refusal)
    } catch {
      if (running === own) status.textContent = (own.signal.aborted ? texts.stopped : texts.unreachable) ?? ''
    } finally {
      if (running === own) button('stop').hidden = true
    }
    return undefined
  }

  /** @typedef {{ message?: string, param?: string, error?: string }} Refusal */

  /** @param {Refusal | undefined} refusal */
  function aboutKey(refusal) {
    return /key|tier/.test(refusal?.error ?? '')
  }

  /** @param {Refusal} refusal */
  function refuse(refusal) {
    const { message = '', param } = refusal
    status.textContent = ''
    if (aboutKey(refusal)) return problem('key', message)
    const at = param === 'sql' ? /\(at character (\d+)\)/.exec(message)?.[1] : undefined
    if (at === undefined) return problem('sql', message)
    // PostgreSQL counts characters, the field UTF-16 units.
    const before = [...query.value].slice(0, Number(at) - 1).join('')
    const lines = before.split('\n')
    const column = String([...(lines.at(-1) ?? '')].length + 1)
    problem('sql', filled('line', { line: String(lines.length), column, message }))
    query.setSelectionRange(before.length, before.length + 1)
  }

  /**
   * @param {'sql' | 'key'} field
   * @param {string} message
   */
  function problem(field, message) {
    const place = element(`${field}-problem`, HTMLElement)
    const input = field === 'sql' ? query : key
    place.lang = 'en'
    place.textContent = message
    if (message === '') return input.removeAttribute('aria-invalid')
    input.setAttribute('aria-invalid', 'true')
    input.focus()
  }

  /** @param {Reply} reply */
  function show({ columns, rows }) {
    const shown = rows.slice(0, SHOWN_MAX)
    const time = columns[0]
    const values = columns.slice(1).filter(({ type }) => NUMBERS.includes(type))
    const isSeries =
      time !== undefined &&
      TIMES.includes(time.type) &&
      values.length > 0 &&
      shown.length > 1 &&
      new Set(shown.map((row) => row[time.name])).size === shown.length
    const lines = new Map(isSeries ? values.slice(0, LINES.length).map(({ name }, i) => [name, LINES[i] ?? '']) : [])
    const scroll = make('div', '', 'scroll tall')
    scroll.tabIndex = 0
    scroll.setAttribute('role', 'region')
    scroll.setAttribute('aria-label', result.dataset.label ?? '')
    scroll.append(tableOf(columns, shown, lines))
    if (!isSeries) return result.replaceChildren(scroll)
    const figure = make('figure', '', 'chart card')
    figure.dataset.unit = ''
    figure.dataset.detail = time.type === 'date' ? 'day' : 'hour'
    const names = make('figcaption', '', 'key')
    names.append(...[...lines].map(([name, line]) => make('span', name, `swatch ${line}`)))
    const [readout, plot] = [make('p', '', 'readout small'), make('div', '', 'plot')]
    for (const one of [readout, plot]) one.setAttribute('aria-hidden', 'true')
    figure.append(names, readout, plot, scroll)
    result.replaceChildren(figure)
    document.dispatchEvent(new Event('replaced'))
  }

  /**
   * @param {Column[]} columns
   * @param {Row[]} rows
   * @param {Map<string, string>} lines
   */
  function tableOf(columns, rows, lines) {
    const table = document.createElement('table')
    const head = table.createTHead().insertRow()
    for (const { name, type } of columns) {
      const cell = make('th', name, NUMBERS.includes(type) ? 'number' : '')
      cell.setAttribute('scope', 'col')
      const line = lines.get(name)
      if (line !== undefined) Object.assign(cell.dataset, { line, label: name })
      head.append(cell)
    }
    const body = table.createTBody()
    for (const row of rows) {
      const line = body.insertRow()
      for (const column of columns) line.append(cellOf(row[column.name] ?? null, column))
    }
    return table
  }

  /**
   * @param {Row[string]} value
   * @param {Column} column
   */
  function cellOf(value, { type }) {
    const cell = make('td', '', NUMBERS.includes(type) ? 'number' : '')
    if (value === null) return cell
    if (TIMES.includes(type)) {
      const time = document.createElement('time')
      time.dateTime = String(value)
      time.textContent = String(value).replace('T', ' ')
      cell.append(time)
    } else if (typeof value === 'number') {
      const data = document.createElement('data')
      data.value = String(value)
      data.textContent = number.format(value)
      cell.append(data)
    } else cell.textContent = String(value)
    return cell
  }

  function readAddress() {
    const text = new URLSearchParams(location.hash.slice(1)).get('q')
    if (text !== null) query.value = text
  }

  function keepQuery() {
    // `+` for a space would be read back correctly, but looks wrong in a shared URL.
    history.replaceState(null, '', `#q=${encodeURIComponent(query.value)}`)
    document.dispatchEvent(new Event('moved'))
  }

  /**
   * @param {string} name
   * @param {Record<string, string>} values
   */
  function filled(name, values) {
    return (texts[name] ?? '').replace(/\{(\w+)\}/g, (_, word) => values[word] ?? '')
  }

  /**
   * @template {keyof HTMLElementTagNameMap} Tag
   * @param {Tag} tag
   * @param {string} text
   */
  function make(tag, text, className = '') {
    const made = document.createElement(tag)
    if (text !== '') made.textContent = text
    if (className !== '') made.className = className
    return made
  }

  /** @param {string} name */
  function button(name) {
    const found = form.querySelector(`[data-do="${name}"]`)
    if (!(found instanceof HTMLButtonElement)) throw new Error(`no button ${name}`)
    return found
  }

  /**
   * @template {HTMLElement} Kind
   * @param {string} id
   * @param {new () => Kind} kind
   * @returns {Kind}
   */
  function element(id, kind) {
    const found = document.getElementById(id)
    if (!(found instanceof kind)) throw new Error(`no element ${id}`)
    return found
  }
})()
