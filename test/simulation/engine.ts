/** The embedded database of a simulated service: in this process, or in a separate one that a history kills in the middle of a statement. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import type { DatabaseLocation } from '../../src/service/open-database.ts'

const PROGRAM = path.join(import.meta.dirname, '../faults/engine-main.ts')

export class EngineProcess {
  readonly #folder: string
  #child: ChildProcess | undefined

  constructor(folder: string) {
    this.#folder = folder
  }

  readonly open = async (): Promise<DatabaseLocation> => {
    const child = spawn(process.execPath, [PROGRAM, this.#folder], { stdio: ['ignore', 'pipe', 'inherit'] })
    this.#child = child
    const [line] = (await once(child.stdout, 'data')) as [Buffer]
    return { url: line.toString().trim(), readUrls: [], engine: undefined }
  }

  kill(): void {
    this.#child?.kill('SIGKILL')
  }

  async stop(): Promise<void> {
    const child = this.#child
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    await exited
  }
}
