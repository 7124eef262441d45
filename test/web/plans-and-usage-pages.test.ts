/** Plans endpoint by endpoint, and the usage page of a key's owner. */
import { describe, expect, it } from 'vitest'
import { SQL_PATH } from '../../src/api/contract/analyst-sql.ts'
import { PLAN_NAMES } from '../../src/api/contract/plans.ts'
import { endpoints } from '../../src/api/endpoints/index.ts'
import { endpointName } from '../../src/api/http/endpoint.ts'
import { figuresOf, getPage, sliceBetween, textOf } from '../support/pages.ts'
import { serviceOfFile, startTestService } from '../support/service.ts'

const service = await serviceOfFile({ now: '2026-11-20T10:00:00Z' })

describe('/plans', () => {
  it.each(['en', 'it'])('has every live endpoint once, under the plan that unlocks it, in %s', async (language) => {
    const { html } = await getPage(service.baseUrl, `/${language}/plans`)
    // `POST /sql` is disabled here.
    const live = endpoints.filter(({ status, path }) => status === 'live' && path !== SQL_PATH)
    for (const plan of PLAN_NAMES) {
      const section = sliceBetween(html, `<h2 id="${plan.toLowerCase()}">`, '</section>')
      const named = [...section.matchAll(/<br><code>([^<]*)<\/code>/g)].map(([, name]) => name)
      const expected = live.filter((one) => one.plan === plan).map(endpointName)
      expect([plan, named.toSorted()]).toEqual([plan, expected.toSorted()])
    }
  })

  it('is linked from the table of limits, with the number of further endpoints', async () => {
    const { html } = await getPage(service.baseUrl, '/en/docs/limits')
    expect(html).toMatch(/<a href="\/en\/plans#api">\d+ more<\/a>/)
    const pro = endpoints.filter(({ plan }) => plan === 'Pro').length
    expect(html).toContain(`<a href="/en/plans#pro">${pro === 0 ? 'no' : pro} more</a>`)
  })
})

describe('/usage', () => {
  it('shows no usage without a key', async () => {
    const { html } = await getPage(service.baseUrl, '/en/usage')
    expect(textOf(sliceBetween(html, '<div id="for-holder">', '</div>'))).toBe(
      'Enter a key below to see what it has used.',
    )
    expect(html).toContain('<noscript>')
  })

  it('shows the owner what the key has used, by month', async () => {
    const { id, key } = await service.issueKey('API')
    const headers = { authorization: `Bearer ${key}` }
    await service.sql`insert into api_key_usage (key_id, month, requests) values (${id}, '2026-10-01', 41234)`
    for (let i = 0; i < 3; i++) await service.ask('/v1/plans', { headers })
    const { html, headers: sent } = await getPage(service.baseUrl, '/en/usage', headers)
    const shown = sliceBetween(html, '<div id="for-holder">', 'id="rotate"')
    expect(sent.get('cache-control')).toBe('private, no-store')
    expect(figuresOf(sliceBetween(shown, '<dl class="tiles">', '</dl>'))).toEqual([3, 99_997, 600])
    expect(textOf(sliceBetween(shown, '<figure class="bar-table', '</table>'))).toMatch(
      /November 2026 3 October 2026 41,234/,
    )
    expect(shown).toContain('This key has no alerts.')
    expect(html).not.toContain(key)
  })

  it.each([
    [{}, 'anna@example.it', ['email', 'text', 'json'], 'confirmed'],
    [{}, undefined, ['text', 'json'], 'This key has no e-mail address.'],
    [{ SMTP_URL: '', MAIL_FROM: '' }, 'anna@example.it', ['text', 'json'], 'sends no e-mail'],
  ])(
    'offers the possible alert receivers, and mentions allowed networks: %o, %s',
    async (env, email, receivers, says) => {
      const own = await startTestService({ now: '2026-11-20T10:00:00Z', env })
      const { html } = await getPage(own.baseUrl, '/en/usage', await own.asPlan('API', { ...(email && { email }) }))
      await own.stop()
      const options = sliceBetween(html, '<select id="alert-receiver"', '</select>')
      expect([...options.matchAll(/value="(\w+)"/g)].map(([, name]) => name)).toEqual(receivers)
      expect(html).toContain(says)
      expect(html).toContain('WEBHOOK_ALLOWED_NETWORKS')
    },
  )

  it('names the lowest plan with alerts if the plan of the key has none', async () => {
    const { html } = await getPage(service.baseUrl, '/it/usage', await service.asPlan('Developer'))
    expect(html).toContain('Inclusi dal piano API.')
  })
})
