/**
 * Logging: one line of JSON per event on standard output, written without blocking the thread that logs. Keys and secrets
 * are redacted here and nowhere else. The id of the current request or job comes from async context (request-id.ts).
 */
import fs from 'node:fs'
import pino from 'pino'
import { currentRequestId } from './request-id.ts'

export type Logger = pino.Logger

/** Logger names of the parts of the service: `childLogger(log, 'http')`. */
const LOG_NAMES = ['http', 'database', 'jobs', 'sources', 'import', 'life', 'metrics'] as const
type LogName = (typeof LOG_NAMES)[number]

/** Redacted in every line, down to three levels of nesting. */
export const SECRET_FIELDS = [
  'authorization',
  'cookie',
  'password',
  'secret',
  'signing_secret',
  'key',
  'apiKey',
  'connectionString',
]
const REDACTED = '[redacted]'
/** The query parameters `key=`, `signature=` and `token=`. */
const SECRET_PARAMETER = new RegExp(
  `([?&](?:${['key', 'signature', 'token'].map(encodedPattern).join('|')})=)[^&#]*`,
  'gi',
)
/** API keys, and the tokens that confirm them. */
const API_KEY_PATTERN = new RegExp(
  `${encodedPattern('svc_')}(?:${encodedPattern('live_')}(?:\\w|%[\\da-f]{2})+|${encodedPattern('confirm_')}(?:[\\w-]|%[\\da-f]{2})+)`,
  'gi',
)

