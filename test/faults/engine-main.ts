/** An embedded database in a process of its own, so that it can be killed or stopped apart from who uses it: the folder is the argument. */
import { connectionStringFor, startEngine } from '../../src/platform/engine/engine.ts'

const engine = await startEngine({ dataDir: process.argv[2] as string })
process.stdout.write(`${connectionStringFor(engine.address)}\n`)
process.once('SIGTERM', () => void engine.stop().then(() => process.exit(0)))
