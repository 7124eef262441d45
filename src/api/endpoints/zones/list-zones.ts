import { FORMER_ZONES, REGIONS, ZONE_EXTENTS } from '../../../market/zone-reference.ts'
import { NATIONAL_ZONE } from '../../../market/zones.ts'
import type { ZoneRecord } from '../../../store/zone-prices.ts'
import { type ZoneList, zoneList } from '../../contract/zones.ts'
import { endpoint } from '../../http/endpoint.ts'

/** Reference data of the zones. */
export const listZones = endpoint({
  id: 'listZones',
  method: 'get',
  path: '/zones',
  tag: 'Day-ahead market',
  summary: 'List zones',
  description:
    'Returns every zone of the day-ahead market, including former ones: names, EIC, first and last day, and ' +
    'its regions (ISO 3166-2) over time. Geometry is not included; join on the ISO 3166-2 codes.',
  plan: 'Open',
  cache: '6h',
  reply: zoneList,
  example: exampleZones(),
  async handle({ service, today }) {
    return present(await service.zones.list(), today.toString())
  },
})

/** A zone and a former pole. */
function exampleZones(): ZoneList {
  const { zones } = present(
    [
      {
        ...{ code: 'cnor', name: 'Centre-North', nameIt: 'Centro-Nord', kind: 'market', eic: '10Y1001A1001A70O' },
        ...{ validFrom: '2004-04-01', validTo: null },
      },
    ],
    '2026-11-22',
  )
  return { count: 2, zones: zones.slice(0, 2) }
}

function present(zones: readonly ZoneRecord[], today: string): ZoneList {
  const listed: ZoneList['zones'] = [
    ...zones.map(({ code, name, nameIt, kind, eic, validFrom, validTo }) => ({
      ...{ code, name, name_it: nameIt, kind },
      ...(eic !== null && { eic }),
      ...{ exists: validTo === null || validTo >= today, has_prices: true, valid_from: validFrom },
      ...(validTo !== null && { valid_to: validTo }),
      extents: code === NATIONAL_ZONE ? [] : ZONE_EXTENTS[code].map(presentExtent),
    })),
    ...FORMER_ZONES.map(({ code, name, ...known }) => ({
      ...{ code, name, name_it: name, kind: 'production-pole' as const },
      ...('eic' in known && { eic: known.eic }),
      ...{ exists: false, has_prices: false },
      ...('validTo' in known && { valid_to: known.validTo }),
      extents: [],
    })),
  ]
  return { count: listed.length, zones: listed }
}

function presentExtent({ from, to, regions }: (typeof ZONE_EXTENTS)['nord'][number]) {
  return { ...(from && { from }), ...(to && { to }), regions: regions.map((code) => ({ code, name: REGIONS[code] })) }
}
