/** Applies each act of a history to the world. */
import type { Act } from './history.ts'
import { checkMirror } from './invariants.ts'
import { ZONES, type Zone } from './model.ts'
import { decideQuarantined, importFile } from './operator.ts'
import { gradualZone } from './publishers.ts'
import type { World } from './world.ts'

const HOUR_MS = 3_600_000

export async function applyAct(world: World, act: Act): Promise<void> {
  world.count('acts', act.kind)
  world.logStep(JSON.stringify(act))
  switch (act.kind) {
    case 'correct': {
      const zone = ZONES[act.zone] as Zone
      const { from, count, price } = act
      world.publishers.corrections.push({
        day: world.daysAgo(act.daysBack),
        zone,
        from,
        count,
        price,
        atMs: world.nowMs,
      })
      return
    }
    case 'spoil': {
      const day = world.daysAgo(act.daysBack)
      const isUpcoming = !world.publishers.isPublished(day, world.nowMs)
      world.publishers.spoils.push({
        day,
        zone: act.how === 'zeros' ? gradualZone(act.zone) : (ZONES[act.zone] as Zone),
        how: act.how,
        fromMs: world.nowMs,
        // Lasts until some hours after the publication, or over the next night, when the last days are read again.
        toMs: Math.max(world.nowMs, world.publishers.publishedAt(day)) + (isUpcoming ? act.hours : 24) * HOUR_MS,
      })
      return
    }
    case 'outage': {
      const { source, fault } = act
      world.publishers.outages.push({ source, fault, fromMs: world.nowMs, toMs: world.nowMs + act.hours * HOUR_MS })
      return
    }
    case 'import':
      return importFile(world, act)
    case 'decide':
      return decideQuarantined(world, act)
    case 'crash':
      world.injectCrash(act)
      return
    case 'restart':
      return world.restart()
    case 'clock-back':
      world.nowMs -= HOUR_MS
      return world.tick()
    case 'redis-away':
      return world.stopRedis()
    case 'two-workers':
      world.runTwiceUntil(world.nowMs + act.hours * HOUR_MS)
      return
    case 'receiver':
      return world.subscribers.startFault(act)
    case 'alert':
      return world.subscribers.alerts.create(act)
    case 'burst':
      return world.callers.burst(act)
    case 'rotate':
      return world.callers.rotate(act.caller)
    case 'stream':
      await world.subscribers.followStream()
      if (world.process.queue.nextRetryMs() === undefined) await checkMirror(world)
      return
    case 'as-of': {
      const [day, zone] = [world.daysAgo(act.daysBack), ZONES[act.zone] as Zone]
      await world.callers.checkAsOf(day, zone, world.nowMs - act.hoursAgo * HOUR_MS)
      // Stored values are served only after the follow-up jobs have run.
      if (world.process.queue.nextRetryMs() === undefined) await world.callers.checkAsOf(day, zone)
      return
    }
    case 'forecast':
      return world.callers.issueForecast(act.days)
    case 'file':
      return world.callers.makeFile(act.fails)
  }
}
