/**
 * Reads analysts' statements with PostgreSQL's own parser (WebAssembly), which is C: on a text made for it the parser's stack overflows
 * and leaves it broken, and some take it long. So it runs in a thread, started with the first statement and anew after either.
 */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

const READING_MS_MAX = 2_000

export interface StatementReader {
  /** Why it is refused, a phrase that follows "sql"; undefined where nothing speaks against it. */
  refusalOf(statement: string): Promise<string | undefined>
}

/** What the thread answers; `broken`: it must not be asked again. */
export type ReaderReply = { refusal?: string; broken?: boolean }

export function statementReader(): StatementReader {
  let thread: Worker | undefined
  let turn: Promise<unknown> = Promise.resolve()

  async function read(statement: string): Promise<string | undefined> {
    const asked = thread ?? (await startThread())
    thread = undefined
    try {
      const { refusal, broken } = await answerOf(asked, statement)
      if (!broken) thread = asked
      return refusal
    } finally {
      if (thread === undefined) await asked.terminate()
    }
  }

  return {
    refusalOf(statement) {
      const reading = turn.then(() => read(statement))
      turn = reading.catch(() => undefined)
      return reading
    },
  }
}

/** It says once that it is ready, and keeps no process from ending. */
async function startThread(): Promise<Worker> {
  const thread = new Worker(new URL('./statement-reader-thread.ts', import.meta.url), { name: 'reader of statements' })
  await once(thread, 'message')
  // Whoever waits for an answer is told (answerOf); at other times there is nobody.
  thread.on('error', () => {})
  thread.unref()
  return thread
}

async function answerOf(thread: Worker, statement: string): Promise<ReaderReply> {
  const { promise, resolve, reject } = Promise.withResolvers<ReaderReply>()
  thread.once('message', resolve).once('error', reject)
  const timer = setTimeout(() => resolve({ refusal: 'takes too long to read', broken: true }), READING_MS_MAX)
  try {
    thread.postMessage(statement)
    return await promise
  } finally {
    clearTimeout(timer)
    thread.off('message', resolve).off('error', reject)
  }
}
