/**
 * PostgreSQL's stored form of a password under SCRAM-SHA-256 (RFC 5802, RFC 7677), so that the password itself reaches neither its log
 * nor a dump: `SCRAM-SHA-256$<iterations>:<salt>$<StoredKey>:<ServerKey>`. For passwords of visible ASCII, which SASLprep leaves be.
 */
import { createHash, createHmac, pbkdf2Sync } from 'node:crypto'

/** PostgreSQL's own default. */
const ITERATIONS = 4096

export function scramVerifier(password: string, salt: Buffer): string {
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256')
  const clientKey = createHmac('sha256', salted).update('Client Key').digest()
  const storedKey = createHash('sha256').update(clientKey).digest('base64')
  const serverKey = createHmac('sha256', salted).update('Server Key').digest('base64')
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${storedKey}:${serverKey}`
}
