import { spawn } from 'node:child_process'
import { once } from 'node:events'
import os from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { runTask } from '../../src/platform/processes/run-task.ts'

const PROGRAM = path.join(import.meta.dirname, '../support/endless-task.ts')
const SIGNALLED = path.join(import.meta.dirname, '../support/signalled-task.ts')

it('a task that computes without a pause ends when its parent is killed', async () => {
  const parent = spawn(process.execPath, [PROGRAM], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(parent.stdout, 'data')
  const task = Number(line)
  onTestFinished(() => {
    if (isAlive(task)) process.kill(task, 'SIGKILL')
  })
  expect(isAlive(task)).toBe(true)
  parent.kill('SIGKILL')
  await expect.poll(() => isAlive(task), { interval: 100 }).toBe(false)
})

it('a task of a nicer parent keeps its niceness', async () => {
  const parent = spawn('nice', ['-n', '5', process.execPath, PROGRAM], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void parent.kill('SIGKILL'))
  const [line] = await once(parent.stdout, 'data')
  expect(os.getPriority(Number(line))).toBe(5)
})

it('a task ignores stop signals to its process group and returns its result', async () => {
  const { signal } = new AbortController()
  const niceness = os.constants.priority.PRIORITY_NORMAL
  await expect(runTask({}, { program: SIGNALLED, niceness, signal })).resolves.toBe('an answer')
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'ESRCH') return false
    throw err
  }
}
