/** A configured publisher: whether, how, how often and from which day on its market days are fetched. */
import type { MarketDay } from '../market/market-day.ts'
import { laterOf } from '../market/time-order.ts'
import type { Politeness } from './fetch-days.ts'
import type { FetchMethod, Publisher } from './publisher.ts'
import type { Schedule } from './schedule.ts'
import type { Settings, SourcesConfig } from './settings.ts'

export interface Fetcher extends Schedule, Pick<FetchMethod, 'way' | 'maxDaysPerRequest' | 'fetch'> {
  /** Id of the publisher. */
  source: string
  publisher: Publisher
  /** Requested only for days that publishers of higher priority have not delivered. */
  fallback: boolean
  politeness: Politeness
  /** The earliest market day available `today`: the later of the configured start and the start of the publisher's window. */
  earliest(today: MarketDay): MarketDay
  /** Whether the publisher has values for that market day at all; false for weekends if it trades on weekdays only. */
  expects(day: MarketDay): boolean
}

/** A publisher that was named in the configuration but cannot be used, or was not named at all. */
export interface DisabledSource {
  source: string
  /** One sentence that says what to configure. */
  off: string
}

/** Undefined for a publisher that is not fetched from. */
export function makeFetcher(publisher: Publisher, config: SourcesConfig): Fetcher | DisabledSource | undefined {
  const { id: source, fetching } = publisher
  if (fetching === undefined) return undefined
  if (!config.enabled.has(source)) return { source, off: 'SOURCES does not name it' }
  const settings = config.bySource[source] as Settings
  const missing = Object.keys(fetching.needs).filter((name) => settings[name] === undefined)
  if (missing.length > 0) return { source, off: `${missing.join(', ')} is not set` }
  const { askFrom, earlyAt, refetchAt, pausesMinutes, fallback, historyFrom } = fetching
  const { windowDays, ...way } = fetching.connect(settings)
  const { requestsPerDay, minIntervalMs, requestsPerHour, ...politeness } = way.politeness ?? fetching.politeness
  const beginning = settings.HISTORY_FROM ?? Temporal.PlainDate.from(historyFrom)
  return {
    askFrom,
    earlyAt,
    refetchAt,
    pausesMinutes,
    fallback,
    lateAt: publisher.lateAt,
    expects: publisher.expects,
    ...way,
    source,
    publisher,
    politeness: {
      ...politeness,
      minIntervalMs: settings.INTERVAL_MS ?? minIntervalMs,
      requestsPerHour: settings.INTERVAL_MS === undefined ? requestsPerHour : undefined,
      requestsPerDay: settings.REQUESTS_PER_DAY ?? requestsPerDay,
    },
    earliest: (today) =>
      windowDays === undefined ? beginning : laterOf(beginning, today.subtract({ days: windowDays })),
  }
}
