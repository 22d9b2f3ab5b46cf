/** A finalization whose amount the service refuses may be mended, although the answer to an attempt before it was lost. */
import { expect, test } from 'vitest'
import { handDesk, handOrder } from '../kit/service/hand-desk.ts'
import { createWallet } from '../kit/service/hand-lines.ts'
import type { Said } from '../kit/service/sealed-by-hand.ts'

const finalize = (amount: string) => [
  ...['wallet', 'finalize', '--unique-id', handOrder, '--amount', amount, '--final-status', 'SUCCESS', '--yes'],
  '--no-local-check',
]
const told = (status: string): Said => ({ value: { uniqueId: handOrder, status } })

test.each(['WRONG_AMOUNT', 'AMOUNT_NOT_IN_RANGE'])('%s behind a lost answer', async (refusal) => {
  const desk = await handDesk(({ name, count }): Said => {
    if (name === 'wallet.create' || name === 'wallet.details') return told('REGISTERED')
    return count === 1 ? { plain: 'reset' } : told(count === 2 ? refusal : 'SUCCESS')
  })
  await desk.run(...createWallet)
  const refused = await desk.run(...finalize('25'))
  expect(refused.code, refused.stderr).toBe(5)
  const mended = await desk.run(...finalize('24'))
  expect(mended.code, mended.stderr).toBe(0)
  expect(desk.count('wallet.finalize')).toBe(3)
})

/** Finalizations answered one after the other; the details read as told. */
async function finalizing(answers: readonly Said[], details: (sent: number) => Said) {
  const desk = await handDesk(({ name, count }): Said => {
    if (name === 'wallet.create') return told('REGISTERED')
    return name === 'wallet.finalize'
      ? (answers[count - 1] ?? { plain: 'reset' })
      : details(desk.count('wallet.finalize'))
  })
  await desk.run(...createWallet)
  return desk
}

test('a mended finalization that another machine has done is a conflict, and not the lost one of the old body', async () => {
  const paid: Said = { value: { uniqueId: handOrder, status: 'SUCCESS', amount: 0 } }
  const answers = [{ plain: 'reset' } as const, told('WRONG_AMOUNT'), told('ALREADY_FINALISED')]
  const desk = await finalizing(answers, (sent) => (sent < 3 ? told('REGISTERED') : paid))
  expect((await desk.run(...finalize('20'))).code).toBe(5)
  const mended = await desk.run(...finalize('26'))
  expect(mended, mended.stderr).toMatchObject({ code: 7, error: { moneyMoved: 'unknown' } })
})

test('a mended finalization that is refused is refused, and a third body may follow', async () => {
  const answers = [{ plain: 'reset' } as const, told('WRONG_AMOUNT'), told('RECEIVER_REACHED_LIMIT'), told('SUCCESS')]
  const desk = await finalizing(answers, () => told('REGISTERED'))
  expect((await desk.run(...finalize('20'))).code).toBe(5)
  expect((await desk.run(...finalize('24'))).code).toBe(5)
  expect((await desk.run(...finalize('25'))).code).toBe(0)
})

test('"already paid", of which no read could tell by whom, is no own one when it is said again', async () => {
  const unread: Said = { plain: { status: 503, body: '{}' } }
  const answers = [{ code: 6016, group: 2 } as const, told('ALREADY_FINALISED')]
  const desk = await finalizing(answers, (sent) => (sent < 2 ? unread : told('SUCCESS')))
  const ended = await desk.run(...finalize('25'))
  expect([7, 9], ended.stdout + ended.stderr).toContain(ended.code)
})

test('a body that was refused behind a lost answer, and is sent again, is refused; and the right one may follow', async () => {
  const answers = [{ plain: 'reset' } as const, told('WRONG_AMOUNT'), told('RECEIVER_REACHED_LIMIT'), told('SUCCESS')]
  const desk = await finalizing(answers, () => told('REGISTERED'))
  const codes: number[] = []
  for (const amount of ['20', '20', '25']) codes.push((await desk.run(...finalize(amount))).code)
  expect(codes).toEqual([5, 5, 0])
})

test('a body that was refused behind a lost answer is not the one that another machine has finalized', async () => {
  const paid: Said = { value: { uniqueId: handOrder, status: 'SUCCESS', amount: 0 } }
  const answers = [{ plain: 'reset' } as const, told('WRONG_AMOUNT'), told('ALREADY_FINALISED')]
  const desk = await finalizing(answers, (sent) => (sent < 3 ? told('REGISTERED') : paid))
  expect((await desk.run(...finalize('20'))).code).toBe(5)
  expect((await desk.run(...finalize('20'))).code).toBe(7)
})
