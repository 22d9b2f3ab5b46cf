/** Every answer to every write that speaks of an error, wherever it does, as it is read and as what it proves. */
import { expect, test } from 'vitest'
import { JsonNumber } from '../../../../src/lib/contract/core/decimal.ts'
import type { Members } from '../../../../src/lib/contract/core/members.ts'
import type { WriteOperation } from '../../../../src/lib/contract/operation.ts'
import { operations } from '../../../../src/lib/contract/operations.ts'
import { classify } from '../../../../src/lib/desk/answer/classify.ts'
import { writeJson } from '../../../../src/lib/json.ts'
import { readAnswer } from '../../../../src/lib/wire/answer.ts'
import { foreignOrder, handOrder } from '../../../kit/service/hand-desk.ts'
import { payoutDone, sealedWrites } from '../../../kit/service/hand-writes.ts'
import { failures, nothingFailed, placesOfErrors } from '../../../kit/service/spoken-errors.ts'

const request = { uniqueId: handOrder, integratorOrderId: handOrder, subscriptionId: handOrder }
const writes = [{ operation: 'payout.create', done: payoutDone }, ...Object.values(sealedWrites)]

function named(name: string): WriteOperation {
  const found = operations.find((each) => each.name === name)
  if (found?.effect !== 'write') throw new Error(`no write ${name}`)
  return found
}

async function provedBy(name: string, value: Members): Promise<string> {
  const operation = named(name)
  const http = { status: 200, headers: {}, body: writeJson(value) }
  const read = await readAnswer(operation, http, async (body) => ({ value: body }))
  return classify(operation, request, read, 0, null).kind
}

test.each(writes.map((write) => [write.operation, write.done] as const))(
  '%s is proved by no success that speaks of an error, wherever',
  async (operation, done) => {
    expect(await provedBy(operation, done)).toBe('accepted')
    for (const [place, put] of Object.entries(placesOfErrors)) {
      for (const failure of failures) {
        const value = put(done, failure)
        expect([await provedBy(operation, value), writeJson(value)], place).toEqual(['unknown', writeJson(value)])
      }
    }
  },
)

test.each([
  ['wallet.create', { receiverName: 'Nino' }, { ReceiverName: 'Another' }],
  ['wallet.create', { minAmountAllowed: new JsonNumber('1') }, { min_amount_allowed: new JsonNumber('2') }],
  ['wallet.create', { maxAmountAllowed: new JsonNumber('1') }, { maxamountallowed: new JsonNumber('2') }],
  ['user.register', { userId: handOrder }, { UserId: foreignOrder }],
])('%s is proved by no success that tells %j and %j', async (operation, one, other) => {
  const done = writes.find((write) => write.operation === operation)?.done
  expect(await provedBy(operation, { ...done, ...one })).toBe('accepted')
  expect(await provedBy(operation, { ...done, ...one, ...other })).toBe('unknown')
  expect(await provedBy(operation, { ...other, value: { ...done, ...one } })).toBe('unknown')
})

test.each(writes.filter(({ operation }) => operation !== 'subscription.revoke'))(
  '$operation is proved by a success that says that nothing failed',
  async ({ operation, done }) => {
    for (const none of nothingFailed) {
      const value = { ...done, ...none }
      expect([await provedBy(operation, value), writeJson(value)]).toEqual(['accepted', writeJson(value)])
    }
  },
)
