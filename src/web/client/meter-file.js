/**
 * Reads distributors' files of hourly or quarter-hourly consumption in the browser: kWh by month and tariff band. A row is either a day, with its
 * date and 24 or 96 columns of kWh, or an interval, with its start and its kWh. Loaded by `mine.js` when a file is chosen.
 */

/**
 * @typedef {'f1' | 'f2' | 'f3'} Band
 * @typedef {{ month: string, f1: number, f2: number, f3: number, isComplete: boolean }} Month
 * @typedef {{ date: string, minute: number, kwh: number | undefined }} Interval
 * @typedef {{ kind: 'unknown' | 'twice', line: string, columns: number, separator: string }} Refusal
 */

const DATE = /^(?:(\d{4})-(0\d|1[0-2])-(\d{2})|(\d{2})[/.-](0\d|1[0-2])[/.-](\d{4}))(?![\d/.-])/
/** `00:15`, optionally after a date, or with seconds, an offset or the end of the interval; not in UTC. */
const TIME = /^(?:\S{10}[T ] ?)?(\d{2}):(\d{2})(?::\d{2})?(?: ?[-+–] ?\d{2}:?\d{2})?$/
const NUMBER = /^\d+(?:[.,]\d+)?$/
/** Possible numbers of columns of a day by hour or quarter-hour, including change days. */
const COLUMNS = [23, 24, 25, 92, 96, 100]
const MONTHS_OF_MEAN = 12
/** Bands of a week from Monday, one character per hour, as in `sql/objects/tariff_bands.sql`. */
const BANDS = `${'333333321111111111122223'.repeat(5)}333333322222222222222223${'3'.repeat(24)}`

/**
 * @param {readonly string[]} texts the files
 * @param {readonly string[]} holidays YYYY-MM-DD
 * @returns {{ months: Month[] } | { refusal: Refusal }}
 */
export function readMeterFiles(texts, holidays) {
  /** @type {Map<string, Interval[]>} */
  const days = new Map()
  for (const text of texts) {
    const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
    const begin = lines.findIndex((line) => intervalsOf(line) !== undefined)
    const dated = lines.filter((line, i) => i >= begin && cellsOf(line).cells.some((cell) => DATE.test(cell)))
    if (begin === -1) return refuse('unknown', dated[0] ?? lines[0] ?? '')
    const before = new Set(days.keys())
    for (const line of dated) {
      const intervals = intervalsOf(line)
      if (intervals === undefined) return refuse('unknown', line)
      const [{ date }] = intervals
      if (before.has(date) || (intervals.length > 1 && days.has(date))) return refuse('twice', line)
      days.set(date, [...(days.get(date) ?? []), ...intervals])
    }
  }
  const perHour = [...days.values()].flat().some(({ minute }) => minute % 60 !== 0) ? 4 : 1
  for (const [date, intervals] of days)
    if (intervals.length > Math.max(24, hoursOf(date)) * perHour) return refuse('twice', date)
  return { months: monthsOf(days, perHour, new Set(holidays)) }
}

/** Returns the last complete month of each calendar month from January on; undefined if one is missing. @param {readonly Month[]} months */
export function everyMonth(months) {
  const complete = months.filter(({ isComplete }) => isComplete)
  const found = Array.from({ length: 12 }, (_, i) => complete.findLast(({ month }) => Number(month.slice(5)) === i + 1))
  return found.every((month) => month !== undefined) ? found : undefined
}

/** Returns the mean of the last complete months, at most a year; undefined if none is complete. @param {readonly Month[]} months */
export function meanMonth(months) {
  const complete = months.filter(({ isComplete }) => isComplete).slice(-MONTHS_OF_MEAN)
  if (complete.length === 0) return undefined
  /** @param {Band} band */
  const mean = (band) => complete.reduce((sum, month) => sum + month[band], 0) / complete.length
  return { count: complete.length, f1: mean('f1'), f2: mean('f2'), f3: mean('f3') }
}

