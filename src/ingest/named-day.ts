/**
 * GME writes a day at the front of a file's name: of electricity the market day, of gas the day of the session, which comes one day
 * before delivery. A file of one day that holds another is not accepted.
 */
import { type MarketDay, parseMarketDay } from '../market/market-day.ts'
import type { Items, Parsed } from '../publishers/observations.ts'

/** `20260114MGPPrezzi.xml` names 2026-01-14, also as an entry `x.zip!prices/20260114MGPPrezzi.xml`; undefined where no day is named. */
export function dayNamedBy(fileName: string): MarketDay | undefined {
  const baseName = fileName.split(/[!/\\]/).at(-1) ?? ''
  const [, year, month, day] = /^(\d{4})(\d{2})(\d{2})(?!\d)/.exec(baseName) ?? []
  return year === undefined ? undefined : parseMarketDay(`${year}-${month}-${day}`)
}

/**
 * Passes items on; where they are all of one day and the name tells another, each gets the fault `wrong_day`. The day the file should
 * hold is `daysAfterName` days after the one in its name.
 */
export async function* refuseWrongDay(parsed: AsyncIterable<Parsed>, fileName: string, daysAfterName = 0): Items {
  const named = dayNamedBy(fileName)?.add({ days: daysAfterName })
  if (named === undefined) return yield* parsed

  // Items of the first day wait until a second one shows that the document is not one of a single day.
  let waiting: Parsed[] | undefined = []
  try {
    for await (const item of parsed) {
      waiting?.push(item)
      if (waiting === undefined) yield item
      else if (daysOf(waiting).size > 1) {
        yield* waiting
        waiting = undefined
      }
    }
  } catch (err) {
    yield* withWrongDay(waiting ?? [], named)
    throw err
  }
  yield* withWrongDay(waiting ?? [], named)
}

function daysOf(items: Parsed[]): Set<string> {
  return new Set(items.flatMap((item) => ('day' in item ? [item.day.toString()] : [])))
}

function withWrongDay(items: Parsed[], named: MarketDay): Parsed[] {
  for (const item of items) {
    if (item.kind === 'document-fault' || item.day.equals(named)) continue
    item.faults.push({ code: 'wrong_day', place: 'document', detail: `holds ${item.day}, but its name says ${named}` })
  }
  return items
}
