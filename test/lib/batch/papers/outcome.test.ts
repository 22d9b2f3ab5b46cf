import { expect, test } from 'vitest'
import type { PaperLine } from '../../../../src/lib/batch/papers/lines.ts'
import { paymentOutcome } from '../../../../src/lib/batch/papers/pain002/outcome.ts'
import type { Intent } from '../../../../src/lib/journal/intent.ts'

function line(standing: PaperLine['standing'], more: Partial<PaperLine>): PaperLine {
  const planned = {} as PaperLine['planned']
  return {
    planned,
    state: 'accepted',
    isTakenKey: false,
    intent: null,
    standing,
    code: null,
    why: null,
    before: null,
    ...more,
  }
}

test.each(['', ' ', null])(
  'a payment that ended unpaid without a word has a reason of the list: %j',
  (statusDescription) => {
    const intent = { status: 'REJECTED', statusDescription } as Intent
    const { status, reason, words } = paymentOutcome(line('not-paid', { intent }), 'pain.001.001.03')
    expect([status, reason, words]).toEqual(['RJCT', 'MS03', null])
  },
)

test('a refusal without a word says at least that', () => {
  const told = paymentOutcome(line('refused', { state: 'refused', why: '' }), 'pain.001.001.03')
  expect(told).toEqual({ status: 'RJCT', reason: 'NARR', words: 'refused' })
})
