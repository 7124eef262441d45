import { ApiError } from '../contract/errors.ts'

/** Whether `If-Match` excludes the content: it is neither `*` nor a list with its tag; weak tags never match. RFC 9110, 13.1.1. */
export function excludesEtag(ifMatch: string | undefined, etag: string): boolean {
  if (ifMatch === undefined || ifMatch.trim() === '*') return false
  return !ifMatch.split(',').some((candidate) => candidate.trim() === etag)
}

/** Whether `If-None-Match` matches the entity tag: alone, in a list, in weak form, or as `*`. RFC 9110, 13.1.2. */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true
  return ifNoneMatch.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag)
}

/** The error for an `If-Match` that excludes the content. */
export function changedSince(etag: string): ApiError {
  return new ApiError('invalid_parameter', `If-Match names other content: the tag is now ${etag}.`, {
    status: 412,
    param: 'If-Match',
  })
}
