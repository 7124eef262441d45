/**
 * A process that runs an engine on the given folder and inserts rows until it is killed, printing each number once it is acknowledged.
 * With `start-only` it only starts the engine.
 */
import { startEngine } from '../../../src/platform/engine/engine.ts'
import { connectTo } from './engine-fixture.ts'

const [dataDir, mode] = process.argv.slice(2)
if (dataDir === undefined) throw new Error('usage: inserting-process.ts <dataDir> [start-only]')

const engine = await startEngine({ dataDir })
process.stdout.write('started\n')
if (mode !== 'start-only') {
  const sql = connectTo(engine)
  await sql`create table if not exists acknowledged (id int primary key)`
  const [last] = await sql`select coalesce(max(id), 0)::int as id from acknowledged`
  for (let id = Number(last?.id) + 1; ; id++) {
    await sql`insert into acknowledged values (${id})`
    process.stdout.write(`${id}\n`)
  }
}
