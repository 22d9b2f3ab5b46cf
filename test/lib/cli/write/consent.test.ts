/** The lines that a person reads before they agree. */
import { Chalk } from 'chalk'
import { expect, test } from 'vitest'
import { consentTo } from '../../../../src/lib/cli/write/consent.ts'
import { createPayout } from '../../../../src/lib/contract/payout/payout.ts'

const who = { name: 'acme', environment: 'test' } as const
const known = { currency: null, details: [], standing: null, ink: new Chalk({ level: 0 }) }
const payout = { amount: '5', currency: 'GEL', description: 'x', toIban: 'GE29NB0000000101904917' }

test('a payout names the account that is debited and the payer that the bank is told, where they are given', () => {
  const more = { fromIban: 'GE60NB0000000123456789', debtorName: 'Acme LLC', debtorIdentityNumber: '123456789' }
  const { lines } = consentTo(createPayout, { ...payout, ...more }, who, known)
  expect(lines).toContain('debits GE60 NB00 0000 0123 4567 89')
  expect(lines).toContain('names the payer to the bank: Acme LLC, 123456789')
  expect(consentTo(createPayout, payout, who, known).lines).toHaveLength(4)
})
