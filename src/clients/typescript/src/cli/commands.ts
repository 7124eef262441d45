/** Commands of the command-line interface. */
import { OPERATIONS, type OperationRow, type Operations } from '../api.generated.ts'
import type { EnergyPrices } from '../client.ts'
import type { Hour } from '../rows.ts'
import { chart, table } from './draw.ts'

export const OPTIONS = {
  url: { type: 'string' },
  key: { type: 'string' },
  json: { type: 'boolean' },
  csv: { type: 'boolean' },
  from: { type: 'string' },
  to: { type: 'string' },
  unit: { type: 'string' },
  granularity: { type: 'string' },
  dataset: { type: 'string' },
  zone: { type: 'string' },
  between: { type: 'string' },
  deadline: { type: 'string' },
  forecast: { type: 'string' },
  since: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const

/** Invalid command-line usage. */
export class UsageError extends Error {}

interface Invocation {
  client: EnergyPrices
  words: string[]
  values: Partial<Record<keyof typeof OPTIONS, string | boolean>>
  signal: AbortSignal
}

interface Output {
  json: unknown
  csv?: () => Promise<string>
  text: () => string
}

export interface Command {
  usage: string
  summary: string
  run(invocation: Invocation): AsyncIterable<Output>
}

type Name = keyof Operations
type Arguments = Record<string, unknown>

export const COMMANDS: Record<string, Command> = {
  today: {
    usage: '',
    summary: 'the five current prices',
    async *run({ client, signal }) {
      const { values, attribution } = await client.getToday(undefined, { signal })
      const rows = Object.values(values).map((one) => [
        one.asset,
        String(one.value_native ?? one.value),
        one.unit_native ?? one.unit,
        one.date,
      ])
      yield { json: values, text: () => `${table(['', 'price', 'unit', 'day'], rows)}\n${attribution}` }
    },
  },
  hours: {
    usage: '<zone> [day]',
    summary: 'the hours of a market day, with a chart',
    async *run({ client, words: [zone = 'nazionale', date], values, signal }) {
      const args = { zone, ...(date && { date }), ...pick(values, ['granularity', 'from', 'to']) } as never
      const reply = await client.getPunHourly(args, { signal })
      const days = 'days' in reply ? reply.days : [reply]
      yield {
        json: reply,
        csv: () => client.csv('getPunHourly', args, { signal }),
        text: () =>
          [...days.map((day) => drawDay(day, reply.unit)), `${reply.zone}, ${reply.source}\n${reply.attribution}`].join(
            '\n\n',
          ),
      }
    },
  },
  series: {
    usage: '<index> [--from day] [--to day]',
    summary: 'daily prices of pun, psv, ttf, brent or co2',
    async *run({ client, words: [asset = 'pun'], values, signal }) {
      const args = { asset, ...pick(values, ['from', 'to', 'unit']) } as never
      const series = await client.getPricesSeries(args, { signal })
      const cut = series.truncated ? `\nCut to your plan; ${series.required_tier} has all of it.` : ''
      yield {
        json: series,
        csv: () => client.csv('getPricesSeries', args, { signal }),
        text: () =>
          `${table(
            ['day', series.unit],
            series.points.map(({ date, value }) => [date, String(value)]),
          )}${cut}\n${series.source ?? ''}\n${series.attribution}`,
      }
    },
  },
  forecast: {
    usage: '[index]',
    summary: 'the days ahead of pun, psv or ttf, with their 80% band',
    async *run({ client, words: [asset = 'pun'], signal }) {
      const args = { asset } as never
      const forecast = await client.getForecast(args, { signal })
      const rows = forecast.points.map(({ date, p10, p50, p90 }) => [date, ...[p10, p50, p90].map(String)])
      yield {
        json: forecast,
        csv: () => client.csv('getForecast', args, { signal }),
        text: () =>
          `${table(['day', 'low', forecast.unit, 'high'], rows)}\nForecast, not a price. ${forecast.attribution}`,
      }
    },
  },
  cheapest: {
    usage: '[hours] [--deadline 07:00] [--zone nord]',
    summary: 'when to run something for so many hours',
    async *run({ client, words: [hours = '3'], values, signal }) {
      const args = { hours, ...pick(values, ['zone', 'between', 'deadline', 'forecast']) } as never
      const window = await client.getCheapestWindow(args, { signal })
      const saves = window.now === undefined ? '' : `, ${window.now.saves.toFixed(2)} less than from now on`
      yield {
        json: window,
        text: () =>
          `${clock(window.starts_at)} to ${clock(window.ends_at)}: ${window.mean} ${window.unit}${saves}\n${window.attribution}`,
      }
    },
  },
  watch: {
    usage: '[--dataset pun,zones] [--since cursor]',
    summary: 'what changes, as it happens',
    async *run({ client, values, signal }) {
      for await (const change of client.stream({ ...pick(values, ['dataset', 'since']), signal }))
        yield {
          json: change,
          text: () => [change.as_of, change.kind, change.dataset ?? '', change.day ?? '', change.cursor].join('  '),
        }
    },
  },
  call: {
    usage: '<operation> [name=value …]',
    summary: 'any operation; without one, the list',
    async *run({ client, words: [name, ...given], signal }) {
      if (name === undefined || !Object.hasOwn(OPERATIONS, name)) {
        if (name !== undefined) throw new UsageError(`there is no operation ${name}`)
        yield { json: OPERATIONS, text: () => table(['operation', '', ''], operationRows()) }
        return
      }
      const args = argumentsOf(given)
      const reply = await client.call(name as Name, args as never, { signal })
      yield {
        json: reply,
        csv: () => client.csv(name as Name, args as never, { signal }),
        text: () => JSON.stringify(reply, undefined, 2),
      }
    },
  },
  completion: {
    usage: 'bash|zsh|fish',
    summary: 'what a shell needs to complete commands',
    async *run({ words: [shell = 'bash'] }) {
      const options = Object.keys(OPTIONS).map((name) => `--${name}`)
      const script = completion(shell, {
        commands: Object.keys(COMMANDS),
        options,
        operations: Object.keys(OPERATIONS),
      })
      if (script === undefined) throw new UsageError(`${shell} is not bash, zsh or fish`)
      yield { json: script, text: () => script }
    },
  },
}

/** Formats a timestamp, which is already in Rome time, as `2026-11-21 02:00`. */
function clock(startsAt: string): string {
  return startsAt.slice(0, 16).replace('T', ' ')
}

function pick(values: Invocation['values'], names: (keyof typeof OPTIONS)[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (typeof values[name] === 'string' ? [[name, values[name]]] : [])))
}

