/**
 * Reads analysts' statements with PostgreSQL's own parser (WebAssembly), which is C: on a text made for it the parser's stack overflows
 * and leaves it broken, and some take it long. So it runs in a thread, started with the first statement and anew after either.
 */
import { Worker } from 'node:worker_threads'

const READING_MS_MAX = 1_000

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
    thread ??= startThread()
    const { refusal, broken } = await answerOf(thread, statement)
    if (broken) {
      await thread.terminate()
      thread = undefined
    }
    return refusal
  }

  return {
    refusalOf(statement) {
      const reading = turn.then(() => read(statement))
      turn = reading.catch(() => undefined)
      return reading
    },
  }
}

/** It keeps no process from ending. */
function startThread(): Worker {
  const thread = new Worker(new URL('./statement-reader-thread.ts', import.meta.url), { name: 'reader of statements' })
  thread.unref()
  return thread
}

async function answerOf(thread: Worker, statement: string): Promise<ReaderReply> {
  const { promise, resolve } = Promise.withResolvers<ReaderReply>()
  const onError = () => resolve({ refusal: 'cannot be read', broken: true })
  thread.once('message', resolve).once('error', onError)
  const timer = setTimeout(() => resolve({ refusal: 'takes too long to read', broken: true }), READING_MS_MAX)
  try {
    thread.postMessage(statement)
    return await promise
  } finally {
    clearTimeout(timer)
    thread.off('message', resolve).off('error', onError)
  }
}
