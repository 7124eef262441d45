/** Days of fundamentals, gathered like those of zones, under `series/area` in place of a zone. */
import type { FundamentalArea, FundamentalSeries } from '../../market/fundamentals.ts'
import type { DocumentFault, FundamentalDay, FundamentalKey, ZoneDay } from '../observations.ts'

export type FundamentalName = `${FundamentalSeries}/${FundamentalArea}`

export function nameOf({ series, area }: FundamentalKey): FundamentalName {
  return `${series}/${area}`
}

export function asFundamental(gathered: ZoneDay<FundamentalName> | DocumentFault): FundamentalDay | DocumentFault {
  if (gathered.kind === 'document-fault') return gathered
  const { zone, day, resolutionMinutes, prices, faults } = gathered
  const [series, area] = zone.split('/') as [FundamentalSeries, FundamentalArea]
  return { kind: 'fundamental-day', series, area, day, resolutionMinutes, values: prices, faults }
}
