/** The documents behind a value: an addition to the specification. */
import * as z from 'zod'
import { ASSET_CODES } from '../../market/assets.ts'
import { hourlyZone } from './hourly.ts'
import { attribution, isoDate } from './observations.ts'

const instant = (description: string, example: string) => z.iso.datetime().meta({ description, example })

const document = z
  .strictObject({
    version: z.int().positive().meta({ description: 'Version of the day that it belongs to, from 1.', example: 2 }),
    current: z.boolean().meta({ description: 'Whether its values are the current ones.' }),
    values: z.int().positive().meta({ description: 'How many values of the day are from it.', example: 96 }),
    publisher: z
      .string()
      .meta({ description: 'Who published it.', example: 'Gestore dei Mercati Energetici S.p.A. (GME)' }),
    source: z.string().meta({ description: 'Id of the source in `/v1/status`.', example: 'gme-mgp' }),
    document: z.string().meta({
      description: 'Its address without parameters, or the name of the file.',
      example: '20261122MGPPrezzi.xml',
    }),
    sha256: z.string().meta({ description: 'SHA-256 of its bytes as received.', example: '9f2c…' }),
    bytes: z.number().meta({ description: 'How many they are.', example: 51_204 }),
    published_at: instant(
      'When it was published where it says so, else when it was first seen, UTC.',
      '2026-11-21T11:57:00Z',
    ),
    fetched_at: instant('When it was read, UTC.', '2026-11-21T11:58:10Z'),
    replaced_at: instant('When a later document replaced its values, UTC.', '2026-11-22T02:11:40Z')
      .optional()
      .meta({ description: 'When a later document replaced its values, UTC. Absent where they are current.' }),
  })
  .meta({ id: 'ProvenanceDocument' })

export const provenance = z
  .strictObject({
    asset: z.enum(ASSET_CODES).optional().meta({ description: 'The index; absent for a market zone.', example: 'PUN' }),
    zone: hourlyZone.optional(),
    date: isoDate.meta({ description: 'Market day.', example: '2026-11-22' }),
    version: z.int().positive().meta({ description: 'How many versions of the day there have been.', example: 2 }),
    documents: z.array(document).meta({ description: 'The latest version first.' }),
    attribution,
  })
  .meta({ id: 'Provenance', description: 'The documents that the values of a day were read from.' })
export type Provenance = z.infer<typeof provenance>
