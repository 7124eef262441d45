/** An embedded database in a separate process, to be killed or stopped alone. Arguments: the folder; optionally `off` for durability. */
import { connectionStringFor, startEngine } from '../../src/platform/engine/engine.ts'

const [dataDir = '', durability = 'on'] = process.argv.slice(2)
const engine = await startEngine({ dataDir, durable: durability === 'on' })
process.stdout.write(`${connectionStringFor(engine.address)}\n`)
process.once('SIGTERM', () => void engine.stop().then(() => process.exit(0)))
