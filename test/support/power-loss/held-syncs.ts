/**
 * Preloaded into a process that runs an engine (`node --import`): after the message `hold`, each `fdatasync` of the engine blocks until
 * the message `release` or `fail`.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { BroadcastChannel, isMainThread } from 'node:worker_threads'

export type HeldSyncsCommand = 'hold' | 'release' | 'fail'
export type HeldSyncsEvent = 'holding' | 'asked'

const toEngine = new BroadcastChannel('to held syncs')
const fromEngine = new BroadcastChannel('from held syncs')
if (isMainThread) relayMessages()
else holdSyncs()

function relayMessages(): void {
  process.on('message', (message: HeldSyncsCommand) => toEngine.postMessage(message))
  fromEngine.onmessage = ({ data }) => process.send?.(data)
}

function holdSyncs(): void {
  const fdatasync = fs.fdatasync
  const held: { fd: number; done: fs.NoParamCallback }[] = []
  let holding = false
  // Lets the thread that creates the database exit when its work is done.
  for (const channel of [toEngine, fromEngine]) channel.unref()
  toEngine.onmessage = ({ data }) => {
    if (data === 'hold') {
      holding = true
      return fromEngine.postMessage('holding' satisfies HeldSyncsEvent)
    }
    const next = held.shift()
    if (!next) throw new Error(`no sync to ${data}`)
    if (data === 'release') fdatasync(next.fd, next.done)
    else next.done(Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' }))
  }
  fs.fdatasync = ((fd: number, done: fs.NoParamCallback) => {
    if (!holding) return fdatasync(fd, done)
    held.push({ fd, done })
    fromEngine.postMessage('asked' satisfies HeldSyncsEvent)
  }) as typeof fs.fdatasync
  syncBuiltinESMExports()
}
