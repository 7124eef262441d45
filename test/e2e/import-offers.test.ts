import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { productDatabaseOfFile } from '../support/database.ts'
import { commandOutcome } from '../support/product.ts'

const FIXTURES = path.join(import.meta.dirname, '../fixtures/sources/arera-offers')

const copy = await productDatabaseOfFile()

const runImport = (...args: string[]) => commandOutcome(copy.env, 'import.ts', ...args)

const fixture = (name: string) => path.join(FIXTURES, name)

describe('an import of offer lists', () => {
  it('reports the offers in use, and each reason to leave others out with a count and an example', async () => {
    const { code, stdout } = await runImport(fixture('left-out'), fixture('parameters'))
    expect(code).toBe(1) // expected.json lies next to the list and is no publisher's document
    expect(stdout).toMatch(
      /free-power 2026-02-01: 55 offers read, 12 in use \(12 new, 0 changed, 0 unchanged\), 0 withdrawn; 43 left out:/,
    )
    expect(stdout).toMatch(
      /^ {2}2 not_a_number: has text where a number belongs \(offer 6, line 104: PREZZO "0,135"\)$/m,
    )
    expect(stdout).toMatch(
      /^ {2}3 wrong_unit: .*€\/MWh under €\/kWh \(offer 5, line 87: 117\.4 €\/kWh has the size of a price in €\/MWh\)$/m,
    )
    expect(stdout).toMatch(/parameters-free-power: 3 values stored, 0 unchanged, 0 corrected/)
    expect(stdout).not.toMatch(/01234567890|000999ES/) // neither supplier nor offer
  })

  it('reports unchanged offers, and refuses a truncated list', async () => {
    const again = await runImport(path.join(fixture('left-out'), 'PO_Offerte_E_MLIBERO_20260201.xml'))
    expect(again.code).toBe(0)
    expect(again.stdout).toMatch(/12 in use \(0 new, 0 changed, 12 unchanged\), 0 withdrawn/)
    const truncated = await runImport(path.join(fixture('truncated'), 'PO_Offerte_E_MLIBERO_20260201.xml'))
    expect(truncated.code).toBe(1)
    expect(truncated.stderr).toMatch(/cut off or not well-formed/)
  })

  it('requires --day for a list whose file name has no day', async () => {
    const file = path.join(fixture('name-without-day'), 'PO_Offerte_E_MLIBERO.xml')
    const unnamed = await runImport(file)
    expect(unnamed.code).toBe(1)
    expect(unnamed.stderr).toMatch(/pass --day YYYY-MM-DD/)
    expect((await runImport(file, '--day', '2026-02-30')).code).toBe(2)
    expect((await runImport(file, '--day', '2099-01-01')).stdout).toMatch(/1 quarantined \(1 future_day\)/)
    expect((await runImport(file, '--day', '2026-09-01')).stdout).toMatch(
      /free-power 2026-09-01: 1 offer read, 1 in use/,
    )
  })
})
