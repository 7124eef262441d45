import { createLogger } from '../../src/platform/log.ts'

/** A logger whose output a test can read: as written, or as one object per line. */
export function recordedLog(level = 'info') {
  const written: string[] = []
  const log = createLogger({ level, destination: { write: (line) => void written.push(line) } })
  return {
    log,
    text: () => written.join(''),
    lines: () => written.map((line) => JSON.parse(line) as Record<string, unknown>),
  }
}
