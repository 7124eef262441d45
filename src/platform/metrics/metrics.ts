/** All that this process counts. Prometheus adds the process's own name and address. */
import { Counter } from './counter.ts'
import type { MetricFamily } from './exposition.ts'
import { Histogram } from './histogram.ts'

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const JOB_SECONDS = [0.01, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 600]

/** `endpoint`: method and path of the registry, `none` where there is no such path; `status`: `2xx`. */
export const requests = new Counter<'endpoint' | 'plan' | 'status'>(
  'energy_http_requests_total',
  'Requests answered, by endpoint, plan of the caller and class of the status.',
)

export const requestSeconds = new Histogram<'endpoint' | 'plan'>(
  'energy_http_request_duration_seconds',
  'From the arrival of a request to the end of its answer.',
  SECONDS,
)

export const answersRefused = new Counter<'because'>(
  'energy_http_answers_refused_total',
  'Requests answered with 503 because more answers were asked for than can be computed.',
)

export const jobRuns = new Counter<'queue' | 'outcome'>(
  'energy_job_runs_total',
  'Runs of jobs, by queue and outcome: completed or failed. A failed run may be tried again.',
)

export const jobSeconds = new Histogram<'queue'>(
  'energy_job_duration_seconds',
  'Duration of a run of a job, failed ones included.',
  JOB_SECONDS,
)

/** `outcome`: one of the contract's outcomes of an attempt. */
export const webhookCalls = new Counter<'outcome'>(
  'energy_webhook_calls_total',
  'Calls to webhooks, by what came of them.',
)

export const webhookSeconds = new Histogram<never>(
  'energy_webhook_call_duration_seconds',
  'From the start of a call to its answer, or to its time-out after 10 seconds.',
  SECONDS,
)

export const alertsFiredTotal = new Counter<'asset'>('energy_alerts_fired_total', 'Alerts whose threshold was crossed.')

/** `kind`: late, back, quarantined, corrected or refused. */
export const sourceEvents = new Counter<'source' | 'kind'>(
  'energy_source_events_total',
  'What is worth telling about a publisher, each told once.',
)

export function countedFamilies(): MetricFamily[] {
  return [
    requests,
    requestSeconds,
    answersRefused,
    jobRuns,
    jobSeconds,
    webhookCalls,
    webhookSeconds,
    alertsFiredTotal,
    sourceEvents,
  ].map((metric) => metric.family())
}
