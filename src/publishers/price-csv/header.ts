/** Reads the header of a price file: the role of each column, and so which of the two shapes the file has. */
import { parse } from 'csv-parse/sync'
import { ASSET_CODES, type AssetCode, type AssetSlug, assetBySlug } from '../../market/assets.ts'
import type { ResolutionMinutes } from '../../market/market-day.ts'
import type { ZoneCode } from '../../market/zones.ts'
import { NATIONAL_ZONE } from '../../market/zones.ts'
import { UnreadableDocument } from '../faults.ts'
import {
  AUCTION_VOLUME_COLUMN,
  assetInFileName,
  assetOfColumn,
  CONTRACT_COLUMN,
  columnsOf,
  DATE_COLUMNS,
  genericColumnsOf,
  HOUR_COLUMN,
  ORDINAL_COLUMNS,
  START_COLUMN,
  zoneOfColumn,
} from './columns.ts'

export type Separator = ',' | ';'

/** Options of the caller that override the header. */
export interface PriceCsvOptions {
  /** The one price column to read. */
  column?: string
  /** The asset it is a price of. */
  asset?: AssetSlug
}

export interface Column {
  index: number
  /** Name in the header, in lower case. */
  name: string
}

/** A row per interval; a column per zone, or per fundamental in place of a zone. */
export interface IntervalLayout<Zone extends string = ZoneCode> {
  shape: 'intervals'
  separator: Separator
  date: Column
  ordinal: Column
  resolutionMinutes: ResolutionMinutes
  /** Hour of the quarter-hours, if the file states it too. */
  hour: Column | undefined
  start: Column | undefined
  zones: (Column & { zone: Zone })[]
}

/** A row per day, or per auction; a price column per asset. */
export interface DayLayout {
  shape: 'days'
  separator: Separator
  date: Column
  assets: (Column & { asset: AssetCode })[]
  contract: Column | undefined
  auctionVolume: Column | undefined
}

export type PriceCsvLayout = IntervalLayout | DayLayout

const HEADER = 'header'
/** How many columns a message lists. */
const COLUMNS_SHOWN = 12
const NAME_LENGTH_SHOWN = 40

/** Fails with UnreadableDocument, naming what is missing and which option would help. `fileName` is only a hint for the asset. */
export function readHeader(line: string, fileName: string, options: PriceCsvOptions): PriceCsvLayout {
  const separator = line.includes(';') ? ';' : ','
  const header = new Header(columnNames(line, separator))
  const date = header.first(DATE_COLUMNS)
  if (date === undefined) {
    throw new UnreadableDocument(
      HEADER,
      `is not recognised: it has no column of days (${DATE_COLUMNS.join(', ')}); ${header.describe()}`,
    )
  }
  const intervals = intervalColumns(header)
  if (intervals === undefined) return dayLayout(header, separator, date, fileName, options)
  return { shape: 'intervals', separator, date, ...intervals, zones: zoneColumns(header, options) }
}

/**
 * Returns the layout of an interval table with columns other than zone prices. Returns undefined if it has no such column, or has one
 * for which `isForeignColumn` is true.
 */
export function readIntervalColumns<Zone extends string>(
  line: string,
  zoneOf: (column: string) => Zone | undefined,
  isForeignColumn: (column: string) => boolean,
): IntervalLayout<Zone> | undefined {
  const separator = line.includes(';') ? ';' : ','
  const names = columnNames(line, separator)
  const zones = names.flatMap((name, index) => {
    const zone = zoneOf(name)
    return zone === undefined ? [] : [{ index, name, zone }]
  })
  if (zones.length === 0 || names.some(isForeignColumn)) return undefined
  const header = new Header(names)
  const date = header.first(DATE_COLUMNS)
  const intervals = intervalColumns(header)
  if (date === undefined || intervals === undefined) return undefined
  return { shape: 'intervals', separator, date, ...intervals, zones }
}

/** Returns undefined if no column numbers the intervals of a day. */
function intervalColumns(
  header: Header,
): Pick<IntervalLayout, 'ordinal' | 'resolutionMinutes' | 'hour' | 'start'> | undefined {
  const ordinal = header.first([...ORDINAL_COLUMNS.keys()])
  if (ordinal === undefined) return undefined
  const resolutionMinutes = ORDINAL_COLUMNS.get(ordinal.name) as ResolutionMinutes
  const hour = ordinal.name === HOUR_COLUMN ? undefined : header.first([HOUR_COLUMN])
  return { ordinal, resolutionMinutes, hour, start: header.first([START_COLUMN]) }
}

function columnNames(line: string, separator: Separator): string[] {
  try {
    const [names] = parse(line, { delimiter: separator }) as string[][]
    return (names ?? []).map((name) => name.trim().toLowerCase())
  } catch (err) {
    throw new UnreadableDocument(HEADER, `is not a line of CSV (${(err as Error).message})`)
  }
}

