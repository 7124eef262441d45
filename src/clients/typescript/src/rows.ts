/** Iterable rows of hours and daily prices, with the metadata of the response. */
import type { DailySeries, GetPunHourlyReply, SeriesPoint } from './api.generated.ts'

/** An iterable with `length` and `at()`. The underlying array is `rows`. */
export class Rows<Row> implements Iterable<Row> {
  /** Published values, in order. A missing hour or day has no row. */
  readonly rows: Row[]

  constructor(rows: Row[], about: object) {
    this.rows = rows
    Object.assign(this, about)
  }

  get length(): number {
    return this.rows.length
  }

  /** Returns the row at `index`. A negative index counts from the end. */
  at(index: number): Row | undefined {
    return this.rows.at(index)
  }

  [Symbol.iterator](): IterableIterator<Row> {
    return this.rows[Symbol.iterator]()
  }
}

export interface Hour {
  /** Market day in Rome, `2026-03-29`. */
  date: string
  /** Hour of the day by elapsed time, from 1. */
  hour: number
  /** Quarter-hour of the day by elapsed time, from 1. Only with `granularity: 'quarter'`. */
  quarter?: number
  startsAt: Date
  endsAt: Date
  value: number
  band: 'F1' | 'F2' | 'F3'
}

export interface Hours extends Rows<Hour> {
  zone: string
  unit: string
  source: string
  attribution: string
  /** Number of hours, or quarter-hours, missing from the returned days. */
  missing: number
}

/** The response, with its `points` as rows. `truncated` and `required_tier` are set if your plan truncates the interval. */
export type DailyPrices = Rows<SeriesPoint> & DailySeries

export function hoursOf(reply: GetPunHourlyReply): Hours {
  const { zone, unit, source, attribution } = reply
  const days = 'days' in reply ? reply.days : [reply]
  const rows = days.flatMap(({ date, hours, quarters }) =>
    (quarters ?? hours ?? []).map(({ starts_at, ends_at, ...row }) => ({
      date,
      ...row,
      startsAt: new Date(starts_at),
      endsAt: new Date(ends_at),
    })),
  )
  const missing = days.reduce((sum, { count, expected }) => sum + expected - count, 0)
  return new Rows<Hour>(rows, { zone, unit, source, attribution, missing }) as Hours
}

export function dailyPricesOf(reply: DailySeries): DailyPrices {
  return new Rows(reply.points, reply) as DailyPrices
}
