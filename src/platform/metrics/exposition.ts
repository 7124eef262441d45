/** The text format of Prometheus, version 0.0.4. */
export const METRICS_CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

export type Labels = Readonly<Record<string, string>>

export interface Sample {
  /** Of the metric, with the suffix of a histogram's parts. */
  name: string
  labels: Labels
  value: number
}

export interface MetricFamily {
  name: string
  help: string
  type: 'counter' | 'gauge' | 'histogram'
  samples: readonly Sample[]
}

/** `# HELP`, `# TYPE` and a line per sample, for each family. */
export function exposition(families: readonly MetricFamily[]): string {
  return families
    .flatMap(({ name, help, type, samples }) => [
      `# HELP ${name} ${escaped(help, false)}`,
      `# TYPE ${name} ${type}`,
      ...samples.map(sampleLine),
    ])
    .concat('')
    .join('\n')
}

function sampleLine({ name, labels, value }: Sample): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text, true)}"`)
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}`
}

function escaped(text: string, isLabel: boolean): string {
  const lines = text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
  return isLabel ? lines.replaceAll('"', '\\"') : lines
}
