/** An operator who imports files and decides on quarantined days. */
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { refreshAggregates } from '../../jobs/refresh-aggregates.ts'
import { importFiles } from '../../src/ingest/import-files.ts'
import { acceptQuarantined, listQuarantine, rejectQuarantined } from '../../src/store/quarantine.ts'
import type { Act } from './history.ts'
import { hoursOf, minutesOf, plusDays, ZONES, type Zone } from './model.ts'
import { gmeFile } from './publishers.ts'
import { Violation } from './violation.ts'
import type { World } from './world.ts'

/** Imports a file with the values that the publisher states now, or those that it stated first. */
export async function importFile(
  world: World,
  { daysBack, days, form, zones, version, damage }: Extract<Act, { kind: 'import' }>,
): Promise<void> {
  const { ctx, queue } = world.process
  const affected = Array.from({ length: damage === 'cut' ? 1 : days }, (_, i) => world.daysAgo(daysBack - i)).filter(
    (day) => day >= plusDays(world.firstDay, -2) && world.publishers.isPublished(day, world.nowMs),
  )
  const chosen = ZONES.filter((_, place) => zones & (1 << place))
  const parts = affected.flatMap((day) => {
    const all = world.publishers.zones(day, world.nowMs, version === 'now' ? 'corrected' : 'first')
    const isInQuarters = day >= '2025-10-01'
    const resolutions = (
      !isInQuarters ? [60] : form === 'hours' ? [60] : form === 'quarters' || damage === 'cut' ? [15] : [60, 15]
    ) as (15 | 60)[]
    return resolutions.map((minutes) => ({
      day,
      minutes,
      prices: new Map(
        chosen.map((zone) => {
          const prices = all.get(zone) as number[]
          const stated =
            minutes === 60 && isInQuarters ? hoursOf(prices, 15).map((price) => Number(price.toFixed(6))) : prices
          return [zone, stated]
        }),
      ),
    }))
  })
  if (parts.length === 0) return
  const text = gmeFile(parts)
  const file = path.join(world.folder, `${world.steps.length}.xml`)
  await writeFile(file, damage === 'cut' ? text.slice(0, Math.floor(text.length * 0.6)) : text)
  for (let times = damage === 'twice' ? 2 : 1; times > 0; times--) {
    await importFiles({ database: ctx.database, clock: ctx.clock, paths: [file] })
    if (damage === 'cut') continue
    for (const day of affected) {
      world.imported.add(day)
      const finest = parts.filter((part) => part.day === day).at(-1)
      for (const [zone, prices] of finest?.prices ?? [])
        world.applyToModel({ zone, day, minutes: finest?.minutes as 15 | 60, prices }, 'gme-mgp', world.nowMs)
    }
  }
  await queue.send(refreshAggregates, {})
  await world.drain()
}

/** Accepts or rejects a quarantined day. */
export async function decideQuarantined(
  world: World,
  { accept, nth }: Extract<Act, { kind: 'decide' }>,
): Promise<void> {
  const open = (await listQuarantine(world.sql, 'open', 50))
    .filter(({ series }) => series.startsWith('zone:'))
    .reverse()
  const chosen = open[nth % Math.max(open.length, 1)]
  if (chosen === undefined) return
  if (!accept) return void (await rejectQuarantined(world.sql, chosen.id, world.now()))
  const { id, source, marketDay: day, resolutionMinutes } = chosen
  const zone = chosen.series.replace('zone:', '') as Zone
  const prices = chosen.prices?.map((price) => price ?? undefined)
  if (prices === undefined || day === null) return
  const minutes = resolutionMinutes as 15 | 60
  const hasGaps = prices.length < minutesOf(day) / minutes || prices.includes(undefined)
  const isWhole = world.model.prices(zone, day) !== undefined
  const refusal = await acceptQuarantined(world.sql, id, world.now()).then(
    () => undefined,
    (err: Error) => err.message,
  )
  if ((refusal !== undefined) !== (hasGaps && isWhole))
    throw new Violation('A complete day is never replaced by one with gaps.', `${zone} ${day}: ${refusal}`)
  if (refusal !== undefined) return
  world.imported.add(day)
  if (world.model.store({ zone, day, minutes, prices }, source, world.nowMs)) world.recordChange(zone, day, world.nowMs)
  await world.process.queue.send(refreshAggregates, {})
  await world.drain()
}
