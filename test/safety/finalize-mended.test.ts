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
