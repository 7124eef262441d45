/** `npm run faults [-- <name>]`: injects faults into a running service and prints their effects; exits with 1 if a promise is broken. */
import { CannotBeMade, type Finding } from './fault.ts'

const FAULTS: Record<string, () => Promise<{ default: () => Promise<Finding[]> }>> = {
  'database-stalls': () => import('./database-stalls.ts'),
  'disk-full': () => import('./disk-full.ts'),
  'clock-jumps': () => import('./clock-jumps.ts'),
  'workers-race': () => import('./workers-race.ts'),
  's3-down': () => import('./s3-down.ts'),
  'power-loss': () => import('./power-loss.ts'),
  'slow-clients': () => import('./slow-clients.ts'),
}

const [wanted] = process.argv.slice(2)
if (wanted !== undefined && !(wanted in FAULTS)) {
  console.error(`no fault "${wanted}"; there are ${Object.keys(FAULTS).join(', ')}`)
  process.exit(2)
}

let broken = 0
for (const [name, load] of Object.entries(FAULTS)) {
  if (wanted !== undefined && wanted !== name) continue
  console.log(`\n${name}`)
  for (const { promise, isMet, seen } of await findings(load)) {
    if (!isMet) broken += 1
    console.log(`  ${isMet ? 'held  ' : 'BROKEN'} ${promise}: ${seen}`)
  }
}
process.exit(broken === 0 ? 0 : 1)

async function findings(load: () => Promise<{ default: () => Promise<Finding[]> }>): Promise<Finding[]> {
  try {
    return await (await load()).default()
  } catch (err) {
    if (!(err instanceof CannotBeMade)) throw err
    console.log(`  not made: ${err.message}`)
    return []
  }
}
