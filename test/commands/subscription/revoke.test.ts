import { expect, test } from 'vitest'
import { paydesk } from '../../kit/program.ts'
import { addFault, done, onSandbox, place, subscribed } from '../../kit/world.ts'

const revoke = (id: string, ...more: readonly string[]) => ['subscription', 'revoke', id, ...onSandbox, ...more]

test('subscription revoke: no further payment is taken, and a second run replays the receipt', async () => {
  const around = place()
  const id = await subscribed(around)
  const first = await done(revoke(id, '--yes'), around)
  expect(first.json).toMatchObject({ operation: 'subscription.revoke', outcome: 'accepted', subscriptionId: id })
  around.clock.skip(30 * 24 * 3_600_000)
  expect((await done(['subscription', 'history', id, ...onSandbox], around)).json).toHaveLength(1)
  const again = await done(revoke(id, '--yes'), around)
  expect(again.json).toEqual({ ...first.json, replayed: true, warnings: expect.any(Array) })
  expect(again.json.warnings).toEqual(
    expect.arrayContaining([expect.stringMatching(/^this is the receipt of an earlier run/)]),
  )
})

test('subscription revoke: --confirm takes the id (3 otherwise), and a request that was lost is sent again', async () => {
  const around = place()
  const id = await subscribed(around)
  expect((await paydesk(revoke(id, '--confirm', 'yes'), around)).code).toBe(3)
  await addFault(around.home, { op: 'subscription.revoke', at: 'before', kind: 'reset' })
  expect((await paydesk(revoke(id, '--confirm', id), around)).code).toBe(0)
})

test('subscription revoke: an unknown subscription is 6', async () => {
  expect((await paydesk(revoke('0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11', '--yes'), place())).code).toBe(6)
})
