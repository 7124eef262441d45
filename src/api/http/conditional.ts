import { ApiError } from '../contract/errors.ts'

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

/** The answer to an `If-Match` that rules the content out. */
export function changedSince(etag: string): ApiError {
  return new ApiError('invalid_parameter', `If-Match names other content: the tag is now ${etag}.`, {
    status: 412,
    param: 'If-Match',
  })
}
