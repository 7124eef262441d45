/**
 * `npm run secrets -- rotate`: encrypts every signing secret with the current SECRETS_KEY. To replace the key: set the new one, put
 * the old one in SECRETS_KEY_PREVIOUS, restart the service, run this, and remove the old one.
 */
import { openSecretBox } from '../delivery/webhooks/open-secret-box.ts'
import { counted } from '../market/counted.ts'
import { readConfig } from '../service/config/config.ts'
import { openOrJoinDatabase } from '../service/open-database.ts'
import { connectDatabase } from '../store/database.ts'
import { migrate } from '../store/migrate.ts'
import { resealSecrets } from '../store/webhooks.ts'
import { runCommand, UsageError } from './command.ts'
import { print } from './print.ts'

const USAGE = 'usage:\n  npm run secrets -- rotate    encrypts signing secrets with the present SECRETS_KEY'

await runCommand(async () => {
  const [verb, ...rest] = process.argv.slice(2)
  if (verb !== 'rotate' || rest.length > 0) throw new UsageError(USAGE)
  const config = readConfig(process.env)
  const box = await openSecretBox(config)
  if (box === undefined) throw new UsageError('there is no SECRETS_KEY to encrypt with')

  await using stack = new AsyncDisposableStack()
  const location = await openOrJoinDatabase(config)
  if (location.engine !== undefined) stack.use(location.engine)
  const database = stack.use(connectDatabase(location))
  await migrate(database)
  const reseal = (sealed: string, webhookId: string) => box.seal(box.open(sealed, webhookId), webhookId)
  const count = await resealSecrets(database.sql, reseal)
  print(
    `the secrets of ${counted(count, 'alert or webhook', 'alerts and webhooks')} are encrypted with the present key`,
  )
  return 0
}, USAGE)
