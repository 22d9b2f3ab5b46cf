/** A conflict once is a conflict for ever: no lost attempt, no read and no refusal after it makes it done, or denies it. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { handDesk, handOrder } from '../kit/service/hand-desk.ts'
import { chargeCard, createWallet, finalizeWallet } from '../kit/service/hand-lines.ts'
import { handPayout } from '../kit/service/hand-payout.ts'
import type { Said } from '../kit/service/sealed-by-hand.ts'
import { json } from '../kit/service/service-by-hand.ts'

interface Conflict {
  readonly operation: string
  readonly argv: readonly string[]
  /** The first answer, which says that the service has it. */
  readonly said: Said
  readonly reads: Said
}

const shown = (status: string): Said => ({ value: { integratorOrderId: handOrder, status } })
const details = (status: string): Said => ({ value: { uniqueId: handOrder, status, amount: null } })

const conflicts: Readonly<Record<string, Conflict>> = {
  'a charge of a saved card (6023)': {
    operation: 'order.create',
    argv: chargeCard(),
    said: { code: 6023, group: 2 },
    reads: shown('INITIAL'),
  },
  'a completion (6006, SUCCESS)': {
    operation: 'order.complete',
    argv: ['order', 'complete', handOrder, '--amount', '40', '--yes'],
    said: { code: 6006, group: 3 },
    reads: shown('SUCCESS'),
  },
  'a wallet order (6109, REGISTERED)': {
    operation: 'wallet.create',
    argv: createWallet,
    said: { code: 6109, group: 3 },
    reads: details('REGISTERED'),
  },
  'a finalization (ALREADY_FINALISED)': {
    operation: 'wallet.finalize',
    argv: [...finalizeWallet, '--no-local-check'],
    said: { value: { uniqueId: handOrder, status: 'ALREADY_FINALISED' } },
    reads: details('SUCCESS'),
  },
}

/** A service whose first answer is the conflict, and which answers nothing more to the write. */
async function met({ operation, argv, said, reads }: Conflict) {
  const desk = await handDesk(({ name, count }) => {
    if (name !== operation) return reads
    return count === 1 ? said : { plain: 'reset' }
  })
  const run = () => desk.run(...argv)
  const first = await run()
  expect(first, first.stdout + first.stderr).toMatchObject({ code: 7, error: { moneyMoved: 'unknown' } })
  return { desk, run, journalId: String(first.error.journalId) }
}

describe.each(Object.entries(conflicts))('%s', (_name, conflict) => {
  test('stays one when the next attempt is lost, and a read shows what was asked for', async () => {
    const { desk, run, journalId } = await met(conflict)
    for (const ended of [await run(), await run(), await desk.run('resume', journalId, '--yes')]) {
      expect(ended, ended.stdout + ended.stderr).toMatchObject({
        code: 7,
        stdout: '',
        error: { moneyMoved: 'unknown' },
      })
    }
    const { json: intent } = await desk.run('journal', 'show', journalId)
    expect(['refused', 'unknown']).toContain(intent.state)
    expect(intent.because, 'why it is one is still told').toMatch(/the service (has this id already|refused it, but)/)
  })

  test('ends by the word of a person', async () => {
    const { desk, journalId } = await met(conflict)
    const settled = await desk.run('resume', journalId, '--settle', 'refused', '--because', 'the bank says so', '--yes')
    expect(settled.code, settled.stderr).toBe(0)
    expect((await desk.run('journal', 'show', journalId)).json).toMatchObject({ state: 'refused' })
  })
})

const taken = json({ message: 'Duplicate', statusCode: 5017 }, 400)
const read = (more: object = {}) => ({
  ...{ transactionId: 4712, status: 'SUCCESS', statusDescription: 'done', amount: 12.5, currency: 'GEL' },
  ...{ toIban: 'GE29NB0000000101904917', paymentDescription: 'x', uniqueId: handOrder },
  ...{ createdAt: '2026-11-25T10:00:00' },
  ...more,
})

/** A payout whose first answer says that its id is taken; `details` is what a read of transaction 4712 shows. */
async function conflictingPayout(details: object) {
  const sign = { isUp: true }
  const desk = await handPayout(({ path }) => {
    if (path === '/api/auth' && !sign.isUp) return 'reset'
    if (path === '/api/distributor') return taken
    return path === '/api/distributor/details' ? json({ value: details }) : undefined
  })
  const first = await desk.pay()
  expect(first, first.stderr).toMatchObject({ code: 7, error: { moneyMoved: 'unknown' } })
  return { desk, sign }
}

describe('a payout', () => {
  test.each([
    ['another sum', { amount: 99 }],
    ['another beneficiary', { toIban: 'GE29NB0000000******917' }],
    ['this very sum', {}],
    ['a payment that failed', { status: 'FAILED' }],
  ])('is a conflict still when a read shows %s', async (_what, more) => {
    const { desk, sign } = await conflictingPayout(read(more))
    await desk.run('payout', 'get', '4712')
    sign.isUp = false
    rmSync(join(desk.home, 'tokens'), { recursive: true })
    const again = await desk.pay()
    expect(again, again.stderr).toMatchObject({ error: { moneyMoved: 'unknown' } })
    const { json: intent } = await desk.run('journal', 'show', handOrder)
    expect(intent).toMatchObject({ state: 'refused' })
    expect(intent.because).toContain('the service has this id already')
    const resumed = await desk.run('resume', String(intent.journalId), '--yes')
    expect(resumed, resumed.stderr).toMatchObject({ code: 7, error: { moneyMoved: 'unknown' } })
  })

  test('that was refused is one as soon as a read shows that the service has its id', async () => {
    const desk = await handPayout(({ path }) => {
      if (path === '/api/distributor') return json({ message: 'no', statusCode: 5038 }, 400)
      return path === '/api/distributor/details' ? json({ value: read() }) : undefined
    })
    expect(await desk.pay()).toMatchObject({ code: 5 })
    const seen = await desk.run('payout', 'get', '4712')
    expect(seen, seen.stderr).toMatchObject({ code: 0 })
    expect(seen.json.warnings).toEqual([expect.stringContaining('a read shows that the service has this id')])
    const resumed = await desk.run('resume', handOrder, '--yes')
    expect(resumed, resumed.stderr).toMatchObject({ code: 7, error: { moneyMoved: 'unknown' } })
  })

  test('whose answer told of another sum is not sent again, whatever a read shows since', async () => {
    const desk = await handPayout(({ path }) => {
      if (path === '/api/distributor')
        return json({ transactionId: 4712, status: 'INITIAL', uniqueId: handOrder, amount: 99, currency: 'GEL' })
      return path === '/api/distributor/details' ? json({ value: read() }) : undefined
    })
    const first = await desk.pay()
    expect(first, first.stdout).toMatchObject({ code: 9 })
    await desk.run('payout', 'get', '4712')
    const resumed = await desk.run('resume', String(first.error.journalId), '--yes')
    expect(resumed, resumed.stdout).toMatchObject({ code: 9, stdout: '' })
    expect(desk.creates()).toBe(1)
  })
})
