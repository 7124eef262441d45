/** Converts a replay to the form that the store saves. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { type ForecastSubject, type IssueKind, zoneOf } from '../../src/market/forecast-scope.ts'
import type { NewReplay } from '../../src/store/forecast-replays.ts'
import type { MadeDay } from './task.ts'

interface Replay extends Pick<NewReplay, 'synthetic' | 'purpose' | 'madeAt'> {
  /** For hours: the issue that was replayed. */
  issue?: IssueKind | undefined
  forecasts: readonly MadeDay[]
}

export function newReplay(asset: ForecastSubject, { issue = 'evening', forecasts, ...about }: Replay): NewReplay {
  return {
    ...{ asset, ...about, codeVersion: codeVersion(), issue: zoneOf(asset) && issue },
    forecasts: forecasts.map(({ issuedAtMs, ...forecast }) => ({
      ...forecast,
      issuedAt: Temporal.Instant.fromEpochMilliseconds(issuedAtMs),
    })),
  }
}

const PACKAGE = path.join(import.meta.dirname, '../../package.json')

let version: string | undefined

/** Returns the version of the service from package.json, which is stored with every artefact and replay. */
export function codeVersion(): string {
  version ??= (JSON.parse(readFileSync(PACKAGE, 'utf8')) as { version: string }).version
  return version
}