class Header {
  readonly #names: readonly string[]

  constructor(names: readonly string[]) {
    this.#names = names
    const seen = new Set<string>()
    const twice = names.find((name) => name !== '' && seen.size === seen.add(name).size)
    if (twice !== undefined) throw new UnreadableDocument(HEADER, `names the column "${twice}" twice`)
  }

  /** Returns the first candidate that the header has, in the order of the candidates. */
  first(candidates: readonly string[]): Column | undefined {
    for (const name of candidates) {
      const index = this.#names.indexOf(name)
      if (index >= 0) return { index, name }
    }
    return undefined
  }

  /** The column requested by name. */
  requireColumn(column: string): Column {
    const found = this.first([column.trim().toLowerCase()])
    if (found === undefined) throw new UnreadableDocument(HEADER, `has no column "${column}"; ${this.describe()}`)
    return found
  }

  all(): Column[] {
    return this.#names.map((name, index) => ({ index, name }))
  }

  describe(): string {
    const more = this.#names.length > COLUMNS_SHOWN ? ', …' : ''
    return `its columns are: ${this.#names.slice(0, COLUMNS_SHOWN).map(shown).join(', ')}${more}`
  }
}

/** Shortens a name: the first line of a file that is not CSV may have any length. */
function shown(name: string): string {
  return name.length <= NAME_LENGTH_SHOWN ? name : `${name.slice(0, NAME_LENGTH_SHOWN)}…`
}

function zoneColumns(header: Header, { column, asset }: PriceCsvOptions): IntervalLayout['zones'] {
  if (asset !== undefined && asset !== 'pun') {
    throw new UnreadableDocument(HEADER, `is that of prices by interval, which are electricity prices and not ${asset}`)
  }
  if (column !== undefined) {
    const named = header.requireColumn(column)
    const zone = zoneOfColumn(named.name) ?? (asset === 'pun' ? NATIONAL_ZONE : undefined)
    if (zone === undefined) {
      throw new UnreadableDocument(
        HEADER,
        `does not say whose prices "${named.name}" are; --asset pun would make them the PUN's`,
      )
    }
    return [{ ...named, zone }]
  }
  const zones = header.all().flatMap((named) => {
    const zone = zoneOfColumn(named.name)
    return zone === undefined ? [] : [{ ...named, zone }]
  })
  if (zones.length === 0) {
    throw new UnreadableDocument(HEADER, `has no price column of a zone (pun, nord, cnor, …); ${header.describe()}`)
  }
  const twice = zones.find(({ zone }, index) => zones.findIndex((other) => other.zone === zone) !== index)
  if (twice) throw new UnreadableDocument(HEADER, `has two price columns for ${twice.zone}: choose one with --column`)
  return zones
}

function dayLayout(
  header: Header,
  separator: Separator,
  date: Column,
  fileName: string,
  options: PriceCsvOptions,
): DayLayout {
  const assets = assetColumns(header, fileName, options)
  const auctions = assets.some(({ asset }) => asset === 'CO2')
  return {
    shape: 'days',
    separator,
    date,
    assets,
    contract: auctions ? header.first([CONTRACT_COLUMN]) : undefined,
    auctionVolume: auctions ? header.first([AUCTION_VOLUME_COLUMN]) : undefined,
  }
}

function assetColumns(header: Header, fileName: string, options: PriceCsvOptions): DayLayout['assets'] {
  const given = options.asset === undefined ? undefined : assetBySlug(options.asset)?.code
  if (options.column !== undefined) {
    const named = header.requireColumn(options.column)
    const asset = given ?? assetOfColumn(named.name) ?? assetInFileName(fileName)
    if (asset === undefined) throw unknownAsset(`"${named.name}" is`)
    return [{ ...named, asset }]
  }
  if (given !== undefined) return [specificColumn(header, given) ?? genericColumn(header, given)]
  const named = ASSET_CODES.map((asset) => specificColumn(header, asset)).filter((column) => column !== undefined)
  if (named.length > 0) return named
  const hinted = assetInFileName(fileName)
  if (hinted === undefined) throw unknownAsset(`the prices are (${header.describe()})`)
  return [genericColumn(header, hinted)]
}

function specificColumn(header: Header, asset: AssetCode): DayLayout['assets'][number] | undefined {
  const column = header.first(columnsOf(asset))
  return column && { ...column, asset }
}

function genericColumn(header: Header, asset: AssetCode): DayLayout['assets'][number] {
  const column = header.first(genericColumnsOf(asset))
  if (column) return { ...column, asset }
  throw new UnreadableDocument(
    HEADER,
    `has no column known to hold prices of ${asset}: name one with --column; ${header.describe()}`,
  )
}

function unknownAsset(what: string): UnreadableDocument {
  return new UnreadableDocument(HEADER, `does not say which asset ${what}: pass --asset pun, psv, ttf, brent or co2`)
}
