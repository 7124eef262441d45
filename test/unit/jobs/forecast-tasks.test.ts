/** The tasks common to all models: issue, train and select, replay. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeArtefact, encodeArtefact } from '../../../jobs/forecasts/artefact-bytes.ts'
import { performTask } from '../../../jobs/forecasts/perform-task.ts'
import { usualPublication } from '../../../jobs/forecasts/price-record.ts'
import type {
  ArtefactBytes,
  IssueTask,
  MadeForecast,
  MadeIssue,
  SubjectRequest,
  TrainTask,
  VersionsByAsset,
} from '../../../jobs/forecasts/task.ts'
import type { Artefact, ForecastModel } from '../../../models/model.ts'
import { FORECAST_REACH_DAYS } from '../../../src/market/forecast-scope.ts'
import type { PriceVersion } from '../../../src/store/price-versions.ts'
import { nationalHolidays } from '../../support/national-holidays.ts'
import { plainModel, plainModels } from './plain-models.ts'

const FIRST = Temporal.PlainDate.from('2026-01-01')
const HOLIDAYS = nationalHolidays(2025, 2027)
/** Prices equal to the number of their day, so that a forecast shows which price it is based on. */
const versionsOf = (days: number, asset: 'PUN' | 'PSV' | 'TTF' = 'PUN'): PriceVersion[] =>
  Array.from({ length: days }, (_, i) => FIRST.add({ days: i }))
    .filter((day) => asset !== 'TTF' || day.dayOfWeek <= 5)
    .map((day) => ({
      day: day.toString(),
      price: FIRST.until(day).days + 100,
      intervals: null,
      fetchedAtMs: usualPublication(asset, day).epochMilliseconds + 60_000,
      synthetic: false,
    }))
const prices = (days: number): VersionsByAsset => ({
  PUN: versionsOf(days),
  PSV: versionsOf(days, 'PSV'),
  TTF: versionsOf(days, 'TTF'),
})
const at = (instant: string) => Temporal.Instant.from(instant).epochMilliseconds
const subjectRequest = (subject: 'PUN' | 'PSV' | 'TTF', ...artefacts: ArtefactBytes[]): SubjectRequest => ({
  subject,
  model: artefacts[0]?.model,
  artefacts,
})
const issueAt = async (
  instant: string,
  { request = subjectRequest('PUN'), models = plainModels(), versions = prices(120) } = {},
) => {
  const task: IssueTask = { kind: 'issue', versions, holidays: HOLIDAYS, nowMs: at(instant), requests: [request] }
  const { issues } = await performTask(task, undefined, { ofDays: models, ofHours: [] })
  return issues[0] as MadeIssue & { forecasts: MadeForecast[] }
}

