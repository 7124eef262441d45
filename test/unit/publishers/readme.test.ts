/** The tables of the README are generated from the publishers' definitions; `-u` writes them. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { publisherTables } from '../../support/publisher-tables.ts'

const README = path.join(import.meta.dirname, '../../../src/publishers/README.md')
const HEADING = '## All of them\n'

it('the README lists every publisher with its documents and variables', async () => {
  const [text] = readFileSync(README, 'utf8').split(HEADING)
  await expect(`${text}${HEADING}\n${publisherTables()}`).toMatchFileSnapshot(README)
})
