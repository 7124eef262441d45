/**
 * A publisher may state a zone's day in hours and in quarter-hours at once. Both stored one after the other would look like a
 * correction, so the finest sound one is kept and the coarser ones are left out; where the finest is not sound it is refused
 * and the next one is kept.
 */
import type { Parsed, ZoneDay } from '../publishers/observations.ts'
import type { PriceLimitsOn } from '../store/price-limits.ts'
import { gateZoneDay } from './gate.ts'

interface HasItem {
  item: Parsed
}

/** The remaining items, in their order. */
export function keepFinestResolution<Found extends HasItem>(found: readonly Found[], limits: PriceLimitsOn): Found[] {
  const byZoneAndDay = Map.groupBy(
    found.flatMap(({ item }) => (item.kind === 'zone-day' ? [item] : [])),
    ({ zone, day }) => `${zone} ${day}`,
  )
  const superfluous = new Set<Parsed>([...byZoneAndDay.values()].flatMap((same) => coarserThanSound(same, limits)))
  return found.filter(({ item }) => !superfluous.has(item))
}

function coarserThanSound(same: ZoneDay[], limits: PriceLimitsOn): ZoneDay[] {
  if (same.length < 2) return []
  const sound = same.filter((zoneDay) => gateZoneDay(zoneDay, { priceLimits: limits('PUN', zoneDay.day) }).accepted)
  const finest = Math.min(...sound.map(({ resolutionMinutes }) => resolutionMinutes))
  return same.filter(({ resolutionMinutes }) => resolutionMinutes > finest)
}
