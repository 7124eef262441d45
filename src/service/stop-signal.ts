/** Stops the service on a signal or at the end of npm. Imported before everything else, so that a start can be stopped at any moment. */
import { waitForNpmExit } from '../platform/npm-parent.ts'

/** Aborts with the name of the first event and ignores later signals: on Ctrl-C the terminal sends one, and npm forwards another. */
export function stopSignal(env: NodeJS.ProcessEnv): AbortSignal {
  const stopping = new AbortController()
  const stop = (reason: string) => stopping.abort(reason)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop)
  void waitForNpmExit(env).then(stop)
  return stopping.signal
}

/** Rejects with the signal's reason when it aborts. */
export function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