/** Parses `name=value` words. The value of `body` is parsed as JSON; all others remain strings. */
function argumentsOf(given: string[]): Arguments {
  return Object.fromEntries(
    given.map((word) => {
      const [, name, value = ''] = /^(\w+)=(.*)$/s.exec(word) ?? []
      if (name === undefined) throw new UsageError(`write ${word} as name=value`)
      return [name, name === 'body' ? JSON.parse(value) : value]
    }),
  )
}

function operationRows(): string[][] {
  return Object.entries<OperationRow>(OPERATIONS).map(([name, { method, path }]) => [name, method, path])
}

type Day = {
  date: string
  count: number
  expected: number
  cheapest_hours: number[]
  hours?: { hour: number; starts_at: string; value: number; band: Hour['band'] }[]
  quarters?: { hour: number; starts_at: string; value: number; band: Hour['band'] }[]
}

/** Renders a day in Rome time. Days of 23 or 25 hours show the UTC offset, which distinguishes the repeated hour. */
function drawDay({ date, count, expected, cheapest_hours: cheapest, hours, quarters }: Day, unit: string): string {
  const rows = quarters ?? hours ?? []
  const missing = count < expected ? `, ${expected - count} missing` : ''
  const lines = rows.map(({ hour, starts_at, value, band }) => [
    `${starts_at.slice(11, 16)}${expected % 24 === 0 ? '' : starts_at.slice(-6)}`,
    value.toFixed(2),
    band,
    !quarters && cheapest.includes(hour) ? 'cheapest' : '',
  ])
  return `${date}, ${unit}${missing}\n\n${chart(rows.map(({ value }) => value))}\n\n${table(['from', 'price', 'band', ''], lines)}`
}

interface Words {
  commands: string[]
  options: string[]
  operations: string[]
}

/** Returns the completion script of a shell, or undefined if the shell is not supported. */
export function completion(shell: string, { commands, options, operations }: Words): string | undefined {
  const first = commands.join(' ')
  const others = options.join(' ')
  const names = operations.join(' ')
  if (shell === 'bash' || shell === 'zsh') {
    const bash = `_energy_prices() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words="${first}"
  if [ "$COMP_CWORD" -gt 1 ]; then words="${others}"; fi
  if [ "\${COMP_WORDS[1]}" = call ] && [ "$COMP_CWORD" -eq 2 ]; then words="${names}"; fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _energy_prices energy-prices`
    return shell === 'bash' ? bash : `autoload -U +X bashcompinit && bashcompinit\n${bash}`
  }
  if (shell !== 'fish') return undefined
  return [
    `complete -c energy-prices -f -n __fish_use_subcommand -a '${first}'`,
    `complete -c energy-prices -f -n '__fish_seen_subcommand_from call' -a '${names}'`,
    ...options.map((option) => `complete -c energy-prices -l ${option.slice(2)}`),
  ].join('\n')
}
