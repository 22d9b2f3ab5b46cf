import { expect, test } from 'vitest'
import { JsonNumber } from '../../../src/lib/contract/core/decimal.ts'
import { readPayload, writePayload } from '../../../src/lib/contract/core/field.ts'
import { registerUser } from '../../../src/lib/contract/user.ts'
import { validate } from '../../../src/lib/contract/validate.ts'
import { usual } from '../../kit/contract.ts'

test('whatever describes a user is passed through', () => {
  const user = { name: 'ნინო', contacts: [{ phone: '+995' }], limit: new JsonNumber('1.50'), active: true }
  expect(validate(registerUser, user, usual)).toEqual({ ok: true, request: user })
  expect(writePayload(registerUser.request, user)).toEqual(user)
  expect(readPayload(registerUser.request, user)).toEqual(user)
})

test('the id of the user is read as text, and may be missing', () => {
  expect(registerUser.answer.parse({ userId: new JsonNumber('9007199254740993') }).userId).toBe('9007199254740993')
  expect(registerUser.answer.parse({ other: 'x' })).toEqual({ other: 'x' })
})
