/** Publishes the lake of a dataset, in a process that tests can kill: `node publish-lake-process.ts <options as JSON>`. */
import { folderStore } from '../../src/delivery/bulk/folder-store.ts'
import { s3Store } from '../../src/delivery/bulk/s3-store.ts'
import { publishLake } from '../../src/delivery/lake/publish-lake.ts'
import { Secret } from '../../src/platform/secret.ts'
import { connectSql, endSql } from '../../src/store/connect-sql.ts'

export interface LakeRun {
  databaseUrl: string
  isServer: boolean
  folder: string
  now: string
  /** Replaces the folder. */
  s3?: { endpoint: string; id: string; secret: string }
}

const { databaseUrl, isServer, folder, now, s3 } = JSON.parse(process.argv[2] ?? '') as LakeRun
const sql = connectSql(databaseUrl, { poolSize: 1 })
using store =
  s3 === undefined
    ? folderStore(folder)
    : s3Store({
        ...{ bucket: 'energy', prefix: 'bulk/', region: 'eu-south-1', endpoint: new URL(s3.endpoint), pathStyle: true },
        credentials: { id: s3.id, secret: new Secret(s3.secret) },
      })
await publishLake('pun-hourly', {
  ...{ sql, databaseUrl, isServer, folder, store, niceness: 0 },
  now: () => Temporal.Instant.from(now),
  signal: new AbortController().signal,
})
await endSql(sql)
