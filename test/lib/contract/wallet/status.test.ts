import { expect, test } from 'vitest'
import {
  walletCreationStatuses,
  walletEnd,
  walletResults,
  walletStatuses,
} from '../../../../src/lib/contract/wallet/status.ts'
import { hintInWords } from '../../../../src/lib/hint.ts'

test('the statuses are those of the specification, and each says what it means', () => {
  expect(Object.keys(walletCreationStatuses)).toEqual(['REGISTERED', 'REJECTED'])
  expect(Object.keys(walletResults)).toEqual([
    'SUCCESS',
    'ALREADY_FINALISED',
    'ORDER_NOT_FOUND',
    'RECEIVER_REACHED_LIMIT',
    'AMOUNT_NOT_IN_RANGE',
    'WRONG_AMOUNT',
  ])
  expect(Object.keys(walletStatuses)).toEqual(['REGISTERED', 'SUCCESS', 'FAILED', 'CANCELED'])
  for (const statuses of [walletCreationStatuses, walletResults, walletStatuses]) {
    for (const { means } of Object.values(statuses)) expect(means).toMatch(/^[a-z].*[^.]$/)
  }
  const { SUCCESS: _, ...others } = walletResults
  for (const { next } of Object.values(others)) expect(hintInWords(next)).toMatch(/^[A-Z].*\.$/)
})

test('a wallet order ends paid or not paid, and one of an unknown status has not ended', () => {
  expect(walletEnd('REGISTERED')).toBeNull()
  expect(walletEnd(' SUCCESS')).toBe('paid')
  expect(walletEnd('FAILED')).toBe('not-paid')
  expect(walletEnd('CANCELLED')).toBe('not-paid')
  for (const status of ['toString', '', 'DONE']) expect(walletEnd(status)).toBeNull()
})