/** Password in a connection string: `postgres://user:password@host`. */
const PASSWORD_IN_ADDRESS = /(:\/\/[^\s"/:@]*:)[^\s"/@]+@/g

/** Lines are buffered up to this size, and flushed every FLUSH_MS and at process exit, since each write wakes a thread. */
const BUFFER_BYTES = 256 * 1024
/** Lines are joined up to this length. */
const JOINED_LENGTH = 8 * 1024
const FLUSH_MS = 200
/** Buffer for a reader that has stopped reading; lines beyond it are lost. */
const WAITING_BYTES_MAX = 16 * 1024 * 1024
const RETRY_MS = 50
const AT_EXIT_MS = 500
const NO_FIELDS = {}

/** `destination` is for tests; the default is standard output. */
export function createLogger(options: { level: string; destination?: pino.DestinationStream }): Logger {
  return pino(
    {
      level: options.level,
      base: undefined,
      timestamp: isoTime,
      serializers: { err: plainError },
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`, `*.*.*.${field}`]),
        censor: REDACTED,
      },
      hooks: { streamWrite: redactSecrets },
      mixin: requestFields,
      mixinMergeStrategy: (line, fields) =>
        fields === NO_FIELDS || 'requestId' in line ? line : { ...fields, ...line },
    },
    options.destination ?? logDestination(process.stdout.fd),
  )
}

interface LogDestination extends pino.DestinationStream {
  /** Like `write`, for a line of ASCII only, at a third of the cost. */
  writeAscii?(line: string): void
  flush?(done?: () => void): void
}

/**
 * A file or descriptor to which lines are written in the background. Lines that cannot be written, because the disk is full or the
 * pipe is closed, are dropped and counted; neither the service nor its shutdown waits for them.
 */
export function logDestination(dest: string | number): LogDestination {
  const fd = typeof dest === 'number' ? dest : fs.openSync(dest, 'a')
  let lines = ''
  let waiting: Buffer[] = []
  let waitingBytes = 0
  let lostBytes = 0
  const flushCallbacks: (() => void)[] = []
  let isWriting = false
  let timer: NodeJS.Timeout | undefined

  const add = (bytes: Buffer) => {
    if (waitingBytes + bytes.length > WAITING_BYTES_MAX) {
      lostBytes += bytes.length
      return
    }
    waiting.push(bytes)
    waitingBytes += bytes.length
    if (waitingBytes >= BUFFER_BYTES) writeWaiting()
  }
  const bufferLines = () => {
    if (lines !== '') add(Buffer.from(lines, 'latin1'))
    lines = ''
  }
  const takeWaiting = () => {
    const bytes = Buffer.concat(waiting)
    waiting = []
    waitingBytes = 0
    return bytes
  }
  const writeWaiting = () => {
    if (!isWriting && waitingBytes > 0) write(takeWaiting())
  }
  const write = (bytes: Buffer) => {
    isWriting = true
    fs.write(fd, bytes, (err, count) => {
      if (err?.code === 'EAGAIN') {
        setTimeout(write, RETRY_MS, bytes).unref()
        return
      }
      if (err) lostBytes += bytes.length
      else if (count < bytes.length) return write(bytes.subarray(count))
      isWriting = false
      if (!err && lostBytes > 0) {
        add(Buffer.from(`{"level":"warn"${isoTime()},"lostBytes":${lostBytes},"msg":"log lines were lost"}\n`))
        lostBytes = 0
      }
      if (waitingBytes > 0 && (waitingBytes >= BUFFER_BYTES || flushCallbacks.length > 0)) return writeWaiting()
      for (const done of flushCallbacks.splice(0)) done()
    })
  }
  const flush = (done?: () => void) => {
    clearTimeout(timer)
    timer = undefined
    bufferLines()
    writeWaiting()
    if (done !== undefined && isWriting) flushCallbacks.push(done)
    else done?.()
  }
  const flushSoon = () => {
    timer ??= setTimeout(flush, FLUSH_MS).unref()
  }
  process.on('exit', () => {
    bufferLines()
    writeAtExit(fd, takeWaiting())
  })
  return {
    write(line) {
      bufferLines()
      add(Buffer.from(line))
      flushSoon()
    },
    writeAscii(line) {
      lines += line
      if (lines.length >= JOINED_LENGTH) bufferLines()
      flushSoon()
    },
    flush,
  }
}

/** Retries a full pipe for AT_EXIT_MS, to give its reader time. */
function writeAtExit(fd: number, bytes: Buffer): void {
  const until = performance.now() + AT_EXIT_MS
  for (let left = bytes; left.length > 0; ) {
    try {
      left = left.subarray(fs.writeSync(fd, left))
    } catch (err) {
      if ((err as NodeJS.ErrnoException).code !== 'EAGAIN' || performance.now() > until) return
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS)
    }
  }
}

function requestFields(): object {
  const requestId = currentRequestId()
  return requestId === undefined ? NO_FIELDS : { requestId }
}

/**
 * An error with its stack, causes, and own scalar properties. Attached objects are left out: the database connection
 * that a pool attaches to its error holds a password and the key that cancels its statements.
 */
function plainError(err: unknown): unknown {
  if (typeof err !== 'object' || err === null) return err
  const facts = Object.entries(pino.stdSerializers.err(err as Error)).filter(([, value]) => typeof value !== 'object')
  const several = 'errors' in err && Array.isArray(err.errors) && { aggregateErrors: err.errors.map(plainError) }
  return { ...Object.fromEntries(facts), ...several }
}

let lastMs = 0
let lastTime = ''

/** The time as ISO 8601, formatted once per millisecond: a busy service writes many lines in each. */
function isoTime(): string {
  const nowMs = Date.now()
  if (nowMs !== lastMs) {
    lastMs = nowMs
    lastTime = `,"time":"${new Date(nowMs).toISOString()}"`
  }
  return lastTime
}

/** Returns a logger that adds the part of the service to each line. */
export function childLogger(log: Logger, name: LogName): Logger {
  return log.child({ name })
}

/**
 * Writes lines whose fields are all known to contain no secret, such as those of the access log, at a tenth of the cost. `fields`
 * is ASCII JSON without the braces; only the level, the time and the fields of the logger are added.
 */
export function lineWriter(log: Logger): (level: 'info' | 'warn' | 'error', fields: string) => void {
  const { [pino.symbols.streamSym]: stream, [pino.symbols.chindingsSym]: bindings } = log as Logger & Internals
  const write = (line: string) => (stream.writeAscii ?? stream.write).call(stream, line)
  return (level, fields) => {
    if (!log.isLevelEnabled(level)) return
    write(`{"level":"${level}"${isoTime()}${bindings},${fields}}\n`)
  }
}

interface Internals {
  [pino.symbols.streamSym]: LogDestination
  /** The fields of a child logger, as JSON that begins with a comma. */
  [pino.symbols.chindingsSym]: string
}

/** Removes secrets wherever they appear in a line, such as in an error message. */
function redactSecrets(line: string): string {
  const text = line.includes('svc_') ? redactKeys(line) : line
  return text.includes('@') ? text.replace(PASSWORD_IN_ADDRESS, `$1${REDACTED}@`) : text
}

/** Redacts the secret parameters of a URL, anything that looks like a key, and passwords: `/v1/x?key=[redacted]`. */
export function redactUrl(url: string): string {
  if (!/[?%@]|svc_/i.test(url)) return url
  return redactSecrets(redactKeys(url.replace(SECRET_PARAMETER, `$1${REDACTED}`)))
}

/** Redacts anything that looks like a key: `got svc_live_Ab3` becomes `got [redacted]`. */
export function redactKeys(text: string): string {
  return text.replace(API_KEY_PATTERN, REDACTED)
}

/** Returns a pattern for the text with any letter percent-encoded, any number of times: `k`, `%6b`, `%4B` and `%256b` are one letter. */
function encodedPattern(text: string): string {
  const hex = (letter: string) => letter.charCodeAt(0).toString(16)
  return Array.from(text, (one) => `(?:${one}|%(?:25)*(?:${hex(one)}|${hex(one.toUpperCase())}))`).join('')
}
