/** Starts the service in its role, and stops it: a signal, the end of npm, or the failure of something it depends on. */

import './platform/processes/keep-compiled.ts'
import './cli/env-file.ts'
import { stopSignal } from './service/stop-signal.ts'

const stopping = stopSignal(process.env)
// Loaded after the cache of compiled code is open.
const { main } = await import('./service/main.ts')
await main(process.env, stopping)