/** @param {string} line */
function cellsOf(line) {
  const separators = [';', '\t', ','].map((separator) => ({ separator, cells: split(line, separator) }))
  return separators.find(({ cells }) => cells.length > 1) ?? { separator: '', cells: [line.trim()] }
}

/**
 * @param {Refusal['kind']} kind
 * @param {string} line
 * @returns {{ refusal: Refusal }}
 */
function refuse(kind, line) {
  const { separator, cells } = cellsOf(line)
  return { refusal: { kind, line, separator, columns: cells.length } }
}

/** A separator within quotes is part of its cell. @param {string} line @param {string} separator */
function split(line, separator) {
  const cells = line.split(new RegExp(`${separator}(?=(?:[^"]*"[^"]*")*[^"]*$)`))
  return cells.map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'))
}

/** Returns undefined if the format of the line is unknown. @param {string} line @returns {[Interval, ...Interval[]] | undefined} */
function intervalsOf(line) {
  const { cells } = cellsOf(line)
  const at = cells.findIndex((cell) => DATE.test(cell))
  const [, year, month, day, dayFirst, monthSecond, yearLast] = DATE.exec(cells[at] ?? '') ?? []
  const date = year ? `${year}-${month}-${day}` : `${yearLast}-${monthSecond}-${dayFirst}`
  const rest = cells.slice(at + 1)
  if (at === -1) return undefined
  const time = TIME.exec(cells[at] ?? '') ?? TIME.exec(rest[0] ?? '')
  if (time) {
    const numbers = rest.filter((cell) => NUMBER.test(cell))
    const minute = 60 * Number(time[1]) + Number(time[2])
    return numbers.length > 1 || minute >= 1440 ? undefined : [{ date, minute, kwh: kwhOf(numbers[0] ?? '') }]
  }
  while (rest.length > 96 && rest.at(-1) === '') rest.pop()
  const isKnown = COLUMNS.includes(rest.length) && rest.every((cell) => cell === '' || NUMBER.test(cell))
  if (!isKnown || (cells[at] ?? '').length !== 10) return undefined
  const minutes = rest.length > 25 ? 15 : 60
  const intervals = rest.map((cell, i) => ({ date, minute: Math.min(i * minutes, 1439), kwh: kwhOf(cell) }))
  return /** @type {[Interval, ...Interval[]]} */ (intervals)
}

/** @param {string} cell */
function kwhOf(cell) {
  return cell === '' ? undefined : Number(cell.replace(',', '.'))
}

/** The last Sundays of March and October have an hour less and an hour more. @param {string} date */
function hoursOf(date) {
  const [, month, day] = date.split('-').map(Number)
  if (new Date(date).getUTCDay() !== 0 || (day ?? 0) < 25) return 24
  return month === 3 ? 23 : month === 10 ? 25 : 24
}

/**
 * 24 hours suffice on a day of 25, since some files have 24 on every day.
 * @param {Map<string, Interval[]>} days
 * @param {number} perHour
 * @param {Set<string>} holidays
 * @returns {Month[]}
 */
function monthsOf(days, perHour, holidays) {
  /** @type {Map<string, Month & { days: number }>} */
  const months = new Map()
  for (const [date, intervals] of [...days].sort(([a], [b]) => a.localeCompare(b))) {
    const name = date.slice(0, 7)
    const month = months.get(name) ?? { month: name, f1: 0, f2: 0, f3: 0, days: 0, isComplete: false }
    months.set(name, month)
    const known = intervals.filter(({ kwh }) => kwh !== undefined)
    if (known.length >= Math.min(24, hoursOf(date)) * perHour) month.days++
    for (const { minute, kwh = 0 } of known) month[bandOf(date, minute, holidays)] += kwh
  }
  return [...months.values()].map(({ days, ...month }) => ({ ...month, isComplete: days === daysOf(month.month) }))
}

/** @param {string} month */
function daysOf(month) {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number, 0)).getUTCDate()
}

