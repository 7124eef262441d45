import * as z from 'zod'
import { type AssetCode, requireAssetBySlug } from '../../../market/assets.ts'
import { toUtcIso } from '../../../market/market-day.ts'
import { NATIONAL_ZONE, type ZoneCode } from '../../../market/zones.ts'
import { sourceDefinition } from '../../../publishers/sources.ts'
import type { DocumentOfDay } from '../../../store/provenance.ts'
import { invalidParameter, notFound } from '../../contract/errors.ts'
import { hourlyZone } from '../../contract/hourly.ts'
import { assetSlug, marketDay } from '../../contract/parameters.ts'
import { type Provenance, provenance } from '../../contract/provenance.ts'
import { endpoint } from '../../http/endpoint.ts'
import { EXAMPLE_BASE_URL } from '../examples.ts'
import { attributionText } from '../source-credits.ts'

/** The documents behind the values of a day. */
export const getProvenance = endpoint({
  id: 'getProvenance',
  method: 'get',
  path: '/provenance',
  tag: 'Plans and status',
  summary: 'Get the source documents',
  description:
    'Returns who published the values of an index or a market zone for a day, in which document, with its ' +
    'SHA-256 and when it was read. Earlier versions are listed with the instant at which they were replaced. `as_of`' +
    ' on series and hours returns the values of an earlier version.',
  plan: 'Developer',
  cache: '1h',
  query: z.object({
    asset: assetSlug.optional().meta({ description: 'The index. Default: `pun`.', example: 'pun' }),
    zone: hourlyZone.optional().meta({ description: 'A zone in place of the index.', example: 'nord' }),
    date: marketDay.meta({ description: 'Market day.', example: '2026-11-21' }),
  }),
  reply: provenance,
  example: present(
    { asset: 'PUN', zone: NATIONAL_ZONE },
    '2026-11-22',
    [
      {
        ...{
          version: 1,
          replaced_at: null,
          values: 96,
          source: 'gme-mgp',
          address: '20261122MGPPrezzi.xml',
          bytes: 51_204,
        },
        sha256: '9f2c01ab4d1e77c0a5b3f8e2d6c4917a0b8e5f3d2c1a69788f0e4d5b6a7c8d9e',
        published_at: Temporal.Instant.from('2026-11-21T11:57:00Z'),
        fetched_at: Temporal.Instant.from('2026-11-21T11:58:10Z'),
      },
    ],
    EXAMPLE_BASE_URL,
  ),
  fails: ['not_found'],
  async handle({ query, service }) {
    if (query.asset !== undefined && query.zone !== undefined)
      throw invalidParameter('zone', 'cannot be combined with asset')
    const of = subjectOf(query)
    const documents = await service.provenance.documents(of, query.date)
    if (documents.length === 0) throw notFound(`No values of ${of.zone ?? of.asset} for ${query.date} are stored.`)
    return present(of, query.date.toString(), documents, service.config.baseUrl)
  },
})

interface Subject {
  asset?: AssetCode
  zone?: ZoneCode
}

/** The PUN is an index, and also has hours like a zone. */
function subjectOf({ asset = 'pun', zone }: { asset?: string; zone?: ZoneCode }): Subject {
  if (zone !== undefined && zone !== NATIONAL_ZONE) return { zone }
  const { code } = requireAssetBySlug(asset)
  return code === 'PUN' ? { asset: code, zone: NATIONAL_ZONE } : { asset: code }
}

function present(
  { asset, zone }: Subject,
  date: string,
  documents: readonly DocumentOfDay[],
  baseUrl: URL,
): Provenance {
  const sources = [...new Set(documents.map(({ source }) => source))].sort()
  return {
    ...(asset && { asset }),
    ...(zone && { zone }),
    date,
    version: Math.max(...documents.map(({ version }) => version)),
    documents: documents.map((one) => ({
      version: one.version,
      current: one.replaced_at === null,
      values: one.values,
      publisher: sourceDefinition(one.source).name,
      source: one.source,
      document: shownAddress(one.address),
      sha256: one.sha256,
      bytes: one.bytes,
      published_at: toUtcIso(one.published_at),
      fetched_at: toUtcIso(one.fetched_at),
      ...(one.replaced_at !== null && { replaced_at: toUtcIso(one.replaced_at) }),
    })),
    attribution: attributionText(sources, baseUrl),
  }
}

/** Omits query parameters, which may contain credentials, and the operator's folders, which are private. */
function shownAddress(address: string): string {
  if (!/^https?:\/\//.test(address)) return address.split(/[\\/]/).at(-1) as string
  const { origin, pathname } = new URL(address)
  return origin + pathname
}
