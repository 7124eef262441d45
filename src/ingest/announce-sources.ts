/** At worker start, logs which publishers are fetched from and why others are not, and stores this for the status. */

import { sourceState } from '../platform/events.ts'
import { childLogger, type Logger } from '../platform/log.ts'
import { PUBLISHERS } from '../publishers/index.ts'
import type { Config } from '../service/config/config.ts'
import type { Sql } from '../store/database.ts'
import { recordSourceStates, type SourceState } from '../store/source-fetching.ts'
import type { SourceRegistry } from './source-registry.ts'

interface AnnounceContext {
  config: Pick<Config, 'sources'>
  database: { sql: Sql }
  sources: Pick<SourceRegistry, 'enabled' | 'off'>
  log: Logger
}

/** Logs one line per source named in the configuration, usable or not; none for the others. */
export async function announceSources({ config, database, sources, log }: AnnounceContext): Promise<void> {
  const states: SourceState[] = [
    ...sources.enabled.map(({ source, way }) => ({ source, state: 'on' as const, way, reason: null })),
    ...sources.off.map(({ source, off }) => ({ source, state: 'off' as const, way: null, reason: off })),
  ]
  const sourceLog = childLogger(log, 'sources')
  const { enabled, bySource } = config.sources
  for (const state of states) if (enabled.has(state.source)) sourceState(sourceLog, state)
  const redistributable = PUBLISHERS.map(
    ({ id, redistributable }) => [id, bySource[id]?.REDISTRIBUTABLE ?? redistributable] as const,
  )
  await recordSourceStates(database.sql, states, new Map(redistributable))
}
