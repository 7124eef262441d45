/** An embedded database in a process of its own, so that it can be killed or stopped apart from who uses it: the folder is the argument, a second one, `off`, its durability. */
import { connectionStringFor, startEngine } from '../../src/platform/engine/engine.ts'

const [dataDir = '', durability = 'on'] = process.argv.slice(2)
const engine = await startEngine({ dataDir, durable: durability === 'on' })
process.stdout.write(`${connectionStringFor(engine.address)}\n`)
process.once('SIGTERM', () => void engine.stop().then(() => process.exit(0)))
