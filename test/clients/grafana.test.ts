/** The Grafana dashboard: the API answers each of its queries. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { startClientScene } from '../support/client-scene.ts'

const DASHBOARD = path.join(import.meta.dirname, '../../src/clients/examples/grafana-prices.json')

const service = await startClientScene()
afterAll(() => service.stop())
const headers = await service.asPlan('API')

describe('the dashboard for Grafana', () => {
  const text = readFileSync(DASHBOARD, 'utf8')
  const { panels, templating, __inputs } = JSON.parse(text) as {
    panels: {
      title: string
      targets: { url: string; root_selector: string; columns: { selector: string; type: string }[] }[]
    }[]
    templating: { list: { name: string; current: { value: string } }[] }
    __inputs: { pluginId: string }[]
  }
  const values = new Map<string, string>(templating.list.map(({ name, current }) => [name, current.value]))
  values.set('__from:date:YYYY-MM-DD', '2026-10-22').set('__to:date:YYYY-MM-DD', '2026-11-20')

  it('requests its data source on import', () => {
    expect(__inputs).toEqual([
      expect.objectContaining({ name: 'DS_INFINITY', pluginId: 'yesoreyeram-infinity-datasource' }),
    ])
    expect(panels).toHaveLength(10)
  })

  it.each(panels)('gets data from the API: $title', async ({ targets: [target] }) => {
    if (target === undefined) throw new Error('a panel without a query')
    const url = target.url.replace(/\$\{([^}]+)\}/g, (_, name: string) => values.get(name) ?? 'unknown')
    const { status, json } = await service.ask(url, { headers })
    expect([url, status]).toEqual([url, 200])
    const found = target.root_selector === '' ? [json()] : (json()[target.root_selector] as Record<string, unknown>[])
    expect(found.length).toBeGreaterThan(0)
    for (const { selector, type } of target.columns) {
      const value = found[0]?.[selector]
      expect(type === 'number' ? typeof value === 'number' : typeof value === 'string', selector).toBe(true)
      if (type === 'timestamp') expect(Date.parse(String(value)), selector).not.toBeNaN()
    }
  })
})
