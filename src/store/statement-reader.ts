/**
 * Parses analysts' statements with PostgreSQL's own parser, C compiled to WebAssembly. A crafted text can take long, or overflow its stack
 * and leave it broken. It therefore runs in a thread, started with the first statement and restarted after either.
 */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

const PARSE_TIMEOUT_MS = 2_000

export interface StatementReader {
  /** Returns why the statement is refused, a phrase that follows "sql"; undefined if it is allowed. */
  refusalOf(statement: string): Promise<string | undefined>
}

/** The thread's reply. `broken`: the thread must not be used again. */
export type ReaderReply = { refusal?: string; broken?: boolean }

export function statementReader(): StatementReader {
  let thread: Worker | undefined
  let turn: Promise<unknown> = Promise.resolve()

  async function read(statement: string): Promise<string | undefined> {
    const worker = thread ?? (await startThread())
    thread = undefined
    try {
      const { refusal, broken } = await answerOf(worker, statement)
      if (!broken) thread = worker
      return refusal
    } finally {
      if (thread === undefined) await worker.terminate()
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

/** Starts the thread and waits until it is ready. The thread does not keep the process alive. */
async function startThread(): Promise<Worker> {
  const thread = new Worker(new URL('./statement-reader-thread.ts', import.meta.url), { name: 'reader of statements' })
  await once(thread, 'message')
  // A pending request gets the error from answerOf; otherwise nothing is waiting.
  thread.on('error', () => {})
  thread.unref()
  return thread
}

async function answerOf(thread: Worker, statement: string): Promise<ReaderReply> {
  const { promise, resolve, reject } = Promise.withResolvers<ReaderReply>()
  thread.once('message', resolve).once('error', reject)
  const timer = setTimeout(() => resolve({ refusal: 'takes too long to read', broken: true }), PARSE_TIMEOUT_MS)
  try {
    thread.postMessage(statement)
    return await promise
  } finally {
    clearTimeout(timer)
    thread.off('message', resolve).off('error', reject)
  }
}
