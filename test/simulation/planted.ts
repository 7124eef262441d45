/** Thirty one-line faults, chosen before the simulation was first run with any of them. `sensitivity.ts` plants one at a time. */

export interface PlantedFault {
  name: string
  file: string
  from: string
  to: string
}

export const PLANTED_FAULTS: readonly PlantedFault[] = [
  {
    name: 'a correction by the same source is left out',
    file: 'sql/objects/store_zone_days.sql',
    from: '(v_priority <= d.priority or not d.complete)',
    to: '(v_priority < d.priority or not d.complete)',
  },
  {
    name: 'hours replace quarter-hours',
    file: 'sql/objects/store_zone_days.sql',
    from: 'when v_priority = d.priority and i.resolution < d.resolution',
    to: 'when v_priority = d.priority and i.resolution > d.resolution',
  },
  {
    name: 'only a price that falls keeps its old version',
    file: 'sql/objects/store_zone_days.sql',
    from: '(p.price_eur_mwh is distinct from p.new_price or p.source',
    to: '(p.price_eur_mwh > p.new_price or p.source',
  },
  {
    name: 'as_of shows what was replaced before',
    file: 'sql/objects/zone_intervals_as_of.sql',
    from: 'r.fetched_at <= p_as_of and r.superseded_at > p_as_of',
    to: 'r.fetched_at <= p_as_of',
  },
  {
    name: 'a first correction counts as a publication',
    file: 'sql/objects/changes.sql',
    from: 'select count(distinct r.superseded_at) from price_interval_revisions r',
    to: 'select count(distinct r.superseded_at) / 2 from price_interval_revisions r',
  },
  {
    name: 'the last interval of a day may be missing',
    file: 'src/ingest/gate.ts',
    from: 'const missing = ordinals(expected).filter',
    to: 'const missing = ordinals(expected - 4).filter',
  },
  {
    name: 'the upper price limit is one too high',
    file: 'src/ingest/gate.ts',
    from: 'price >= min && price <= max',
    to: 'price >= min && price <= max + 1',
  },
  {
    name: 'zeros between high prices pass',
    file: 'src/ingest/zero-runs.ts',
    from: 'const FAR_FROM_ZERO = 30',
    to: 'const FAR_FROM_ZERO = 300',
  },
  {
    name: 'every day has 24 hours',
    file: 'src/market/market-day.ts',
    from: 'return (hoursInMarketDay(day) * 60) / resolutionMinutes',
    to: 'return (24 * 60) / resolutionMinutes',
  },
  {
    name: 'another day than the requested one is accepted',
    file: 'src/ingest/fetched-items.ts',
    from: "if (days === undefined || item.kind === 'document-fault' || isWithinSpan(item.day, days)) return item",
    to: "if (days !== undefined || item.kind === 'document-fault' || isWithinSpan(item.day, days)) return item",
  },
  {
    name: 'a refused day is not quarantined',
    file: 'src/store/price-writer.ts',
    from: 'if (refused.length === 0) return',
    to: 'if (refused.length < 2) return',
  },
  {
    name: 'a correction queues no refresh',
    file: 'jobs/catch-up-source.ts',
    from: 'await ctx.queue.send(refreshAggregates, {}) // which',
    to: '// which',
  },
  {
    name: 'the aggregates of bands are not refreshed',
    file: 'src/store/aggregates.ts',
    from: 'for (const aggregate of FINE_TO_COARSE) await refresh',
    to: 'for (const aggregate of FINE_TO_COARSE.slice(0, 2)) await refresh',
  },
  {
    name: 'the cache of answers ignores the version of the data',
    file: 'src/api/http/answer-endpoint.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a line of source
    from: '${caller.plan} ${version} ${when}',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a line of source
    to: '${caller.plan} ${when}',
  },
  {
    name: 'publishers are not read again at night',
    file: 'src/ingest/catch-up.ts',
    from: 'const REREAD_DAYS = 7',
    to: 'const REREAD_DAYS = 0',
  },
  {
    name: 'corrections become events after the transaction',
    file: 'src/store/price-writer.ts',
    from: 'if (batch.emitEvents) await recordEvents(tx, batch, [...ids.values()])',
    to: 'if (batch.emitEvents) setTimeout(() => recordEvents(sql as never, batch, [...ids.values()]), 50)',
  },
  {
    name: 'a change is queued twice for a webhook',
    file: 'sql/objects/webhooks.sql',
    from: 'where c.position > v_after and c.position <= v_last',
    to: 'where c.position >= v_after and c.position <= v_last',
  },
  {
    name: 'the queue of changes forgets the last one',
    file: 'sql/objects/webhooks.sql',
    from: 'where c.position > v_after and c.position <= v_last',
    to: 'where c.position > v_after and c.position < v_last',
  },
  {
    name: 'a delivery is given up after three attempts',
    file: 'src/delivery/webhooks/retry-schedule.ts',
    from: 'const RETRY_DELAYS_SECONDS = [60, 600, 3600, 6 * 3600, 15 * 3600]',
    to: 'const RETRY_DELAYS_SECONDS = [60, 600]',
  },
  {
    name: 'a redirect counts as delivered',
    file: 'src/delivery/webhooks/webhook-client.ts',
    from: 'if (status >= 200 && status < 300)',
    to: 'if (status >= 200 && status < 400)',
  },
  {
    name: 'a claim never expires',
    file: 'sql/objects/webhooks.sql',
    from: 'and (d.claimed_until is null or d.claimed_until <= p_now)',
    to: 'and d.claimed_until is null',
  },
  {
    name: 'a crossing needs the day before to have crossed as well',
    file: 'sql/objects/alerts.sql',
    from: 'or not alert_is_met(j.condition, j.threshold, previous, null)',
    to: 'or alert_is_met(j.condition, j.threshold, previous, null)',
  },
  {
    name: 'an hourly alert below compares the highest hour',
    file: 'sql/objects/alerts.sql',
    from: "when p_condition = 'below' then p_lowest_hour else p_highest_hour",
    to: "when p_condition = 'below' then p_highest_hour else p_highest_hour",
  },
  {
    name: 'a known key is not looked up again after a revocation',
    file: 'src/api/access/key-cache.ts',
    from: 'if (known?.version === number) return known.key',
    to: 'if (known !== undefined) return known.key',
  },
  {
    name: 'a request is not counted when it is admitted',
    file: 'src/api/access/quota-ledger.ts',
    from: 'account.ahead -= 1',
    to: 'account.ahead -= 0',
  },
  {
    name: 'a minute has one request too many',
    file: 'src/api/access/memory-counter.ts',
    from: 'const admitted = window.used < limit',
    to: 'const admitted = window.used <= limit',
  },
  {
    name: 'rotation renews the quota',
    file: 'src/store/api-keys.ts',
    from: 'api_key_root(id) as root',
    to: 'id as root',
  },
  {
    name: 'a cursor repeats its change',
    file: 'sql/queries/changes_list_after.sql',
    from: 'where c.position > $1::bigint',
    to: 'where c.position >= $1::bigint',
  },
  {
    name: 'a day that is published is forecast',
    file: 'sql/objects/forecast_issue.sql',
    from: 'v_after date := greatest(last_published_day(p_asset), market_day_of(p_issued_at));',
    to: 'v_after date := market_day_of(p_issued_at);',
  },
  {
    name: 'two workers queue changes without a lock',
    file: 'sql/objects/webhooks.sql',
    from: 'select q.position into v_after from change_queue q for update',
    to: 'select q.position into v_after from change_queue q',
  },
]
