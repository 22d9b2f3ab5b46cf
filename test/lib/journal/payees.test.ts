/** A beneficiary is held against the payees that are known, by account and by name. */
import { expect, test } from 'vitest'
import { KnownPayees } from '../../../src/lib/journal/payees.ts'
import { sameName } from '../../../src/lib/text.ts'

const payee = (name: string, account: string) => ({
  ...{ payeeId: 'p-000000000001', profile: 'acme', name, account, addedAt: '2026-11-20T06:00:00.000Z' },
})
const known = new KnownPayees([payee('Nino Beridze', 'GE1'), payee('Nino Beridze', 'GE2'), payee('Gia Lomidze', 'GE3')])

test.each([
  ['the known name with its account', 'NINO  beridze', 'GE1', null],
  ['a known account with another name', 'Gia Lomidze', 'GE1', 'this account is listed for another payee: Nino Beridze'],
  ['a known name with another account', 'Nino Beridze', 'GE9', 'Nino Beridze is listed with another account: GE1, GE2'],
  [
    'a known name with the account of somebody else',
    'Nino Beridze',
    'GE3',
    'this account is listed for another payee: Gia Lomidze',
  ],
  ['a new name with a new account', 'Anna Kapanadze', 'GE9', null],
  ['no name', null, 'GE1', null],
] as const)('a payout to %s raises the alarm that it should', (_what, name, account, inWords) => {
  expect(known.alarm({ name, account })?.inWords ?? null).toBe(inWords)
})

test('known payees: an account is known by its letters, and there may be none', () => {
  expect([known.has('GE3'), known.has('GE9'), known.isEmpty, new KnownPayees([]).isEmpty]).toEqual([
    true,
    false,
    false,
    true,
  ])
})

test.each([
  ['Nino Beridze', 'nino  BERIDZE.'],
  ['Nino Beridze', 'Ninо Beridze'],
  ['Nino Beridze', 'Ni\u200bno\u00ad Beridze'],
  ['Il1 O0', '111 oo'],
  ['Ⴌⴈⴌⴍ', 'ⴌⴈⴌⴍ'],
  ['ნინო', 'ⴌⴈⴌⴍ'],
  ['ﬁrst', 'first'],
])('the names %j and %j read alike', (one, other) => {
  expect(sameName(one, other)).toBe(true)
  expect(sameName(other, one)).toBe(true)
})

test.each([
  ['Nino Beridze', 'Nino Beridse'],
  ['Nino Beridze', 'Nina Beridze'],
  ['Nino Beridze', 'NinoBeridze'],
  ['Nino Beridze', 'Beridze Nino'],
  ['Nino', ''],
])('the names %j and %j do not read alike', (one, other) => {
  expect(sameName(one, other)).toBe(false)
})
