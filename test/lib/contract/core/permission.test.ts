import { expect, test } from 'vitest'
import { permissionNames, permissionOf, permissions } from '../../../../src/lib/contract/core/permission.ts'

test('every permission has a code of its own, and the code tells which one is missing', () => {
  expect(new Set(Object.values(permissions).map(({ code }) => code)).size).toBe(permissionNames.length)
  for (const name of permissionNames) expect(permissionOf(permissions[name].code)).toBe(name)
  expect(permissionOf(6049)).toBeNull()
})

test('the words of a permission follow "permitted"', () => {
  for (const { words } of Object.values(permissions)) expect(words).toMatch(/^to [a-z].*[^.]$/)
})
