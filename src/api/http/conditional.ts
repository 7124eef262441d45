/** Whether `If-Match` rules the content out: a list without its tag, which a weak form never is, or `*`. RFC 9110, 13.1.1. */
export function excludesEtag(ifMatch: string | undefined, etag: string): boolean {
  if (ifMatch === undefined || ifMatch.trim() === '*') return false
  return !ifMatch.split(',').some((candidate) => candidate.trim() === etag)
}

/** Whether `If-None-Match` names the entity tag: a list, weak forms and `*` included. RFC 9110, 13.1.2. */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true
  return ifNoneMatch.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag)
}
