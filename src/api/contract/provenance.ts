/** The documents behind a value: an addition to the specification. */
import * as z from 'zod'
import { ASSET_CODES } from '../../market/assets.ts'
import * as field from './fields.ts'
import { hourlyZone } from './hourly.ts'
import { attribution } from './observations.ts'

const document = z
  .strictObject({
    version: field.positive('Version of the day that it belongs to, from 1.', 2),
    current: field.flag('Whether its values are the current ones.'),
    values: field.positive('How many values of the day are from it.', 96),
    publisher: field.text('Who published it.', 'Gestore dei Mercati Energetici S.p.A. (GME)'),
    source: field.text('Id of the source in `/v1/status`.', 'gme-mgp'),
    document: field.text('Its address without parameters, or the name of the file.', '20261122MGPPrezzi.xml'),
    sha256: field.text('SHA-256 of its bytes as received.', '9f2c…'),
    bytes: field.number('How many they are.', 51_204),
    published_at: field.instant(
      'When it was published where it says so, else when it was first seen, UTC.',
      '2026-11-21T11:57:00Z',
    ),
    fetched_at: field.instant('When it was read, UTC.', '2026-11-21T11:58:10Z'),
    replaced_at: field.instant.optional(
      'When a later document replaced its values, UTC. Absent where they are current.',
      '2026-11-22T02:11:40Z',
    ),
  })
  .meta({ id: 'ProvenanceDocument' })

export const provenance = z
  .strictObject({
    asset: z.enum(ASSET_CODES).optional().meta({ description: 'The index; absent for a market zone.', example: 'PUN' }),
    zone: hourlyZone.optional(),
    date: field.day('Market day.', '2026-11-22'),
    version: field.positive('How many versions of the day there have been.', 2),
    documents: z.array(document).meta({ description: 'The latest version first.' }),
    attribution,
  })
  .meta({ id: 'Provenance', description: 'The documents that the values of a day were read from.' })
export type Provenance = z.infer<typeof provenance>
