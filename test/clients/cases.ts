/** The cases that every client must pass, and the service they run against. */
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type Fault, FaultProxy } from '../support/fault-proxy.ts'
import type { TestService } from '../support/service.ts'

const FOLDER = path.join(import.meta.dirname, 'cases')

export interface Case {
  name: string
  plan: 'API' | 'Developer' | null
  revoked?: boolean
  requests_per_minute?: number
  wait_seconds_max?: number
  /** Number of calls; the last outcome counts. */
  times?: number
  faults?: Fault[]
  call: {
    hours?: [zone: string, days: string | [from: string, to: string]]
    operation?: string
    arguments?: Record<string, unknown>
    changes?: { dataset: string }
    stream?: { dataset: string; since: string; take: number }
  }
  expect: Expected
}

interface Expected {
  requests?: number
  not_modified?: number
  waited_seconds_min?: number
  changes_min?: number
  [outcome: string]: unknown
}

/** A case in the form that a client's runner gets. */
export type PreparedCase = Case & { url: string; key: string | undefined }

export const cases: Case[] = globSync('*.json', { cwd: FOLDER })
  .sort()
  .flatMap((file) => JSON.parse(readFileSync(path.join(FOLDER, file), 'utf8')))

export interface CaseBench extends AsyncDisposable {
  /** `client` separates the requests of different clients. */
  prepare(one: Case, client: string): Promise<PreparedCase>
  /** The expected and the actual outcome, in the same form. */
  compare(one: PreparedCase, outcome: Record<string, unknown>): { expected: object; seen: object }
}

export async function openCaseBench(service: TestService): Promise<CaseBench> {
  const proxy = await FaultProxy.start(service.baseUrl)
  const nameOf = (url: string) => url.slice(url.lastIndexOf('/') + 1)
  return {
    async prepare(one, client) {
      const name = `${client}-${cases.indexOf(one)}`
      const issued = one.plan
        ? await service.issueKey(one.plan, { requestsPerMinute: one.requests_per_minute ?? null })
        : undefined
      if (one.revoked && issued) await service.revokeKey(issued.id)
      return { ...one, url: proxy.prepare(name, one.faults), key: issued?.key }
    },
    compare({ url, expect: wanted }, outcome) {
      const {
        requests,
        not_modified: notModified,
        waited_seconds_min: waitedMin,
        changes_min: changesMin,
        ...others
      } = wanted
      const seen = proxy.stats(nameOf(url))
      return {
        expected: {
          ...others,
          ...(requests !== undefined && { requests }),
          ...(notModified !== undefined && { notModified }),
          ...(waitedMin !== undefined && { waitedEnough: true }),
          ...(changesMin !== undefined && { changesEnough: true }),
        },
        seen: {
          ...outcome,
          requests: seen.requests,
          notModified: seen.notModified,
          waitedEnough: Number(outcome.seconds) >= (waitedMin ?? 0),
          changesEnough: Number(outcome.changes) >= (changesMin ?? 0),
        },
      }
    },
    [Symbol.asyncDispose]: () => proxy[Symbol.asyncDispose](),
  }
}
