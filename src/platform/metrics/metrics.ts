/** Counters of this process. Prometheus adds the process's own name and address. */
import { Counter, Histogram } from 'prom-client'
import { RequestCounts } from './request-counts.ts'

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const JOB_SECONDS = [0.01, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 600]

/** `endpoint`: method and path of the registry, `none` if no endpoint matches; `status`: `2xx`. */
export const requestCounts = new RequestCounts({
  total: {
    name: 'energy_http_requests_total',
    help: 'Requests served, by endpoint, plan of the caller and class of the status.',
  },
  duration: {
    name: 'energy_http_request_duration_seconds',
    help: 'From the arrival of a request to the end of its response.',
  },
  bounds: SECONDS,
})

export const refusedRequests = new Counter({
  name: 'energy_http_answers_refused_total',
  help: 'Requests refused with 503 because of overload.',
  labelNames: ['because'],
})

export const jobRuns = new Counter({
  name: 'energy_job_runs_total',
  help: 'Runs of jobs, by queue and outcome: completed or failed. A failed run may be tried again.',
  labelNames: ['queue', 'outcome'],
})

export const jobSeconds = new Histogram({
  name: 'energy_job_duration_seconds',
  help: 'Duration of a run of a job, failed ones included.',
  labelNames: ['queue'],
  buckets: JOB_SECONDS,
})

/** `outcome`: one of the contract's outcomes of an attempt. */
export const webhookCalls = new Counter({
  name: 'energy_webhook_calls_total',
  help: 'Calls to webhooks, by outcome.',
  labelNames: ['outcome'],
})

export const webhookSeconds = new Histogram({
  name: 'energy_webhook_call_duration_seconds',
  help: 'From the start of a call to its answer, or to its time-out after 10 seconds.',
  buckets: SECONDS,
})

export const alertsFiredTotal = new Counter({
  name: 'energy_alerts_fired_total',
  help: 'Alerts whose threshold was crossed.',
  labelNames: ['asset'],
})

/** `kind`: late, back, quarantined, corrected or refused. */
export const sourceEvents = new Counter({
  name: 'energy_source_events_total',
  help: 'Notable events of a publisher, each counted once.',
  labelNames: ['source', 'kind'],
})

export const analystOverruns = new Counter({
  name: 'energy_sql_overruns_total',
  help: 'Queries of analysts that still ran a second after their time limit.',
})
