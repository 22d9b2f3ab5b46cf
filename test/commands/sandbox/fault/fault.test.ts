import { expect, test } from 'vitest'
import { newHome, paydesk } from '../../../kit/program/paydesk.ts'

const order = ['sandbox', 'fault', 'add', '--op', 'payout.create', '--at', 'after', '--kind', 'reset']

test('a fault is ordered, listed and taken back', async () => {
  const home = newHome()
  const added = await paydesk([...order, '--nth', '2', '--times', '3', '--json'], { home })
  expect([added.code, added.json]).toEqual([
    0,
    {
      ...{ id: '1', op: 'payout.create', at: 'after', kind: 'reset', nth: 2, times: 3 },
      ...{ perMille: null, seed: null, draws: 0, delay: null, above: null },
    },
  ])
  expect((await paydesk(['sandbox', 'fault', 'list', '--json'], { home })).json).toEqual([added.json])
  expect((await paydesk(['sandbox', 'fault', 'list'], { home })).stdout).toContain('payout.create')
  expect((await paydesk(['sandbox', 'fault', 'clear', '1', '--json'], { home })).json).toEqual({ cleared: 1 })
  expect((await paydesk(['sandbox', 'fault', 'list'], { home })).stdout).toContain('No fault')
})

test('all faults go at once; one that is not there is 6', async () => {
  const home = newHome()
  await paydesk(order, { home })
  await paydesk(order, { home })
  expect((await paydesk(['sandbox', 'fault', 'clear', '7', '--json'], { home })).code).toBe(6)
  expect((await paydesk(['sandbox', 'fault', 'clear', '--json'], { home })).json).toEqual({ cleared: 2 })
})

for (const wrong of [
  ['--op', 'payout.delete'],
  ['--at', 'during'],
  ['--kind', 'flood'],
  ['--nth', '0'],
  ['--times', 'many'],
]) {
  test(`an order with ${wrong.join(' ')} is refused before anything is kept`, async () => {
    const home = newHome()
    const { code } = await paydesk([...order, ...wrong, '--json'], { home })
    expect(code).toBe(2)
    expect((await paydesk(['sandbox', 'fault', 'list', '--json'], { home })).json).toEqual([])
  })
}
