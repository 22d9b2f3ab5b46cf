import { expect, test } from 'vitest'
import { z } from 'zod'
import { newHome, paydesk } from '../../../kit/program.ts'
import { addFault, standingSandbox } from '../../../kit/world.ts'

const usual = { perMille: null, seed: null, draws: 0, delay: null, above: null }
const list = (home: string, ...more: string[]) => paydesk(['sandbox', 'fault', 'list', ...more], { home })

test('sandbox fault list: without a fault the list is empty, in words and as JSON', async () => {
  const home = newHome()
  expect(await list(home, '--json')).toMatchObject({ code: 0, stdout: '[]\n', stderr: '' })
  expect(await list(home)).toMatchObject({ code: 0, stdout: 'No faults.\n', stderr: '' })
})

test('sandbox fault list: faults are listed in the order they were added, with all their settings', async () => {
  const home = newHome()
  await addFault(home, { at: 'before', kind: 'hang' })
  await addFault(home, { op: 'payout.get', at: 'after', kind: '429', nth: 2, times: 3 })
  expect((await list(home, '--json')).json).toEqual([
    { id: '1', op: 'payout.create', at: 'before', kind: 'hang', nth: 1, times: 1, ...usual },
    { id: '2', op: 'payout.get', at: 'after', kind: '429', nth: 2, times: 3, ...usual },
  ])
  const table = await list(home)
  expect(table.stdout).toMatch(/^fault +operation +at +kind +strikes$/m)
  expect(table.stdout).toMatch(/^2 +payout\.get +after +429 +requests 2 to 4 from now$/m)
})

const counts = z.array(z.object({ nth: z.number(), times: z.number() }))

test('sandbox fault list: a fault counts down as it strikes and disappears when it is done', async () => {
  const home = newHome()
  const { url } = await standingSandbox(home)
  await addFault(home, { op: 'auth.token', at: 'before', kind: 'html502', nth: 2, times: 2 })
  const seen = []
  for (let request = 0; request < 4; request += 1) {
    const { status } = await fetch(`${url}/api/auth`, { method: 'POST', body: '{}' })
    const left = counts.parse((await list(home, '--json')).json)
    seen.push([status, ...left.map(({ nth, times }) => [nth, times])])
  }
  expect(seen).toEqual([[400, [1, 2]], [502, [1, 1]], [502], [400]])
})

test('sandbox reset: all faults are gone', async () => {
  const home = newHome()
  await addFault(home, { at: 'after', kind: 'reset' })
  expect(await paydesk(['sandbox', 'reset', '--yes'], { home })).toMatchObject({ code: 0 })
  expect((await list(home, '--json')).json).toEqual([])
})
