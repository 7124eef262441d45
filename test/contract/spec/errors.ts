/** The specification's error table, plus `method_not_allowed`. Compared with the table in the code. */
export const SPEC_ERRORS: Record<string, number> = {
  invalid_parameter: 400,
  missing_key: 401,
  invalid_key: 401,
  tier_required: 403,
  not_found: 404,
  method_not_allowed: 405,
  rate_limited: 429,
  quota_exceeded: 429,
  internal_error: 500,
  no_data: 503,
}
