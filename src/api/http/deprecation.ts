import type { Deprecation } from './endpoint.ts'
import type { HeaderList } from './headers.ts'

/** `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and the page that says what to use instead. Spec: "Versioning", 2. */
export function deprecationHeaders(deprecation: Deprecation | undefined): HeaderList {
  if (!deprecation) return []
  const deprecatedAt = Temporal.Instant.from(deprecation.deprecatedAt)
  return [
    'Deprecation',
    `@${Math.floor(deprecatedAt.epochMilliseconds / 1000)}`,
    'Sunset',
    new Date(deprecation.sunsetAt).toUTCString(),
    'Link',
    `<${deprecation.link}>; rel="deprecation"`,
  ]
}
