/** Clients that send requests without pause and classify every response: right, correctly refused, or wrong. */
export interface Tally {
  right: number
  /** 503 with Retry-After, according to the contract. */
  refused: number
  /** Everything else: another body, another status, no Retry-After; the first few are described. */
  wrong: string[]
  wrongCount: number
  /** Longest response time. */
  slowestMs: number
  /** Time of the last refused response, and of the first right one after it, as of `performance.now()`. */
  lastRefusedAt: number
  firstRightAfterAt: number | undefined
}

const READERS = 20
const WRONG_SHOWN = 5

/** Requests paths whose responses do not change; `stop` ends the clients and returns the tally. */
export async function startLoad(
  base: URL,
  paths: readonly string[],
): Promise<{ tally: Tally; stop(): Promise<Tally> }> {
  const expected = new Map<string, string>()
  for (const path of paths) expected.set(path, await bodyOf(base, path))
  const tally: Tally = {
    right: 0,
    refused: 0,
    wrong: [],
    wrongCount: 0,
    slowestMs: 0,
    lastRefusedAt: Number.NEGATIVE_INFINITY,
    firstRightAfterAt: undefined,
  }
  const stopping = new AbortController()
  const readers = Array.from({ length: READERS }, (_, i) =>
    read(base, [...expected].at(i % expected.size) as [string, string], tally, stopping.signal),
  )
  return {
    tally,
    async stop() {
      stopping.abort()
      await Promise.all(readers)
      return tally
    },
  }
}

async function bodyOf(base: URL, path: string): Promise<string> {
  const response = await fetch(new URL(path, base))
  if (response.status !== 200) throw new Error(`${path} is ${response.status} before anything has happened`)
  return response.text()
}

async function read(base: URL, [path, expected]: [string, string], tally: Tally, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    const started = performance.now()
    try {
      const response = await fetch(new URL(path, base))
      classify(tally, path, response, await response.text(), expected)
    } catch (err) {
      recordWrong(tally, `${path}: ${err instanceof Error ? `${err.message} ${err.cause ?? ''}` : err}`)
    }
    tally.slowestMs = Math.max(tally.slowestMs, performance.now() - started)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

function classify(tally: Tally, path: string, response: Response, body: string, expected: string): void {
  if (response.status === 200 && body === expected) {
    tally.right += 1
    if (tally.lastRefusedAt > 0) tally.firstRightAfterAt ??= performance.now()
    return
  }
  if (response.status === 503 && response.headers.has('retry-after') && body.includes('"internal_error"')) {
    tally.refused += 1
    tally.lastRefusedAt = performance.now()
    tally.firstRightAfterAt = undefined
    return
  }
  recordWrong(tally, `${path}: ${response.status} ${body.slice(0, 200)}`)
}

function recordWrong(tally: Tally, text: string): void {
  tally.wrongCount += 1
  if (tally.wrong.length < WRONG_SHOWN) tally.wrong.push(text)
}