describe('an issue', () => {
  it.each([
    ['before the result of D+1', '2026-03-27T11:50:00Z', '2026-03-27', '2026-03-28'],
    ['after it, over the change to summer time', '2026-03-27T12:05:00Z', '2026-03-28', '2026-03-29'],
    ['after it, on the day before 23 hours', '2026-03-28T12:05:00Z', '2026-03-29', '2026-03-30'],
    ['after it, in summer time an hour earlier in UTC', '2026-03-30T11:05:00Z', '2026-03-31', '2026-04-01'],
  ])('made %s uses the published prices and forecasts the next day', async (_when, now, infoDate, target) => {
    const { infoDate: info, forecasts } = await issueAt(now)
    expect(info).toBe(infoDate)
    expect(forecasts[0]).toMatchObject({ role: 'published', model: 'base', targetDate: target, horizonDays: 1 })
    expect(forecasts[0]?.p50).toBe(100 + FIRST.until(infoDate).days + 5)
  })

  it('covers every day up to the maximum horizon, with the benchmark', async () => {
    const { forecasts } = await issueAt('2026-03-28T12:05:00Z')
    const byRole = Map.groupBy(forecasts, ({ role }) => role)
    expect([...byRole].map(([role, made]) => [role, made.length, made[0]?.model])).toEqual([
      ['published', FORECAST_REACH_DAYS, 'base'],
      ['benchmark', FORECAST_REACH_DAYS, 'conformal-walk'],
    ])
  })

  it('of TTF skips non-trading days: from Friday to Monday', async () => {
    const { forecasts } = await issueAt('2026-03-27T18:00:00Z', { request: subjectRequest('TTF') })
    expect(forecasts[0]).toMatchObject({ infoDate: '2026-03-27', targetDate: '2026-03-30', horizonDays: 3 })
  })

  it('does not depend on later prices, and hashes only the prices it used', async () => {
    const now = '2026-03-28T12:05:00Z'
    const known = await issueAt(now, { versions: prices(88) })
    expect(await issueAt(now, { versions: prices(300) })).toEqual(known)
    const [changed = { price: 0 } as PriceVersion, ...rest] = versionsOf(88)
    const versions = { ...prices(88), PUN: [{ ...changed, price: changed.price + 0.01 }, ...rest] }
    expect((await issueAt(now, { versions })).inputsSha256).not.toBe(known.inputsSha256)
  })

  it('uses a correction from the instant it was read, to the microsecond', async () => {
    const readAt = at('2026-03-28T12:30:00Z') + 0.261
    const last = { ...(versionsOf(88).at(-1) as PriceVersion), price: 500, fetchedAtMs: readAt }
    const versions = { ...prices(88), PUN: [...versionsOf(88), last] }
    const medianAt = async (instant: string) => (await issueAt(instant, { versions })).forecasts[0]?.p50
    expect(await medianAt('2026-03-28T12:30:00Z')).toBe(187 + 5)
    expect(await medianAt('2026-03-28T12:30:01Z')).toBe(500 + 5)
  })

  it('is rejected with the reason if the history is too short or empty', async () => {
    const short = await issueAt('2026-01-02T12:05:00Z')
    expect(short).toMatchObject({ outcome: 'rejected', reason: expect.stringContaining('PUN needs 5 days') })
    const none = await issueAt('2026-01-02T12:05:00Z', { versions: { PUN: [], PSV: [], TTF: [] } })
    expect(none).toMatchObject({ outcome: 'rejected' })
  })

  it('uses the newest sound artefact, or the base model if all are damaged or of other versions', async () => {
    const net = plainModel({ id: 'net', isBaseline: false, offset: 1 })
    const newer = plainModel({ id: 'net', isBaseline: false, offset: 1, version: '2' })
    const { trained } = await train(trainTask(), plainModels(net))
    const artefact: ArtefactBytes = { ...(trained.at(-1) as ArtefactBytes) }
    const issueFrom = (models: ForecastModel[], ...stored: ArtefactBytes[]) =>
      issueAt('2026-03-28T12:05:00Z', { request: subjectRequest('PUN', ...stored), models })
    const issued = await issueFrom(plainModels(net), artefact)
    expect(issued.forecasts[0]).toMatchObject({ model: 'net', version: '1+20260430' })
    expect(issued.artefactProblems).toEqual([])
    const damaged = { ...artefact, content: artefact.content.subarray(0, -8) }
    for (const [stored, models, problem] of [
      [artefact, plainModels(newer), 'is not one of net 2'],
      [artefact, plainModels(), 'no model net'],
      [damaged, plainModels(net), 'not the bytes of an artefact'],
      [{ ...artefact, content: new Uint8Array(2) }, plainModels(net), 'not the bytes of an artefact'],
    ] as const) {
      const made = await issueFrom(models, stored)
      expect(made.artefactProblems).toEqual([expect.stringContaining(problem)])
      expect(made.forecasts[0]?.model).toBe('base')
    }
    const older = await issueFrom(plainModels(net), damaged, artefact)
    expect(older.artefactProblems).toHaveLength(1)
    expect(older).toMatchObject({ forecasts: issued.forecasts, inputsSha256: issued.inputsSha256 })
  })
})

const train = (task: TrainTask, models: readonly ForecastModel[]) =>
  performTask(task, undefined, { ofDays: models, ofHours: [] })
