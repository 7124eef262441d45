/** Every promise of `test/guarantees.md` names a test that exists. */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

const FOLDER = path.join(import.meta.dirname, '..')

it('every promise names a test that exists', () => {
  const text = readFileSync(path.join(FOLDER, 'guarantees.md'), 'utf8')
  const rows = text.split('\n').filter((line) => line.startsWith('| ') && line.includes('.test.ts'))
  expect(rows.length).toBeGreaterThan(50)
  const missing = rows.filter((row) => {
    const [, file, title] = row.match(/\| `([^`]+)`: (.+) \|$/) ?? []
    if (file === undefined || title === undefined || !existsSync(path.join(FOLDER, file))) return true
    return !readFileSync(path.join(FOLDER, file), 'utf8').includes(title)
  })
  expect(missing).toEqual([])
})
