/** Names that analysts' statements over HTTP may use: types, and functions that only compute from their arguments. */
const FUNCTIONS = {
  aggregates: `avg bit_and bit_or bool_and bool_or corr count covar_pop covar_samp every max min mode percentile_cont percentile_disc
    regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy stddev stddev_pop stddev_samp sum
    var_pop var_samp variance`,
  windows: 'cume_dist dense_rank first_value lag last_value lead nth_value ntile percent_rank rank row_number',
  numbers: `abs cbrt ceil ceiling degrees div exp factorial floor gcd lcm ln log log10 mod pi power radians random
    round sign sqrt trunc width_bucket acos asin atan atan2 cos cot sin tan sinh cosh tanh generate_series`,
  time: `age clock_timestamp date_bin date_part date_trunc extract isfinite justify_days justify_hours justify_interval make_date
    make_interval make_time make_timestamp make_timestamptz now overlaps statement_timestamp timezone to_char to_date to_number to_timestamp
    transaction_timestamp`,
  text: `btrim char_length character_length chr concat concat_ws format initcap left length like_escape lower ltrim octet_length overlay position
    regexp_count regexp_like regexp_match regexp_matches regexp_replace regexp_split_to_array regexp_substr replace reverse right rtrim
    similar_to_escape split_part starts_with strpos substr substring translate upper ascii md5`,
  arrays: `array_append array_cat array_length array_lower array_position array_positions array_prepend array_remove array_replace
    array_to_string array_upper cardinality string_to_array unnest`,
  json: `json_build_array json_build_object jsonb_build_array jsonb_build_object row_to_json to_json to_jsonb json_array_elements
    jsonb_array_elements`,
}

/** Excludes types whose text is resolved in the catalogue (`regclass`) and types that read more than their value (`xml`). */
const TYPES = `bool int2 int4 int8 float4 float8 numeric text varchar bpchar date time timetz timestamp timestamptz interval json jsonb
  uuid int4range int8range numrange daterange tsrange tstzrange`

/** The functions of the schema `analytics`. They read its views and return prices, shares, counts and days. */
const SCHEMA_FUNCTIONS = `capture_prices compare_as_of duration_curve hours_at_level prices_as_of profile_capture_prices recovery_from_peak
  rolling_correlation rolling_volatility volatility_by_hour zone_convergence zone_spread_distribution zone_spreads`

export const ANALYST_FUNCTIONS = setOf(Object.values(FUNCTIONS).join(' '))
export const ANALYST_TYPES = setOf(TYPES)
/** Aggregates that collect rows: those of the schema `analytics_bounded`, which stop at 100,000 bytes (`sql/objects/bounded_aggregates.sql`). */
export const BOUNDED_AGGREGATES = setOf('array_agg string_agg')
export const ANALYTICS_FUNCTIONS = setOf(SCHEMA_FUNCTIONS)

function setOf(names: string): ReadonlySet<string> {
  return new Set(names.split(/\s+/))
}
