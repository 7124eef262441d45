/** Starts the service in its role, and stops it on a signal, at the end of npm, or when something it depends on fails. */

import './platform/processes/compile-cache.ts'
import './cli/env-file.ts'
import { stopSignal } from './service/stop-signal.ts'

const stopping = stopSignal(process.env)
// Imported after the compile cache is enabled.
const { main } = await import('./service/main.ts')
await main(process.env, stopping)
