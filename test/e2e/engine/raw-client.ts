/** A client that sends exactly the given protocol messages and nothing else. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { Engine } from '../../../src/platform/engine/engine.ts'
import { FrameReader } from '../../../src/platform/engine/message-framing.ts'
import { encodeMessage, query } from '../../../src/platform/engine/messages.ts'

export interface Answer {
  type: string
  body: Buffer
}

export const parse = (sql: string, name = '') => encodeMessage('P', `${name}\0${sql}\0\0\0`)
export const bind = (name = '') => encodeMessage('B', `\0${name}\0\0\0\0\0\0\0`)
export const execute = encodeMessage('E', '\0\0\0\0\0')
export const flush = encodeMessage('H')

export class RawClient {
  readonly socket: Socket
  readonly #frames = new FrameReader()
  readonly #waiting: (() => void)[] = []

  constructor(socket: Socket) {
    this.socket = socket
    socket.on('data', (chunk: Buffer) => {
      this.#frames.push(chunk)
      this.#wake()
    })
    socket.on('close', () => this.#wake())
    socket.on('error', () => {})
  }

  /** Connects without sending anything. */
  static async dial(engine: Engine): Promise<RawClient> {
    const socket = connect(engine.address.socketPath)
    await once(socket, 'connect')
    return new RawClient(socket)
  }

  /** Connects and waits until the server is ready for a query. */
  static async open(engine: Engine): Promise<RawClient> {
    const client = await RawClient.dial(engine)
    client.send(startup({ user: 'postgres' }))
    await client.readUntil('Z')
    return client
  }

  send(...messages: Buffer[]): void {
    this.socket.write(Buffer.concat(messages))
  }

  /** Runs the statements, sent together, and returns the answers to the last. */
  async run(...statements: string[]): Promise<Answer[]> {
    this.send(...statements.map(query))
    let answers: Answer[] = []
    for (const _ of statements) answers = await this.readUntil('Z')
    return answers
  }

  /** Returns the messages up to and including the first of that type; fewer if the connection ends first. */
  async readUntil(type: string): Promise<Answer[]> {
    const answers: Answer[] = []
    for (;;) {
      const frame = this.#frames.next((head) => head.readInt32BE(1) + 1)
      if (frame) {
        const answer = { type: frame.toString('latin1', 0, 1), body: frame.subarray(5) }
        answers.push(answer)
        if (answer.type === type) return answers
      } else if (this.socket.closed) return answers
      else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
  }

  /** Returns the SQLSTATE of the error that ends the connection. */
  async terminationError(): Promise<string | undefined> {
    return sqlState((await this.readUntil('E')).at(-1))
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve()
  }
}

export function startup(settings: Record<string, string>, protocol = 196608): Buffer {
  const words = Object.entries(settings)
    .flat()
    .map((word) => `${word}\0`)
  const packet = Buffer.from(`\0\0\0\0\0\0\0\0${words.join('')}\0`)
  packet.writeInt32BE(packet.length, 0)
  packet.writeInt32BE(protocol, 4)
  return packet
}

export function types(answers: Answer[]): string {
  return answers.map((answer) => answer.type).join('')
}

/** Returns field `C` of an ErrorResponse. */
export function sqlState(answer: Answer | undefined): string | undefined {
  if (answer?.type !== 'E') return undefined
  return /\0C([0-9A-Z]{5})\0/.exec(answer.body.toString())?.[1]
}

/** Returns the first column of each row, as text. */
export function firstColumn(answers: Answer[]): string[] {
  const rows = answers.filter((answer) => answer.type === 'D')
  return rows.map((row) => row.body.toString('utf8', 6, 6 + row.body.readInt32BE(2)))
}
