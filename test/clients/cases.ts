/** The cases that every client must pass, and the service they run against. */
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, expect } from 'vitest'
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
  waited_seconds_min?: number
  changes_min?: number
  [outcome: string]: unknown
}

/** A case in the form that a client's runner gets. */
export type PreparedCase = Case & { url: string; key: string | undefined }

export const cases: Case[] = globSync('*.json', { cwd: FOLDER })
  .sort()
  .flatMap((file) => JSON.parse(readFileSync(path.join(FOLDER, file), 'utf8')))

/** Prepares the cases for the tests of the calling file, and checks their outcomes. */
export async function caseBenchOfFile(service: TestService) {
  const proxy = await FaultProxy.start(service.baseUrl)
  afterAll(() => proxy[Symbol.asyncDispose]())
  const nameOf = (url: string) => url.slice(url.lastIndexOf('/') + 1)
  return {
    /** `client` separates the requests of different clients. */
    async prepare(one: Case, client: string): Promise<PreparedCase> {
      const name = `${client}-${cases.indexOf(one)}`
      const issued = one.plan
        ? await service.issueKey(one.plan, { requestsPerMinute: one.requests_per_minute ?? null })
        : undefined
      if (one.revoked && issued) await service.revokeKey(issued.id)
      return { ...one, url: proxy.prepare(name, one.faults), key: issued?.key }
    },
    expectOutcome({ name, url, expect: expected }: PreparedCase, outcome: Record<string, unknown>): void {
      const { waited_seconds_min: waitedMin = 0, changes_min: changesMin = 0, ...others } = expected
      const { requests, notModified } = proxy.stats(nameOf(url))
      const seen = { ...outcome, requests, not_modified: notModified }
      expect(seen, name).toMatchObject(others)
      expect(outcome.seconds, name).toBeGreaterThanOrEqual(waitedMin)
      expect(outcome.changes ?? 0, name).toBeGreaterThanOrEqual(changesMin)
    },
  }
}
