import { ConfigurationError } from '../../src/platform/configuration-error.ts'
import { readConfig } from '../../src/service/config/config.ts'

/** The problems of a configuration: the lines of the error message after the first; empty if it is valid. */
export function problems(variables: Record<string, string>): string[] {
  try {
    readConfig(variables)
  } catch (err) {
    if (err instanceof ConfigurationError) return err.message.split('\n').slice(1)
    throw err
  }
  return []
}
