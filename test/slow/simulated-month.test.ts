/**
 * A month of the service's life with a clock that is moved by hand, real jobs and publishers on this machine that are late, correct
 * themselves, fail for days, publish zeros on the change day and yesterday under today's name. It ends with exactly the truth, every
 * revision kept, no alarm missing and none too many; and killing the process again and again changes nothing of that.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { isLongRun, repetitions } from '../support/repetitions.ts'
import { differences, NO_DIFFERENCES } from '../support/simulation/end-state.ts'
import { expectedState } from '../support/simulation/expected.ts'
import { drawKills } from '../support/simulation/kills.ts'
import { type Lived, live, liveWithKills } from '../support/simulation/live.ts'
import { LATE_OCTOBER, MARCH, OCTOBER } from '../support/simulation/months.ts'

const KILLS = repetitions(2, 10)
/** The shorter of the months where time is short. */
const KILLED_IN = isLongRun ? 'October' : 'March'
const SEED = 20_261_025

const months = { October: isLongRun ? OCTOBER : LATE_OCTOBER, March: MARCH }
const lives = new Map<string, Lived>()

describe.each(Object.entries(months))('a service that lives through %s', (name, scenario) => {
  const expected = expectedState(scenario)
  let lived: Lived
  beforeAll(async () => {
    lived = await live(scenario)
    lives.set(name, lived)
  })

  it('has exactly the true price of every interval, from the first source', () => {
    expect(expected.intervals.length).toBeGreaterThan(5_000)
    expect(differences(lived.state.intervals, expected.intervals)).toEqual(NO_DIFFERENCES)
  })

  it('has exactly the true daily prices', () => {
    const before = new Set(expected.dailyPricesBefore)
    const since = lived.state.dailyPrices.filter((line) => !before.has(line))
    expect(expected.dailyPrices.length).toBeGreaterThan(20)
    expect(differences(since, expected.dailyPrices)).toEqual(NO_DIFFERENCES)
  })

  it.each(['revisions', 'dailyRevisions'] as const)('keeps every value that was replaced, and no other: %s', (what) => {
    expect(differences(lived.state[what], expected[what])).toEqual(NO_DIFFERENCES)
  })

  it('reports each delay, return, refusal, correction and quarantined day once, at its time, and nothing else', () => {
    expect(lived.state.events).toEqual(expected.events)
    expect(lived.events).toEqual(expected.events)
  })

  it('has no job that failed permanently', () => {
    expect(lived.deadJobs).toEqual([])
  })
})

describe(`a worker that is killed ${KILLS} times in ${KILLED_IN}`, () => {
  it('ends as if it had never been', async () => {
    const scenario = months[KILLED_IN]
    const undisturbed = lives.get(KILLED_IN) ?? (await live(scenario))
    const state = await liveWithKills(scenario, drawKills(SEED, KILLS, undisturbed.looks))
    for (const [what, lines] of Object.entries(undisturbed.state) as [keyof typeof state, string[]][])
      expect({ what, ...differences(state[what], lines) }).toEqual({ what, ...NO_DIFFERENCES })
  })
})
