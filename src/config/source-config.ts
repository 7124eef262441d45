/**
 * The publishers that can be fetched from, as the environment configures them. All are off until `SOURCES` names them: a service that
 * was just started calls nobody. `<ID>` below is the id in capitals with `_` for `-`: `GME_MGP_ADDRESS`.
 */
import type { Secret } from './secrets.ts'

/** Ids of the publishers that have a fetcher, as `SOURCES` spells them; a test compares them with `src/sources/fetchers.ts`. */
export const FETCHED_SOURCES = ['gme-mgp', 'gme-mgas', 'entsoe', 'eex-ttf', 'eia-brent', 'eex-eua'] as const
export type FetchedSourceId = (typeof FETCHED_SOURCES)[number]

export interface SourcesConfig {
  /** Named in `SOURCES`. */
  wanted: ReadonlySet<FetchedSourceId>
  bySource: Readonly<Record<FetchedSourceId, SourceConfig>>
  /** Credentials of GME's API, which serves both of its markets. */
  gmeApi: { login: Secret | undefined; password: Secret | undefined; address: URL | undefined }
  /** Numbers by which GME's site knows its download page; they may change with a release of the site. */
  gmeDownload: { moduleId: string; tabId: string }
  entsoeToken: Secret | undefined
  eiaKey: Secret | undefined
  /** Which of EEX's two public forms the TTF is read from. */
  eexTtfForm: 'table' | 'ngp'
}

export interface SourceConfig {
  /** `<ID>_ADDRESS`: in place of the publisher's own, for a mirror or a test. */
  address: URL | undefined
  /** `<ID>_HISTORY_FROM`: the first market day that is to be fetched, YYYY-MM-DD; undefined leaves it to the source. */
  historyFrom: string | undefined
  /** `<ID>_REDISTRIBUTABLE`: in place of what the publisher's licence says by default. */
  redistributable: boolean | undefined
  /** `<ID>_REQUESTS_PER_DAY`: in place of the source's own budget. */
  requestsPerDay: number | undefined
}
