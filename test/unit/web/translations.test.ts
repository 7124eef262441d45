import { describe, expect, it } from 'vitest'
import { endpoints } from '../../../src/api/endpoints/index.ts'
import { PUBLISHERS } from '../../../src/publishers/index.ts'
import { summaryOf } from '../../../src/web/i18n/endpoints.ts'
import { termsIn, usualPublicationIn } from '../../../src/web/i18n/sources.ts'

describe('in Italian', () => {
  it.each(endpoints.map((endpoint) => [endpoint.id, endpoint] as const))(
    'the endpoint %s has a summary',
    (_id, one) => {
      expect(summaryOf(one, 'it')).not.toBe(one.summary)
      expect(summaryOf(one, 'en')).toBe(one.summary)
    },
  )

  it.each(PUBLISHERS.map(({ id, terms }) => [id, terms] as const))('the source %s has its terms', (id, terms) => {
    expect(termsIn('it', id, terms)).not.toBe(terms)
    expect(termsIn('en', id, terms)).toBe(terms)
  })

  it.each([
    ['12:55 Europe/Rome on the day before', '12:55, ora di Roma, del giorno prima'],
    ['18:00 Europe/Rome on the day', '18:00, ora di Roma, del giorno stesso'],
    ['20:00 Europe/Rome 1 days later', '20:00, ora di Roma, un giorno dopo'],
    ['20:00 Europe/Rome 8 days later', '20:00, ora di Roma, 8 giorni dopo'],
  ])('a source publishes at %s', (english, italian) => {
    expect(usualPublicationIn('it', english)).toBe(italian)
    expect(usualPublicationIn('en', english)).toBe(english)
  })
})