const trainTask = (artefacts: ArtefactBytes[] = [], days = 120): TrainTask => ({
  kind: 'train',
  subject: 'PUN',
  versions: prices(days),
  holidays: HOLIDAYS,
  nowMs: at('2026-05-01T10:00:00Z') - (120 - days) * 86_400_000,
  artefacts,
})

describe('a training run', () => {
  it('selects a model that beats the base model on 60 unseen days', async () => {
    const result = await train(trainTask(), plainModels(plainModel({ id: 'net', isBaseline: false, offset: 1 })))
    expect(result).toMatchObject({
      activeModel: 'net',
      errors: { net: { n: 60, mae: 0 }, base: { n: 60, mae: 4 }, 'conformal-walk': { mae: 7 } },
    })
    // The model trained for the test is kept, for the tests of the coming weeks.
    expect(result.trained).toMatchObject([{ model: 'net' }, { model: 'net', dataTo: '2026-04-30' }])
    const tested = result.replay.filter(({ role }) => role === 'published')
    expect(tested).toHaveLength(90)
    for (const { version, infoDate } of tested) expect(`${version.slice(2)}` <= infoDate.replaceAll('-', '')).toBe(true)
  })

  it('tests on the days before a gap if a single day is known after it', async () => {
    const [known, [later]] = [prices(120), versionsOf(700).slice(-1) as [PriceVersion]]
    const versions = { ...known, PUN: [...known.PUN, later] }
    const result = await train(
      { ...trainTask(), versions, nowMs: later.fetchedAtMs + 1 },
      plainModels(plainModel({ id: 'net', isBaseline: false, offset: 1 })),
    )
    expect(result).toMatchObject({ activeModel: 'net', failed: [], errors: { net: { n: 60, mae: 0 } } })
  })

  it('with a single day of prices says so', async () => {
    const models = plainModels(plainModel({ id: 'net', isBaseline: false }))
    expect(await train(trainTask([], 1), models)).toMatchObject({
      failed: [{ reason: 'PUN needs 65 days of prices before a forecast; 1 is known, 64 are missing' }],
      missingDays: 60,
    })
  })

  it('keeps the base model active if no model beats it', async () => {
    const worse = plainModel({ id: 'net', isBaseline: false, offset: 20 })
    expect(await train(trainTask(), plainModels(worse))).toMatchObject({
      activeModel: 'base',
      trained: [{ model: 'net' }, { model: 'net' }],
    })
    expect(await train(trainTask(), plainModels())).toMatchObject({ activeModel: 'base', trained: [] })
    const good = plainModel({ id: 'net', isBaseline: false, offset: 1 })
    // With 50 days, all are test days and none is left for training.
    expect(await train(trainTask([], 50), plainModels(good))).toMatchObject({ activeModel: 'base', trained: [] })
  })

  it('that diverges is discarded, and the last good artefact remains in use', async () => {
    const models = plainModels(plainModel({ id: 'net', isBaseline: false, offset: 1, diverges: (n) => n > 2 }))
    const { trained: stored } = await train(trainTask(), models)
    const kept = stored[0] as ArtefactBytes
    const span = { from: '2026-01-01', to: '2026-02-01' }
    const task = trainTask([{ ...kept, content: encodeArtefact({ ...decodeArtefact(kept.content), span }) }])
    const second = await train(task, models)
    expect(task.artefacts).toEqual([]) // otherwise they stay in memory
    expect(second).toMatchObject({ activeModel: 'net', trained: [], failed: [{ model: 'net', outcome: 'diverged' }] })
    const diverging = plainModel({ id: 'net', isBaseline: false, diverges: () => true })
    expect(await train(trainTask(), plainModels(diverging))).toMatchObject({
      activeModel: 'base',
      failed: [{ model: 'net', outcome: 'diverged' }],
    })
  })

  it('keeps the base model active if a model has too little history', async () => {
    const models = plainModels(plainModel({ id: 'net', isBaseline: false, daysNeeded: 5000 }))
    expect(await train(trainTask(), models)).toMatchObject({
      activeModel: 'base',
      failed: [{ model: 'net', outcome: 'too_little_history' }],
    })
  })
})

