import { ConfigurationError } from '../../src/platform/configuration-error.ts'
import { readConfig } from '../../src/service/config/config.ts'

/** What is wrong with a configuration: the lines of the message under its first; none where it is good. */
export function problems(variables: Record<string, string>): string[] {
  try {
    readConfig(variables)
  } catch (err) {
    if (err instanceof ConfigurationError) return err.message.split('\n').slice(1)
    throw err
  }
  return []
}
