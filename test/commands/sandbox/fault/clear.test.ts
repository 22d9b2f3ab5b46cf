import { expect, test } from 'vitest'
import { z } from 'zod'
import { create } from '../../../kit/payment.ts'
import { newHome, paydesk } from '../../../kit/program.ts'
import { addFault, ledgerOf } from '../../../kit/world.ts'

const clear = (home: string, ...more: string[]) => paydesk(['sandbox', 'fault', 'clear', ...more], { home })
const faults = z.array(z.object({ id: z.string() }))
const ids = async (home: string) =>
  faults.parse((await paydesk(['sandbox', 'fault', 'list', '--json'], { home })).json).map(({ id }) => id)

async function withThree(): Promise<string> {
  const home = newHome()
  for (const kind of ['reset', 'hang', '429'] as const) await addFault(home, { at: 'before', kind })
  return home
}

test('sandbox fault clear: with an id one fault is cleared and the others stay', async () => {
  const home = await withThree()
  expect(await clear(home, '2', '--json')).toMatchObject({ code: 0, stderr: '', json: { cleared: 1 } })
  expect(await ids(home)).toEqual(['1', '3'])
  expect(await clear(home, '3')).toMatchObject({ code: 0, stdout: 'Cleared 1 fault.\n' })
  expect(await ids(home)).toEqual(['1'])
})

test('sandbox fault clear: without an id all faults are cleared, and a payout meets none', async () => {
  const home = await withThree()
  expect((await clear(home, '--json')).json).toEqual({ cleared: 3 })
  expect(await ids(home)).toEqual([])
  const paid = await paydesk([...create(), '--json'], { home })
  const shown = await paydesk(['journal', 'show', String(paid.json.journalId), '--json'], { home })
  expect(shown.json.attempts).toMatchObject([{ number: 1, outcome: 'accepted' }])
  expect(await ledgerOf(home)).toHaveLength(1)
})

test('sandbox fault clear: without a fault it succeeds (0)', async () => {
  expect(await clear(newHome())).toMatchObject({ code: 0, stdout: 'No faults to clear.\n' })
})

test.each(['7', '0', '-1', 'reset', '1.0'])('sandbox fault clear: the unknown id %s is not found (6)', async (id) => {
  const home = await withThree()
  const ended = await clear(home, '--json', '--', id)
  expect(ended).toMatchObject({ code: 6, stdout: '' })
  expect(ended.error).toMatchObject({ name: 'not-found', moneyMoved: 'no' })
  expect(ended.error.message).toContain(id)
  expect(await ids(home)).toHaveLength(3)
})

test('sandbox fault clear: a fault that was cleared before is not found (6)', async () => {
  const home = await withThree()
  await clear(home, '1')
  expect(await clear(home, '1')).toMatchObject({ code: 6, stdout: '' })
})