describe('a replay', () => {
  const replay = (PUN: PriceVersion[], from: string, to: string, model?: string) => {
    const known = { versions: { ...prices(120), PUN }, holidays: HOLIDAYS, nowMs: at('2026-06-01T10:00:00Z') }
    const models = { ofDays: plainModels(), ofHours: [] }
    return performTask({ kind: 'replay', subject: 'PUN', from, to, model, ...known }, undefined, models)
  }

  it('uses for each past day only what was known then, not later corrections', async () => {
    const versions = versionsOf(120)
    const i = versions.findIndex(({ day }) => day === '2026-03-29')
    const first = versions[i] as PriceVersion
    versions.splice(i + 1, 0, { ...first, price: 999, fetchedAtMs: first.fetchedAtMs + 3 * 86_400_000 })
    const { forecasts } = await replay(versions, '2026-03-28', '2026-03-30', 'base')
    const ofInfo = forecasts.find(({ infoDate, role }) => infoDate === '2026-03-29' && role === 'published')
    const evening = usualPublication('PSV', Temporal.PlainDate.from('2026-03-29')).epochMilliseconds + 60_000
    expect(ofInfo).toMatchObject({ p50: first.price + 5, targetDate: '2026-03-30', issuedAtMs: evening })
    const before = forecasts.find(
      ({ infoDate, targetDate }) => infoDate === '2026-03-28' && targetDate === '2026-03-29',
    )
    expect(before?.actual).toBe(999)
  })

  it('treats history loaded later as known since its usual publication, and forecasts that evening', async () => {
    const loaded = versionsOf(120).map((one) => ({ ...one, fetchedAtMs: at('2026-06-01T09:00:00Z') }))
    const { forecasts } = await replay(loaded, '2026-03-27', '2026-03-31', 'base')
    const days = forecasts.filter(({ role, horizonDays }) => role === 'published' && horizonDays === 1)
    expect(
      days.map(({ infoDate, issuedAtMs }) => [infoDate, Temporal.Instant.fromEpochMilliseconds(issuedAtMs).toString()]),
    ).toEqual([
      ['2026-03-27', '2026-03-26T18:01:00Z'],
      ['2026-03-28', '2026-03-27T18:01:00Z'],
      ['2026-03-29', '2026-03-28T18:01:00Z'],
      ['2026-03-30', '2026-03-29T17:01:00Z'],
      ['2026-03-31', '2026-03-30T17:01:00Z'],
    ])
  })

  it('omits days preceded by too little history', async () => {
    const { forecasts } = await replay(versionsOf(120), '2026-01-01', '2026-01-07', 'base')
    expect([...new Set(forecasts.map(({ infoDate }) => infoDate))]).toEqual(['2026-01-05', '2026-01-06', '2026-01-07'])
  })

  it('refuses an unknown model', async () => {
    await expect(replay(versionsOf(120), '2026-03-27', '2026-03-28', 'crystal-ball')).rejects.toThrow(
      'there are base, conformal-walk',
    )
  })
})

describe('an encoded artefact', () => {
  it('decodes to the identical artefact, also from a shared buffer pool', () => {
    const text = fc.string({ maxLength: 20 })
    const values = fc.array(fc.double(), { maxLength: 20 }).map((list) => Float64Array.from(list))
    fc.assert(
      fc.property(text, fc.dictionary(text, values, { maxKeys: 4 }), fc.nat(7), (state, arrays, offset) => {
        const artefact: Artefact = {
          model: 'net',
          version: '1',
          asset: 'PUN',
          span: { from: '2020-01-01', to: '2026-01-01' },
          backend: 'wasm',
          seed: 7,
          metrics: { mae: 5.9 },
          state: { text: state },
          arrays,
        }
        const bytes = encodeArtefact(artefact)
        const pool = Buffer.alloc(bytes.length + 16)
        pool.set(bytes, offset)
        expect(decodeArtefact(pool.subarray(offset, offset + bytes.length))).toEqual(artefact)
      }),
    )
  })
})
