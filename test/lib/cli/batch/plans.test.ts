/** The last words of a run that is ended at once: what its rows have moved is not denied when the work is over. */
import { expect, test } from 'vitest'
import { BatchAccess } from '../../../../src/lib/cli/batch/plans.ts'
import type { Invocation } from '../../../../src/lib/cli/invocation.ts'

const plan = { planId: 'b-1', environment: 'test', totals: { GEL: '100' } } as const

/** A command that has opened nothing yet. */
const invocation: Invocation = Object.assign(Object.create(null), { attach: () => undefined })

test('a run says what it has sent during its work and after it', async () => {
  const batch = new BatchAccess(invocation)
  expect(batch.standing()).toBeNull()
  await batch.running(plan, async () => expect(batch.standing()).toMatchObject({ moneyMoved: 'unknown' }))
  expect(batch.standing()).toMatchObject({ moneyMoved: 'unknown', said: expect.stringContaining('b-1') })
})

test('so does a worker, and one whose work failed', async () => {
  const batch = new BatchAccess(invocation)
  await batch.working(() => Promise.reject(new Error('the store is gone'))).catch(() => undefined)
  expect(batch.standing()).toMatchObject({ moneyMoved: 'unknown' })
})
