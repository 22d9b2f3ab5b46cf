import { expect, test } from 'vitest'
import { fieldsOf } from '../../../src/lib/contract/core/field.ts'
import { operations } from '../../../src/lib/contract/operations.ts'

test('the operations stand where the specification and service.md put them', () => {
  const lines = operations.map(({ name, area, effect, method, path, carriedIn, wire, wrapped }) =>
    [name, area, effect, method, path, carriedIn, wire, wrapped ? 'wrapped' : 'flat'].join(' '),
  )
  // One that is added has its own test; these stay where they are.
  const known = [
    'auth.token A read POST /api/auth body open wrapped',
    'payout.create A write POST /api/distributor body bearer flat',
    'payout.get A read GET /api/distributor/details query bearer wrapped',
    'payout.balance A read GET /api/distributor/balance/check query bearer wrapped',
    'order.create B write POST /api/integrator/order body sealed flat',
    'order.status B read GET /api/integrator/order/status query sealed flat',
    'order.cancel B write DELETE /api/integrator/order/cancel query sealed flat',
    'order.refund B write POST /api/integrator/order/refund/v2 body sealed flat',
    'order.complete B write POST /api/integrator/order/complete body sealed flat',
    'subscription.history B read POST /api/v1/integrator/subscription/history body sealed flat',
    'subscription.revoke B write POST /api/v1/integrator/subscription/revoke body sealed flat',
    'user.register B write POST /api/integrator/user body sealed flat',
    'wallet.create C write POST /api/v1/third-party/order/create body wallet flat',
    'wallet.finalize C write PUT /api/v1/third-party/order/finalize body wallet flat',
    'wallet.cancel C write DELETE /api/v1/third-party/order/delete query wallet flat',
    'wallet.details C read GET /api/v1/third-party/order/details query wallet flat',
    'card.get D read GET /api/v1/integrator/card/order-id query sealed flat',
  ]
  expect(lines).toEqual(expect.arrayContaining(known))
})

test('no two operations share a name, or a method and path', () => {
  expect(new Set(operations.map(({ name }) => name)).size).toBe(operations.length)
  expect(new Set(operations.map(({ method, path }) => `${method} ${path}`)).size).toBe(operations.length)
})

test('the field that names a write is one of its request, and words tell what every operation does', () => {
  for (const operation of operations) {
    const names = fieldsOf(operation.request).map(({ name }) => name)
    if (operation.effect === 'write' && operation.idField !== null) expect(names).toContain(operation.idField)
    expect(operation.summary).toMatch(/^[a-z].*[^.]$/)
  }
})

test('every field, and every member inside one, has words without a full stop', () => {
  for (const { name, request } of operations) {
    for (const field of fieldsOf(request).flatMap((each) => [each, ...(each.members ? fieldsOf(each.members) : [])])) {
      expect(field.help, `${name} ${field.name}`).toMatch(/^[^ ].*[^. ]$/)
    }
  }
})

test('every write has a label in words, and reads the evidence of a lost answer with fields of its own request', () => {
  for (const operation of operations) {
    if (operation.effect === 'read') continue
    expect(operation.label).toMatch(/^[A-Z][a-z]+( [a-z]+)*$/)
    if (operation.evidence === null) continue
    const asked = fieldsOf(operation.evidence.by.request).map(({ name }) => name)
    expect(fieldsOf(operation.request).map(({ name }) => name)).toEqual(expect.arrayContaining(asked))
    for (const status of operation.evidence.refusals?.possibleIn ?? []) {
      expect(operation.evidence.by.statuses?.(status), status).not.toBeNull()
    }
  }
})
