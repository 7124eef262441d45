/** The simulated service in a separate process, which a test can kill: it receives the time by message and answers when it is idle. */
import { createLogger } from '../../../src/platform/log.ts'
import { simulatedService } from './simulated-service.ts'

export interface LookRequest {
  now: string
  starting: boolean
}

export interface LookReply {
  next: string
}

const environment = Object.fromEntries(
  Object.entries(process.env).flatMap(([name, value]) => (value ? [[name, value]] : [])),
)
const service = await simulatedService(environment, createLogger({ level: 'warn' }))
process.on('message', async ({ now, starting }: LookRequest) => {
  const next = await service.lookAt(Temporal.Instant.from(now), starting)
  process.send?.({ next: next.toString() } satisfies LookReply)
})
process.on('disconnect', () => process.exit())
process.send?.('ready')
