/** Live JavaScript heap of another Node process: its inspector collects garbage first. */
import { setTimeout as sleep } from 'node:timers/promises'

/** For the process's NODE_OPTIONS: its inspector then listens on a free local port. */
export const INSPECTOR_OPTION = '--inspect-port=0'
const POLL_MS = 50
const OPEN_WITHIN_MS = 10_000

export interface LiveHeap extends Disposable {
  megabytes(): Promise<number>
}

/** Connects to the inspector of a process started with the option; the URL is in `output`, the text printed so far. */
export async function openLiveHeap(pid: number, output: () => string): Promise<LiveHeap> {
  process.kill(pid, 'SIGUSR1')
  const socket = new WebSocket(await inspectorUrl(output))
  const answers = new Map<number, PromiseWithResolvers<Record<string, number>>>()
  let lastId = 0
  const closed = new Error('the inspector of the service has closed')
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(data as string)
    answers.get(id)?.resolve(result)
    answers.delete(id)
  })
  socket.addEventListener('close', () => {
    for (const answer of answers.values()) answer.reject(closed)
  })
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', () => reject(new Error('the inspector of the service cannot be reached')))
  })
  const sendCommand = (method: string) => {
    const answer = Promise.withResolvers<Record<string, number>>()
    answers.set(++lastId, answer)
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ id: lastId, method }))
    else answer.reject(closed)
    return answer.promise
  }
  return {
    async megabytes() {
      await sendCommand('HeapProfiler.collectGarbage')
      const { usedSize = Number.NaN } = await sendCommand('Runtime.getHeapUsage')
      return usedSize / 1024 ** 2
    },
    [Symbol.dispose]: () => socket.close(),
  }
}

async function inspectorUrl(output: () => string): Promise<string> {
  const until = performance.now() + OPEN_WITHIN_MS
  for (;;) {
    const url = /Debugger listening on (ws:\S+)/.exec(output())?.[1]
    if (url !== undefined) return url
    if (performance.now() > until) throw new Error('the service does not say where its inspector listens')
    await sleep(POLL_MS)
  }
}
