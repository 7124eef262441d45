import { expect, it } from 'vitest'

it('a Temporal value matches an equal one only', () => {
  const day = Temporal.PlainDate.from('2026-03-29')
  expect({ day }).toMatchObject({ day: Temporal.PlainDate.from('2026-03-29') })
  for (const other of [day.add({ days: 1 }), day.toPlainDateTime(), '2026-03-29', undefined])
    expect({ day }).not.toMatchObject({ day: other })
})
