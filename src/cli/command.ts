/** What every command has in common: its exit code, and one sentence instead of a stack for what the user can mend. */
import { ConfigurationError } from '../config/config.ts'
import { EngineInUse } from '../engine/engine.ts'
import { SchemaBehind } from '../store/migrate.ts'
import { MoveRefused } from '../store/move/move-database.ts'

/** A mistake in how a command was called. */
export class UsageError extends Error {
  override name = 'UsageError'
}

const EXPECTED = [UsageError, ConfigurationError, EngineInUse, SchemaBehind, MoveRefused]

export async function runCommand(command: () => Promise<number>): Promise<never> {
  try {
    process.exit(await command())
  } catch (err) {
    const expected = err instanceof Error && EXPECTED.some((kind) => err instanceof kind)
    console.error(expected ? err.message : err)
    process.exit(expected ? 2 : 1)
  }
}
