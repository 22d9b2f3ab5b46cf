import { expect, test } from 'vitest'
import { paydesk } from '../../kit/program.ts'
import { done, onSandbox, place, subscribed } from '../../kit/world.ts'

const history = (id: string) => ['subscription', 'history', id, ...onSandbox]

test('subscription history: every payment is listed with its status', async () => {
  const around = place()
  const id = await subscribed(around)
  around.clock.skip(10_000)
  const { json } = await done(history(id), around)
  expect(json).toMatchObject([{ status: 'COMPLETED' }])
  const table = await paydesk(history(id), around)
  expect(table.stdout).toMatch(/^time \(zone unknown\) +status +refunded +reason$/m)
  expect(table.stdout).toContain('COMPLETED (paid)')
  around.clock.skip(8 * 24 * 3_600_000)
  expect((await done(history(id), around)).json).toHaveLength(2)
})

test('subscription history: an unknown subscription is 6', async () => {
  const ended = await paydesk([...history('0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11'), '--json'], place())
  expect(ended).toMatchObject({ code: 6, stdout: '' })
  expect(ended.error.service).toMatchObject({ statusCode: 6100 })
})
