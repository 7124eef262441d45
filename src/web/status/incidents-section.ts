/** Current delays, gaps and unreachable publishers, in plain sentences. */
import type { ServiceStatus } from '../../api/contract/status.ts'
import type { DayCompleteness } from '../../store/completeness.ts'
import { type Html, html } from '../html.ts'
import { sourceNameIn } from '../i18n/sources.ts'
import { statusTexts } from '../i18n/status.ts'
import type { View } from '../view.ts'
import { type Assessment, dayState, SERIES } from './day-states.ts'
import { subjectName } from './forecasts-section.ts'

interface StatusData {
  /** Newest first. */
  days: readonly DayCompleteness[]
  status: ServiceStatus
  assessment: Assessment
}

/** Other outcomes are not incidents: a publisher without data yet is not late. */
const FAILURES: readonly string[] = ['unreachable', 'refused', 'incomplete', 'failed']
const DAYS_NAMED = 5

export function incidentsSection(found: StatusData, view: View): Html {
  const texts = statusTexts[view.language]
  const incidents = [...missingDays(found, view), ...failedSources(found, view), ...staleForecasts(found, view)]
  return html`<h2 id="incidents">${texts.incidents}</h2>
${incidents.length === 0 ? html`<p>${texts.noIncidents}</p>` : html`<ul>${incidents.map((text) => html`<li>${text}</li>\n`)}</ul>`}`
}

function missingDays({ days, assessment }: StatusData, view: View): string[] {
  const texts = statusTexts[view.language]
  return SERIES.flatMap((series) =>
    (['missing', 'partial'] as const).flatMap((state) => {
      const affected = days.filter((day) => dayState(series, day, assessment) === state)
      if (affected.length === 0) return []
      const named = affected.slice(0, DAYS_NAMED).map(({ day }) => view.formats.shortDay(day))
      const more = affected.length - named.length
      return [texts.incident[state](texts.series[series], named.join(', '), more)]
    }),
  )
}

function failedSources({ status: { sources } }: StatusData, view: View): string[] {
  const texts = statusTexts[view.language]
  return sources.flatMap(({ name, fetching }) => {
    const attempt = fetching?.state === 'on' ? fetching.last_attempt : null
    if (!attempt || !FAILURES.includes(attempt.outcome)) return []
    const shown = sourceNameIn(view.language, name)
    return [texts.failedSource(shown, view.formats.instant(attempt.at), texts.outcomes[attempt.outcome])]
  })
}

function staleForecasts({ status: { forecasts } }: StatusData, view: View): string[] {
  const texts = statusTexts[view.language]
  const stale = forecasts.filter(({ state }) => state === 'stale')
  if (stale.length === 0) return []
  const names = stale.map(({ subject }) => subjectName(subject, view))
  return [texts.staleForecasts(names.join('; '))]
}
