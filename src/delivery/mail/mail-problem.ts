const PROBLEM_LENGTH_MAX = 200

/** The code and the server's answer; never the address of the server, which may hold a password. */
export function mailProblem(err: unknown): string {
  const code = err instanceof Error && 'code' in err ? String(err.code) : 'unknown error'
  const response = err instanceof Error && 'response' in err ? `: ${String(err.response)}` : ''
  return `${code}${response}`.slice(0, PROBLEM_LENGTH_MAX)
}
