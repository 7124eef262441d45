/** Freshness of the data by source. Decisions: "Limits". */
import * as z from 'zod'
import { isoDate } from './observations.ts'

const series = z
  .strictObject({
    series: z.string().meta({
      description: 'Asset code, or `zone:` and the code of a zone; `zone:nazionale` is the PUN.',
      example: 'zone:nazionale',
    }),
    latest_market_day: isoDate.meta({ description: 'Latest market day there is.', example: '2026-11-22' }),
    complete: z.boolean().meta({ description: 'Whether every interval of that day is there.' }),
    observed_at: z.iso
      .datetime()
      .meta({ description: 'When its values were published, UTC.', example: '2026-11-21T11:57:00Z' }),
    fetched_at: z.iso
      .datetime()
      .meta({ description: 'When they were read here, UTC.', example: '2026-11-21T11:58:10Z' }),
    usual_publication: z
      .string()
      .meta({ description: 'When a market day is usually published.', example: '12:55 Europe/Rome on the day before' }),
    next_expected_at: z.iso
      .datetime()
      .meta({ description: 'Next usual publication, UTC.', example: '2026-11-22T11:55:00Z' }),
  })
  .meta({ id: 'SeriesStatus' })

const source = z
  .strictObject({
    id: z.string().meta({ example: 'gme-mgp' }),
    name: z.string().meta({ example: 'Gestore dei Mercati Energetici S.p.A. (GME)' }),
    url: z.string().meta({ example: 'https://www.mercatoelettrico.org' }),
    terms: z.string().meta({ description: 'What the publisher allows.' }),
    synthetic: z.boolean().meta({ description: 'Invented sample data.' }),
    series: z.array(series),
  })
  .meta({ id: 'SourceStatus' })

export const serviceStatus = z
  .strictObject({
    generated_at: z.iso.datetime().meta({ description: 'UTC.', example: '2026-11-21T12:00:00Z' }),
    sources: z.array(source).meta({ description: 'Sources of which there are current values.' }),
  })
  .meta({ id: 'ServiceStatus', description: 'How fresh the data of each source are.' })

export type ServiceStatus = z.infer<typeof serviceStatus>
