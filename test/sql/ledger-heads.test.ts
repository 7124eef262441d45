/** The ledger's last rows, kept outside the database: truncating the ledger, or reissuing rows in their place, is detected. */
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderStore } from '../../src/delivery/bulk/folder-store.ts'
import { listSavedHeads, saveLedgerHeads } from '../../src/delivery/bulk/ledger-heads.ts'
import { LedgerVerifier } from '../../src/market/ledger.ts'
import { ledgerRows } from '../../src/store/forecast-ledger.ts'
import { databaseOfFile } from '../support/database.ts'
import { seedIssue } from '../support/forecasts.ts'
import { recordedLog } from '../support/recorded-log.ts'
import { scratchFolderOfFile } from '../support/scratch-folder.ts'

const INFO_DATE = '2026-10-24'
const { signal } = new AbortController()

const { log, lines: logged } = recordedLog()
const { sql } = (await databaseOfFile()).database
const folder = await scratchFolderOfFile()

const issue = (chain: 'issued' | 'sample', issuedAt: string, inputs: string) =>
  seedIssue(sql, { asset: 'PSV', infoDate: INFO_DATE, issuedAt, chain, days: 2, inputs: inputs.repeat(32) })

const saveHeads = (store = folderStore(folder)) => saveLedgerHeads({ sql, store, folder, log, signal })

async function faults() {
  const kept = await listSavedHeads(folderStore(folder))
  const verifier = new LedgerVerifier({ isWhole: true, kept })
  const rows = await Array.fromAsync(ledgerRows(sql))
  return [...rows.flatMap((row) => verifier.check(row) ?? []), ...verifier.missing()]
}

/** As a superuser could. */
const removeRows = (chain: string, after: number) =>
  sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`delete from forecasts where chain = ${chain} and sequence > ${after}`
  })

describe('the heads of the ledger', () => {
  it('are recorded once per issue, in the log and in the store', async () => {
    await issue('issued', '2026-10-24T12:00:00Z', 'aa')
    await saveHeads()
    await saveHeads()
    await issue('issued', '2026-10-24T18:00:00Z', 'bb')
    await saveHeads()
    const names = await readdir(path.join(folder, 'ledger'))
    const [row] = await sql<{ hash: string }[]>`select hash from forecasts where sequence = 6`
    expect(names).toHaveLength(2)
    const name = names.find((one) => one.endsWith(`-6-${row?.hash}.txt`))
    const text = await readFile(path.join(folder, 'ledger', String(name)), 'utf8')
    expect(text).toBe(`issued 6 ${row?.hash} 2026-10-24T18:00:00Z\n`)
    expect(logged()).toMatchObject([
      { event: 'ledger_head', chain: 'issued', sequence: 4 },
      { event: 'ledger_head', chain: 'issued', sequence: 6, hash: row?.hash },
    ])
    expect(await faults()).toEqual([])
  })

  it('show that the newest row was deleted, and that another was put in its place', async () => {
    await removeRows('issued', 5)
    const problem = expect.stringMatching(/^it is missing: the chain had 6 rows, .*[0-9a-f]{64}$/)
    expect(await faults()).toMatchObject([{ chain: 'issued', sequence: 6, problem }])
    await removeRows('issued', 4)
    await issue('issued', '2026-10-24T18:00:00Z', 'cc')
    expect(await faults()).toMatchObject([
      { chain: 'issued', sequence: 6, problem: expect.stringMatching(/was kept when it was issued$/) },
    ])
  })

  it('of sample data are ignored for a chain restarted after its removal', async () => {
    await issue('sample', '2026-10-24T12:00:00Z', 'aa')
    await saveHeads()
    await removeRows('sample', 3)
    expect(await faults()).toMatchObject([{ sequence: 6 }, { chain: 'sample', sequence: 4 }])
    await removeRows('sample', 0)
    expect(await faults()).toMatchObject([{ sequence: 6 }])
    await issue('sample', '2026-10-24T13:00:00Z', 'dd')
    expect(await faults()).toMatchObject([{ sequence: 6 }])
  })

  it('are logged as a warning if the store does not accept them', async () => {
    const before = logged().length
    await saveHeads(folderStore('/dev/null/store'))
    expect(logged().slice(before)).toMatchObject([
      { level: 'warn', event: 'ledger_head_not_kept', chain: 'issued', sequence: 6 },
      { level: 'warn', event: 'ledger_head_not_kept', chain: 'sample' },
    ])
  })
})
