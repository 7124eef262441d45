/** An embedded database in a separate process, so that it can be killed or stopped without its users. Arguments: the folder, and optionally `off` for its durability. */
import { connectionStringFor, startEngine } from '../../src/platform/engine/engine.ts'

const [dataDir = '', durability = 'on'] = process.argv.slice(2)
const engine = await startEngine({ dataDir, durable: durability === 'on' })
process.stdout.write(`${connectionStringFor(engine.address)}\n`)
process.once('SIGTERM', () => void engine.stop().then(() => process.exit(0)))