/**
 * Returns the band by Rome time. Change days are Sundays, entirely F3, so the skipped or repeated hour needs no special case.
 * @param {string} date
 * @param {number} minute
 * @param {Set<string>} holidays
 */
function bandOf(date, minute, holidays) {
  const weekday = (new Date(date).getUTCDay() + 6) % 7
  const digit = holidays.has(date) ? '3' : BANDS[24 * weekday + Math.floor(minute / 60)]
  return /** @type {Band} */ (`f${digit}`)
}

/**
 * Fills in the consumption of a month, and shows the months read, or why the files were rejected.
 * @param {HTMLFormElement} form
 * @param {readonly File[]} files
 */
export async function fillFrom(form, files) {
  const place = form.querySelector('#read')
  if (!place || files.length === 0) return
  /** @type {Record<'month' | 'total' | 'incomplete' | 'filled' | 'filledAll' | 'none' | 'unknown' | 'twice' | 'failed', string>} */
  const texts = JSON.parse(form.dataset.texts ?? '{}')
  const contents = await Promise.all(files.map((file) => file.text())).catch(() => undefined)
  if (contents === undefined) return place.replaceChildren(paragraph(texts.failed, 'problem'))
  const read = readMeterFiles(contents, (form.dataset.holidays ?? '').split(' '))
  if ('refusal' in read) {
    const { kind, line, columns, separator } = read.refusal
    const seen = line.length > LINE_SHOWN ? `${line.slice(0, LINE_SHOWN)}…` : line
    const text = texts[kind].replace('{line}', () => seen).replace('{columns}', String(columns))
    return place.replaceChildren(
      paragraph(
        text.replace('{separator}', () => separator),
        'problem',
      ),
    )
  }
  const number = new Intl.NumberFormat(document.documentElement.lang, { maximumFractionDigits: 1, useGrouping: false })
  const mean = meanMonth(read.months)
  const every = everyMonth(read.months)
  for (const band of mean ? BAND_NAMES : []) {
    const field = form.querySelector(`[name=${band}]`)
    if (field instanceof HTMLInputElement && mean)
      field.value = (every ?? [mean]).map((month) => number.format(month[band])).join(' ')
  }
  const unsplit = form.querySelector('[name=f0]')
  if (mean && unsplit instanceof HTMLInputElement) unsplit.value = '0'
  const filled = every ? texts.filledAll : texts.filled
  const said = mean ? filled.replace('#', String(mean.count)) : texts.none
  place.replaceChildren(paragraph(said, mean ? '' : 'problem'), tableOf(read.months, texts, number))
}

const LINE_SHOWN = 60
/** @type {readonly Band[]} */
const BAND_NAMES = ['f1', 'f2', 'f3']

/** @param {string} text @param {string} className */
function paragraph(text, className) {
  return Object.assign(document.createElement('p'), { textContent: text, className })
}

/**
 * @param {readonly Month[]} months
 * @param {Record<'month' | 'total' | 'incomplete', string>} texts
 * @param {Intl.NumberFormat} number
 */
function tableOf(months, texts, number) {
  const names = new Intl.DateTimeFormat(document.documentElement.lang, {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })
  const table = document.createElement('table')
  const head = table.createTHead().insertRow()
  for (const [i, text] of [texts.month, 'F1', 'F2', 'F3', texts.total].entries())
    head.append(
      Object.assign(document.createElement('th'), {
        scope: 'col',
        textContent: text,
        className: i > 0 ? 'number' : '',
      }),
    )
  const body = table.createTBody()
  for (const { month, isComplete, f1, f2, f3 } of months.toReversed()) {
    const row = body.insertRow()
    const name = names.format(new Date(month)) + (isComplete ? '' : ` (${texts.incomplete})`)
    row.append(Object.assign(document.createElement('th'), { scope: 'row', textContent: name }))
    for (const kwh of [f1, f2, f3, f1 + f2 + f3])
      row.append(Object.assign(document.createElement('td'), { className: 'number', textContent: number.format(kwh) }))
  }
  return table
}
