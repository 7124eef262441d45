/** Alerts that call the receivers, and which of them must or may fire, given the versions of each day's price. */
import type { ReceivedCall } from '../support/webhook-receiver.ts'
import type { Act } from './history.ts'
import { plusDays, sixDecimals } from './model.ts'
import { Violation } from './violation.ts'
import type { World } from './world.ts'

interface Alert {
  id: string
  path: string
  asset: 'pun' | 'pun-zona-nord' | 'psv'
  condition: 'above' | 'below'
  threshold: number
  granularity: 'day' | 'hour'
  createdMs: number
}

interface ValueVersion {
  day: number
  low: number
  high: number
  fromMs: number
}

export class Alerts {
  readonly #world: World
  readonly #alerts: Alert[] = []
  /** Days on which an alert has to fire. */
  readonly #due = new Map<string, Set<string>>()
  /** Time of the last evaluation, which is later than now if the clock has been set back. */
  #evaluatedMs = 0

  constructor(world: World) {
    this.#world = world
  }

  async create({
    asset,
    condition,
    threshold,
    granularity,
    subscriber,
  }: Extract<Act, { kind: 'alert' }>): Promise<void> {
    if (asset === 'psv' && granularity === 'hour') return
    const { subscribers } = this.#world
    const path = `/${subscriber}/alert/${this.#alerts.length}`
    const url = `https://127.0.0.1:${subscribers.port}${path}`
    const definition = { asset, condition, threshold: asset === 'psv' ? threshold / 4 : threshold, granularity }
    const made = await subscribers.callApi('/v1/alerts', { ...definition, webhook_url: url })
    const createdMs = Math.max(this.#world.nowMs, this.#evaluatedMs)
    this.#alerts.push({ id: made.id as string, path, ...definition, createdMs })
  }

  /** Called after the alerts were evaluated: records those that must have fired by now. Others may have fired too. */
  recordDueAlerts(atMs: number): void {
    this.#evaluatedMs = Math.max(this.#evaluatedMs, atMs)
    const today = this.#world.today()
    for (const alert of this.#alerts) {
      for (const day of [plusDays(today, -1), today, plusDays(today, 1)]) {
        if (day < today && alert.asset !== 'psv') continue
        const [known, before] = [this.#versions(alert, day), this.#versions(alert, plusDays(day, -1))]
        const [singleVersion] = known
        // With several versions of a price, firing depends on when the jobs ran.
        if (
          singleVersion === undefined ||
          known.length > 1 ||
          before.length > 1 ||
          singleVersion.fromMs <= alert.createdMs
        )
          continue
        if (singleVersion.fromMs >= atMs || !isMet(alert, singleVersion)) continue
        const isFirstKnown = before[0] === undefined
        if (alert.granularity === 'day' && !isFirstKnown && isMet(alert, before[0] as ValueVersion)) continue
        if (alert.granularity === 'day' && isFirstKnown) continue // an older day may count as the previous one
        const days = this.#due.get(alert.id) ?? new Set()
        this.#due.set(alert.id, days.add(day))
      }
    }
  }

  /** Versions of the values of a complete day, each with the time from which it was current. */
  #versions({ asset }: Alert, day: string): ValueVersion[] {
    const { model } = this.#world
    if (asset === 'psv') {
      const held = model.gas.get(day)
      if (held === undefined) return []
      return [...held.replaced, held.now].map(({ price, from }) => ({
        day: price,
        low: price,
        high: price,
        fromMs: from,
      }))
    }
    const zone = asset === 'pun' ? 'nazionale' : 'nord'
    const held = model.zoneDays.get(`${zone} ${day}`)
    if (held === undefined) return []
    const instants = [...held.intervals, ...held.replaced.map(({ version }) => version)].flatMap((one) =>
      one ? [one.from] : [],
    )
    return [...new Set(instants)].sort().flatMap((fromMs) => {
      const hours = model.hours(zone, day, fromMs)
      if (hours === undefined) return []
      const mean = model.mean(zone, day, fromMs) as number
      return [{ day: mean, low: Math.min(...hours), high: Math.max(...hours), fromMs }]
    })
  }

  /** Checks, at the end, that every firing was delivered and that no other call was made. */
  check(callsTo: (path: string) => readonly ReceivedCall[], acceptedCalls: ReadonlySet<ReceivedCall>): void {
    for (const alert of this.#alerts) this.#checkAlert(alert, callsTo(alert.path), acceptedCalls)
  }

  #checkAlert(alert: Alert, calls: readonly ReceivedCall[], answeredWell: ReadonlySet<ReceivedCall>): void {
    const fired = new Map<string, string>()
    const accepted = new Set<string>()
    for (const received of calls) {
      const { headers, body } = received
      const call = JSON.parse(body) as { type: string; alert_id: string; date: string; value: number }
      const id = headers['webhook-id'] as string
      if (fired.has(call.date) && fired.get(call.date) !== id)
        throw new Violation('An alert fires once for a day, whatever corrections follow.', `${alert.path} ${body}`)
      fired.set(call.date, id)
      if (answeredWell.has(received)) accepted.add(call.date)
      const isKnown = this.#versions(alert, call.date).some((version) => {
        const value = comparedValue(alert, version)
        return Math.abs(value - call.value) < 2e-6 && isMet(alert, version)
      })
      if (!isKnown || call.alert_id !== alert.id)
        throw new Violation('No alert fires for what did not happen.', `${JSON.stringify(alert)} ${body}`)
    }
    const due = [...(this.#due.get(alert.id) ?? []), ...fired.keys()]
    const missing = due.filter((day) => !accepted.has(day))
    if (missing.length > 0)
      throw new Violation(
        'No firing is lost, and an alert is suspended at 20 failures in a row.',
        `${JSON.stringify(alert)} on ${missing.join(', ')}; fired on ${[...fired.keys()]}`,
      )
  }
}

function comparedValue({ granularity, condition }: Alert, { day, low, high }: ValueVersion): number {
  if (granularity === 'day') return day
  return condition === 'below' ? low : high
}

function isMet(alert: Alert, version: ValueVersion): boolean {
  const value = sixDecimals(comparedValue(alert, version))
  return alert.condition === 'above' ? value > alert.threshold : value < alert.threshold
}
