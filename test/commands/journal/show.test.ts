import { expect, test } from 'vitest'
import { hurriedClock, impatient } from '../../kit/clock.ts'
import { create } from '../../kit/payment.ts'
import { newHome, paydesk, succeeds } from '../../kit/program.ts'
import { addFault, clearFaults } from '../../kit/world.ts'

test('journal show: tells each attempt and its outcome, by journal id, uniqueId or key', async () => {
  const home = newHome()
  await addFault(home, { at: 'before', kind: 'html502', times: 1 })
  await addFault(home, { at: 'after', kind: 'reset', nth: 2, times: 1 })
  const made = await paydesk([...create({ key: 'emp-17' }), '--json'], {
    home,
    clock: hurriedClock(),
    random: impatient,
  })
  expect(made, made.stderr).toMatchObject({ code: 0, json: { outcome: 'exists' } })
  for (const id of [made.json.journalId, made.json.uniqueId, String(made.json.uniqueId).toUpperCase(), 'emp-17']) {
    const shown = await succeeds(paydesk(['journal', 'show', String(id), '--json'], { home }))
    expect(shown.json).toMatchObject({
      journalId: made.json.journalId,
      state: 'exists',
      transactionId: null,
      attempts: [
        { number: 1, outcome: 'unknown', http: 502, endedAt: expect.any(String) },
        { number: 2, outcome: 'unknown', http: null, why: expect.any(String) },
        { number: 3, outcome: 'exists', http: 400, statusCode: 5017 },
      ],
    })
  }
  const table = await paydesk(['journal', 'show', 'emp-17'], { home })
  expect(table.stdout).toMatch(/^state +exists$/m)
  expect(table.stdout).toContain('5017')
  expect(table.stdout).toMatch(/^Request\n(?:.*\n)*description +Salary, November$/m)
})

test('journal show: needs neither profile nor service', async () => {
  const home = newHome()
  await addFault(home, { at: 'before', kind: 'reset', times: 99 })
  const lost = await paydesk([...create(), '--json'], { home, clock: hurriedClock(), random: impatient })
  await clearFaults(home)
  const shown = await paydesk(['journal', 'show', String(lost.error.journalId)], { home })
  expect(shown.code).toBe(0)
  expect(shown.stdout).toMatch(/^state +unknown$/m)
})

test('journal show: an unknown id is not found (6)', async () => {
  const ended = await paydesk(['journal', 'show', 'j-000000000000', '--json'], { home: newHome() })
  expect(ended).toMatchObject({ code: 6, stdout: '' })
  expect(ended.error).toMatchObject({ name: 'not-found' })
})
