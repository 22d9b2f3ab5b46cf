// Every row of the specification's table of wallet transitions, and what it and service.md#wallet say around it.

import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Operation } from '../../../../src/lib/contract/operation.ts'
import {
  cancelWalletOrder,
  createWalletOrder,
  finalizeWalletOrder,
  walletOrderDetails,
} from '../../../../src/lib/contract/wallet/wallet.ts'
import { writeJson } from '../../../../src/lib/json.ts'
import {
  blockedUser,
  type Fields,
  limitedUser,
  qr,
  qrOpen,
  qrRequest,
  userAtLimit,
  walletBranch,
  walletUser,
} from '../../../kit/sandbox/integrator.ts'
import { day, expectRefused, expectSealed, minute, servedTable, told, without } from '../../../kit/sandbox/stand.ts'

const here = await servedTable()
const wallet = await here.wallet()
const { clock } = here

const lifetime = 5 * minute
const nobody = '5a9db0c0-0999-4a11-8c11-000000000999'
const fixed = qrRequest(walletUser, '25.00')
const open = qrOpen(walletUser)

/** A registered order of an address. */
async function registered(uri: string): Promise<string> {
  const heard = await wallet.create(uri)
  expect(told(heard).status).toBe('REGISTERED')
  return told(heard).uniqueId ?? ''
}

async function finalized(uri: string, amount: unknown): Promise<string> {
  const uniqueId = await registered(uri)
  expect(told(await wallet.finalize(uniqueId, amount)).status).toBe('SUCCESS')
  return uniqueId
}

async function expired(uri: string): Promise<string> {
  const uniqueId = await registered(uri)
  clock.forward(lifetime)
  return uniqueId
}

async function deleted(uri: string): Promise<string> {
  const uniqueId = await registered(uri)
  expectSealed(await wallet.delete(uniqueId))
  return uniqueId
}

async function rejected(uri: string): Promise<string> {
  const heard = await wallet.create(uri)
  expect(told(heard).status).toBe('REJECTED')
  return told(heard).uniqueId ?? ''
}

const neverCreated = async () => randomUUID()

/** Uses up the 100.00 a day that the receiver may have. */
async function limitUsedUp(): Promise<void> {
  clock.forward(day)
  await finalized(qrOpen(limitedUser), '100.00')
}

/** All that the ledger knows of an order, and all money that ever moved. */
async function ledgerEntry(uniqueId: string) {
  const { walletOrders } = await here.sandbox.ledger()
  return {
    entry: walletOrders.find((order) => order.uniqueId === uniqueId) ?? null,
    executions: walletOrders.reduce((sum, order) => sum + order.executions, 0),
  }
}

describe('each row of the table of transitions', () => {
  test('creating an accepted order registers it and moves nothing', async () => {
    const uniqueId = await registered(fixed)
    expect(told(await wallet.details(uniqueId))).toMatchObject({ uniqueId, amount: '25.00', status: 'REGISTERED' })
    expect(await here.walletEntry(uniqueId)).toMatchObject({ status: 'REGISTERED', executions: 0 })
  })

  test.each([
    ['a blocked receiver', qrOpen(blockedUser)],
    ['a blocked receiver with an amount', qrRequest(blockedUser, '5.00')],
    ['an unknown receiver', qrOpen(nobody)],
    ['a receiver of another type', qrOpen(walletUser, 'BRANCH')],
    ['no receiver at all', qr({ qrType: 'DEFAULT' })],
    ['no QR type', qr({ receiverType: 'USER', receiverId: walletUser })],
  ])('creating an order for %s rejects it with a reason', async (_who, uri) => {
    const heard = await wallet.create(uri)
    expectSealed(heard)
    expect(told(heard).status).toBe('REJECTED')
    expect(told(heard).rejectReason).toMatch(/\w/)
    expect(await here.walletEntry(heard.value.uniqueId)).toMatchObject({ status: 'FAILED', executions: 0 })
  })

  test.each([
    ['the amount of the address', fixed, '25.00'],
    [
      'the amount of a product',
      qr({ qrType: 'CUSTOM', receiverType: 'BRANCH', receiverId: walletBranch, productId: 'espresso-2' }),
      '7.50',
    ],
    ['an amount the payer chose', open, '12.34'],
  ])('a finalize in time with %s executes the payment once', async (_what, uri, amount) => {
    const uniqueId = await registered(uri)
    const before = await ledgerEntry(uniqueId)
    const heard = await wallet.finalize(uniqueId, amount)
    expectSealed(heard)
    expect(told(heard)).toEqual({ uniqueId, status: 'SUCCESS' })
    const after = await ledgerEntry(uniqueId)
    expect(after.executions).toBe(before.executions + 1)
    expect(after.entry).toMatchObject({ status: 'SUCCESS', executions: 1 })
    expect(String(after.entry?.amount)).toBe(amount)
  })

  const refusals: readonly (readonly [string, () => Promise<string>, unknown, string])[] = [
    ['an order that is finalised already', () => finalized(fixed, '25.00'), '25.00', 'ALREADY_FINALISED'],
    ['an order that was never created', neverCreated, '25.00', 'ORDER_NOT_FOUND'],
    ['an order that has expired', () => expired(fixed), '25.00', 'ORDER_NOT_FOUND'],
    ['an order that was deleted', () => deleted(fixed), '25.00', 'ORDER_NOT_FOUND'],
    ['an order that was rejected', () => rejected(qrRequest(blockedUser, '5.00')), '5.00', 'ORDER_NOT_FOUND'],
    ['a receiver at its limit', () => registered(qrRequest(userAtLimit, '5.00')), '5.00', 'RECEIVER_REACHED_LIMIT'],
    [
      'a receiver at its limit, the amount chosen',
      () => registered(qrOpen(userAtLimit)),
      '5.00',
      'RECEIVER_REACHED_LIMIT',
    ],
    ['an amount below the minimum', () => registered(open), '0.09', 'AMOUNT_NOT_IN_RANGE'],
    ['an amount above the maximum', () => registered(open), '5000.01', 'AMOUNT_NOT_IN_RANGE'],
    ['less than the amount returned', () => registered(fixed), '24.99', 'WRONG_AMOUNT'],
    ['more than the amount returned', () => registered(fixed), '25.01', 'WRONG_AMOUNT'],
  ]

  test.each(refusals)('finalizing %s moves nothing and changes nothing', async (_what, prepared, amount, status) => {
    const uniqueId = await prepared()
    const [before, details] = [await ledgerEntry(uniqueId), (await wallet.details(uniqueId)).value]
    const heard = await wallet.finalize(uniqueId, amount)
    expectSealed(heard)
    expect(told(heard)).toEqual({ uniqueId, status })
    expect(await ledgerEntry(uniqueId)).toEqual(before)
    expect((await wallet.details(uniqueId)).value).toEqual(details)
  })

  test('an order that is not finalized within five minutes counts as canceled', async () => {
    const uniqueId = await expired(fixed)
    expect(told(await wallet.details(uniqueId)).status).toBe('FAILED')
    expect(await here.walletEntry(uniqueId)).toMatchObject({ status: 'FAILED', executions: 0, finalisedAt: null })
  })
})

describe('the order in which finalizing looks', () => {
  const two: readonly (readonly [string, () => Promise<string>, unknown, string])[] = [
    [
      'finalised before out of time',
      async () => {
        const uniqueId = await finalized(fixed, '25.00')
        clock.forward(lifetime)
        return uniqueId
      },
      '25.00',
      'ALREADY_FINALISED',
    ],
    ['finalised before wrong amount', () => finalized(fixed, '25.00'), '1.00', 'ALREADY_FINALISED'],
    ['finalised before out of range', () => finalized(open, '25.00'), '5000.01', 'ALREADY_FINALISED'],
    [
      'finalised before limit',
      () => {
        clock.forward(day)
        return finalized(qrOpen(limitedUser), '100.00')
      },
      '100.00',
      'ALREADY_FINALISED',
    ],
    ['out of time before wrong amount', () => expired(fixed), '1.00', 'ORDER_NOT_FOUND'],
    ['out of time before out of range', () => expired(open), '5000.01', 'ORDER_NOT_FOUND'],
    ['out of time before limit', () => expired(qrRequest(userAtLimit, '5.00')), '5.00', 'ORDER_NOT_FOUND'],
    ['deleted before wrong amount', () => deleted(fixed), '1.00', 'ORDER_NOT_FOUND'],
    ['never created before out of range', neverCreated, '5000.01', 'ORDER_NOT_FOUND'],
    ['wrong amount before limit', () => registered(qrRequest(userAtLimit, '5.00')), '6.00', 'WRONG_AMOUNT'],
    ['out of range before limit, below', () => registered(qrOpen(userAtLimit)), '0.01', 'AMOUNT_NOT_IN_RANGE'],
    ['out of range before limit, above', () => registered(qrOpen(userAtLimit)), '5000.01', 'AMOUNT_NOT_IN_RANGE'],
  ]

  test.each(two)('%s', async (_what, prepared, amount, status) => {
    expect(told(await wallet.finalize(await prepared(), amount)).status).toBe(status)
  })
})

describe('at the same moment', () => {
  test('of five finalizes of one order one moves money', async () => {
    const uniqueId = await registered(fixed)
    const heard = await Promise.all([1, 2, 3, 4, 5].map(() => wallet.finalize(uniqueId, '25.00')))
    const results = heard.map((one) => told(one).status).toSorted()
    expect(results).toEqual([...Array(4).fill('ALREADY_FINALISED'), 'SUCCESS'])
    expect(await here.walletEntry(uniqueId)).toMatchObject({ executions: 1 })
  })

  test('of five creates with one id one registers', async () => {
    const uniqueId = randomUUID()
    const heard = await Promise.all([1, 2, 3, 4, 5].map(() => wallet.create(fixed, uniqueId)))
    expect(heard.map(({ code }) => code).toSorted()).toEqual([6109, 6109, 6109, 6109, null])
  })

  test('a finalize and a delete do not both succeed', async () => {
    const uniqueId = await registered(fixed)
    const [one, other] = await Promise.all([wallet.finalize(uniqueId, '25.00'), wallet.delete(uniqueId)])
    const moved = one?.value.status === 'SUCCESS'
    expect([moved, other?.code === null].filter(Boolean)).toHaveLength(1)
    expect(await here.walletEntry(uniqueId)).toMatchObject({ executions: moved ? 1 : 0 })
  })
})

describe('an order whose finalizing was refused can still be finalized', () => {
  const corrected: readonly (readonly [string, () => Promise<string>, unknown, string, unknown])[] = [
    ['a wrong amount', () => registered(fixed), '24.99', 'WRONG_AMOUNT', '25.00'],
    ['an amount below the range', () => registered(open), '0.09', 'AMOUNT_NOT_IN_RANGE', '0.10'],
    ['an amount above the range', () => registered(open), '5000.01', 'AMOUNT_NOT_IN_RANGE', '10.00'],
    [
      'an amount above the limit of the receiver',
      () => {
        clock.forward(day)
        return registered(qrOpen(limitedUser))
      },
      '100.01',
      'RECEIVER_REACHED_LIMIT',
      '100.00',
    ],
  ]

  test.each(corrected)('%s is corrected', async (_what, prepared, wrong, status, right) => {
    const uniqueId = await prepared()
    expect(told(await wallet.finalize(uniqueId, wrong)).status).toBe(status)
    expect(told(await wallet.finalize(uniqueId, wrong)).status).toBe(status)
    expect(told(await wallet.finalize(uniqueId, right)).status).toBe('SUCCESS')
    expect(told(await wallet.finalize(uniqueId, right)).status).toBe('ALREADY_FINALISED')
    expect(await here.walletEntry(uniqueId)).toMatchObject({ executions: 1 })
  })
})

describe('the deadline', () => {
  const at: readonly (readonly [string, number, boolean])[] = [
    ['at once', 0, true],
    ['at 4:59.999', lifetime - 1, true],
    ['at 5:00.000', lifetime, false],
    ['a day later', day, false],
  ]

  test.each(at)('finalizing %s', async (_when, after, inTime) => {
    const uniqueId = await registered(fixed)
    clock.forward(after)
    expect(told(await wallet.finalize(uniqueId, '25.00')).status).toBe(inTime ? 'SUCCESS' : 'ORDER_NOT_FOUND')
    expect(await here.walletEntry(uniqueId)).toMatchObject({ executions: inTime ? 1 : 0 })
  })

  test.each(at)('details %s', async (_when, after, inTime) => {
    const uniqueId = await registered(fixed)
    clock.forward(after)
    expect(told(await wallet.details(uniqueId)).status).toBe(inTime ? 'REGISTERED' : 'FAILED')
  })

  test.each(at)('deleting %s', async (_when, after, inTime) => {
    const uniqueId = await registered(fixed)
    clock.forward(after)
    const heard = await wallet.delete(uniqueId)
    expect(heard.code === null).toBe(inTime)
    expect(told(await wallet.details(uniqueId)).status).toBe('FAILED')
  })

  test('a look shortly before it does not lengthen it', async () => {
    const uniqueId = await registered(fixed)
    clock.forward(lifetime - 1)
    await wallet.details(uniqueId)
    await wallet.finalize(uniqueId, '1.00')
    clock.forward(1)
    expect(told(await wallet.finalize(uniqueId, '25.00')).status).toBe('ORDER_NOT_FOUND')
  })
})

describe('the answer of creation', () => {
  const range = ['minAmountAllowed', 'maxAmountAllowed']
  const addresses: readonly (readonly [string, string, readonly string[]])[] = [
    ['the payer chooses', open, ['uniqueId', 'receiverName', 'status', ...range]],
    ['the address names an amount', fixed, ['uniqueId', 'amount', 'receiverName', 'status']],
    [
      'the address names a product',
      qr({ qrType: 'CUSTOM', receiverType: 'BRANCH', receiverId: walletBranch, productId: 'espresso-2' }),
      ['uniqueId', 'amount', 'receiverName', 'status'],
    ],
  ]

  test.each(addresses)('where %s', async (_what, uri, names) => {
    const heard = await wallet.create(uri)
    expect(Object.keys(heard.value).toSorted()).toEqual([...names].toSorted())
    expect(told(heard).receiverName).toMatch(/\p{L}/u)
  })

  test.each([
    ['a blocked user', qrOpen(blockedUser)],
    ['a blocked user with an amount', qrRequest(blockedUser, '5.00')],
    ['nobody', qrOpen(nobody)],
  ])('a reason where it is rejected, and never a range beside an amount: %s', async (_who, uri) => {
    const { value } = await wallet.create(uri)
    expect(value).toHaveProperty('rejectReason')
    expect('amount' in value && range.some((name) => name in value)).toBe(false)
    for (const name of Object.keys(value)) {
      expect(['uniqueId', 'amount', 'receiverName', 'status', 'rejectReason', ...range]).toContain(name)
    }
  })

  test('the least is not more than the most', async () => {
    const { minAmountAllowed, maxAmountAllowed } = told(await wallet.create(open))
    expect(Number(minAmountAllowed)).toBeGreaterThan(0)
    expect(Number(maxAmountAllowed)).toBeGreaterThanOrEqual(Number(minAmountAllowed))
  })
})

describe('requests that break a rule', () => {
  const finalizing = () => ({ ...wallet.ids, uniqueId: randomUUID(), amount: 25, finalStatus: 'SUCCESS' })
  const creating = () => ({ ...wallet.ids, uniqueId: randomUUID(), uri: fixed })
  const naming = () => ({ ...wallet.ids, uniqueId: randomUUID() })

  const fields: readonly (readonly [string, string, Operation, () => Fields, number])[] = [
    ...['identifier', 'uniqueId', 'uri'].map((name) => [name, 'create', createWalletOrder, creating, 6109] as const),
    ...['identifier', 'uniqueId', 'amount', 'finalStatus'].map(
      (name) => [name, 'finalize', finalizeWalletOrder, finalizing, 6110] as const,
    ),
    // The code of these two is not known: "argument" is assumed.
    ...['identifier', 'uniqueId'].map((name) => [name, 'delete', cancelWalletOrder, naming, 6053] as const),
    ...['identifier', 'uniqueId'].map((name) => [name, 'details', walletOrderDetails, naming, 6053] as const),
  ]

  test.each(fields)('%s is missing or null in %s', async (name, _what, operation, payload, code) => {
    for (const lacking of [without(payload(), name), { ...payload(), [name]: null }]) {
      expectRefused(await wallet.send(operation, lacking), code, 1)
    }
  })

  test.each(fields.filter(([name]) => name !== 'identifier'))(
    '%s is empty in %s',
    async (name, _what, operation, payload, code) => {
      expectRefused(await wallet.send(operation, { ...payload(), [name]: '' }), code, 1)
    },
  )

  test.each(['FAILED', 'REJECTED', 'CANCELED', 'success', 'SUCCESSFUL', 'true', 1, true])(
    'the final status %s is refused and changes nothing',
    async (finalStatus) => {
      const uniqueId = await registered(fixed)
      const before = await ledgerEntry(uniqueId)
      expectRefused(await wallet.finalize(uniqueId, '25.00', { finalStatus }), 6110, 1)
      expect(await ledgerEntry(uniqueId)).toEqual(before)
      expect(told(await wallet.finalize(uniqueId, '25.00')).status).toBe('SUCCESS')
    },
  )

  test.each(['abc', '', '25,00', ' ', '1 000', true, null, {}, [], [25]])(
    'the amount %j is refused and moves nothing',
    async (amount) => {
      const uniqueId = await registered(fixed)
      expectRefused(await wallet.finalize(uniqueId, amount), 6110, 1)
      expect(await here.walletEntry(uniqueId)).toMatchObject({ executions: 0 })
    },
  )

  test('an id that is no UUID registers an order and finalizes none', async () => {
    const uniqueId = `order ${randomUUID()}`
    expect(told(await wallet.create(fixed, uniqueId))).toMatchObject({ uniqueId, status: 'REGISTERED' })
    expectRefused(await wallet.finalize(uniqueId, '25.00'), 6110, 1)
    expect(told(await wallet.details(uniqueId)).status).toBe('REGISTERED')
    expectSealed(await wallet.delete(uniqueId))
  })

  test('an id need not be a UUID of version 4', async () => {
    const uniqueId = '5a9db0c0-0777-1a11-8c11-000000000777'
    expect(told(await wallet.create(fixed, uniqueId)).status).toBe('REGISTERED')
    expect(told(await wallet.finalize(uniqueId, '25.00')).status).toBe('SUCCESS')
  })
})

describe('a repeated id', () => {
  const states: readonly (readonly [string, () => Promise<string>])[] = [
    ['registered', () => registered(fixed)],
    ['finalised', () => finalized(fixed, '25.00')],
    ['expired', () => expired(fixed)],
    ['deleted', () => deleted(fixed)],
    ['rejected', () => rejected(qrOpen(blockedUser))],
  ]

  test.each(states)('of a %s order is refused and changes nothing', async (_state, prepared) => {
    const uniqueId = await prepared()
    const before = await ledgerEntry(uniqueId)
    expectRefused(await wallet.create(open, uniqueId), 6109, 1)
    expectRefused(await wallet.create(open, uniqueId.toUpperCase()), 6109, 1)
    expect(await ledgerEntry(uniqueId)).toEqual(before)
  })

  test('one that was refused for its form is free', async () => {
    const uniqueId = randomUUID()
    expectRefused(await wallet.send(createWalletOrder, { ...wallet.ids, uniqueId }), 6109, 1)
    expect(told(await wallet.create(fixed, uniqueId)).status).toBe('REGISTERED')
  })
})

describe('details and deletion', () => {
  const states: readonly (readonly [string, () => Promise<string>, string, string | undefined, boolean])[] = [
    ['registered with an amount', () => registered(fixed), 'REGISTERED', '25.00', false],
    ['registered without an amount', () => registered(open), 'REGISTERED', undefined, false],
    ['finalised', () => finalized(open, '12.34'), 'SUCCESS', '12.34', true],
    ['expired', () => expired(fixed), 'FAILED', '25.00', false],
    ['deleted', () => deleted(fixed), 'FAILED', '25.00', false],
    ['rejected', () => rejected(qrOpen(blockedUser)), 'FAILED', undefined, false],
  ]

  test.each(states)('the details of a %s order', async (_state, prepared, status, amount, isFinalised) => {
    const uniqueId = await prepared()
    const heard = await wallet.details(uniqueId)
    expectSealed(heard)
    const { createdAt, finalisedAt, ...rest } = told(heard)
    expect(rest).toEqual({ uniqueId, status, ...(amount === undefined ? {} : { amount }) })
    expect(createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?$/)
    expect(finalisedAt !== undefined).toBe(isFinalised)
  })

  test('times are those of the clock, in the zone of the service', async () => {
    const uniqueId = await registered(fixed)
    const local = (moment: number) => new Date(moment + 4 * 60 * minute).toISOString().slice(0, 19)
    const created = clock.now()
    clock.forward(minute)
    await wallet.finalize(uniqueId, '25.00')
    const { createdAt, finalisedAt } = told(await wallet.details(uniqueId))
    expect([createdAt?.slice(0, 19), finalisedAt?.slice(0, 19)]).toEqual([local(created), local(created + minute)])
  })

  test('deleting a registered order cancels it', async () => {
    const uniqueId = await registered(fixed)
    const heard = await wallet.delete(uniqueId)
    expectSealed(heard)
    expect(Object.keys(heard.value).toSorted()).toEqual(['status', 'uniqueId'])
    expect(told(heard)).toEqual({ uniqueId, status: 'CANCELED' })
    expect(await here.walletEntry(uniqueId)).toMatchObject({ status: 'FAILED', executions: 0 })
  })

  const final: readonly (readonly [string, () => Promise<string>])[] = [
    ['finalised', () => finalized(fixed, '25.00')],
    ['expired', () => expired(fixed)],
    ['deleted', () => deleted(fixed)],
    ['rejected', () => rejected(qrOpen(blockedUser))],
  ]

  // The code of this refusal is not known: 6110 is assumed.
  test.each(final)('deleting a %s order is refused and changes nothing', async (_state, prepared) => {
    const uniqueId = await prepared()
    const before = await ledgerEntry(uniqueId)
    expectRefused(await wallet.delete(uniqueId), 6110, 1)
    expect(await ledgerEntry(uniqueId)).toEqual(before)
  })

  test('an order that was never created is not found', async () => {
    expectRefused(await wallet.details(randomUUID()), 6045, 5)
    expectRefused(await wallet.delete(randomUUID()), 6045, 5)
  })

  test('a finalised order stays so', async () => {
    const uniqueId = await finalized(open, '12.34')
    clock.forward(10 * day)
    expect(told(await wallet.details(uniqueId))).toMatchObject({ status: 'SUCCESS', amount: '12.34' })
  })

  test('answers repeat the id to the letter', async () => {
    const uniqueId = randomUUID().toUpperCase()
    const answers = [
      await wallet.create(fixed, uniqueId),
      await wallet.details(uniqueId),
      await wallet.finalize(uniqueId, '25.00'),
    ]
    for (const answer of answers) expect(answer.value.uniqueId).toBe(uniqueId)
  })

  test('an id in capitals is the same one', async () => {
    const uniqueId = await registered(fixed)
    const capitals = uniqueId.toUpperCase()
    expect(told(await wallet.details(capitals)).status).toBe('REGISTERED')
    expect(told(await wallet.finalize(capitals, '25.00')).status).toBe('SUCCESS')
    expect(told(await wallet.finalize(uniqueId, '25.00')).status).toBe('ALREADY_FINALISED')
    expect(await here.walletEntry(uniqueId)).toMatchObject({ executions: 1 })
  })
})

describe('the sender', () => {
  const payloads: readonly (readonly [string, Operation, () => Fields])[] = [
    ['create', createWalletOrder, () => ({ ...wallet.ids, uniqueId: randomUUID(), uri: fixed })],
    [
      'finalize',
      finalizeWalletOrder,
      () => ({ ...wallet.ids, uniqueId: randomUUID(), amount: 25, finalStatus: 'SUCCESS' }),
    ],
    ['delete', cancelWalletOrder, () => ({ ...wallet.ids, uniqueId: randomUUID() })],
    ['details', walletOrderDetails, () => ({ ...wallet.ids, uniqueId: randomUUID() })],
  ]

  test.each(payloads)('identifiers that differ are refused: %s', async (_what, operation, payload) => {
    expectRefused(await wallet.send(operation, { ...payload(), identifier: nobody }), 6044, 5)
  })

  test.each(payloads)('an unknown outer identifier is refused: %s', async (_what, operation, payload) => {
    const members = { ...wallet.envelope(writeJson(payload())), identifier: nobody }
    expectRefused(await wallet.sendMembers(operation, members), 6044, 5)
  })

  test('an identifier of area B is none of area C', async () => {
    const { party } = await here.integrator('sandbox')
    const members = { ...wallet.envelope(writeJson(payloads[0]?.[2]() ?? {})), identifier: party.identifier }
    expectRefused(await wallet.sendMembers(createWalletOrder, members), 6044, 5)
  })

  test('an identifier in capitals is the same one', async () => {
    const uniqueId = randomUUID()
    const identifier = wallet.party.identifier.toUpperCase()
    const inner = await wallet.send(createWalletOrder, { identifier, uniqueId, uri: fixed })
    expect(told(inner).status).toBe('REGISTERED')
    const members = { ...wallet.envelope(writeJson({ ...wallet.ids, uniqueId })), identifier }
    expect(told(await wallet.sendMembers(walletOrderDetails, members)).status).toBe('REGISTERED')
  })
})

describe('JSON of other languages', () => {
  const texts: readonly (readonly [string, (uniqueId: string) => string])[] = [
    [
      'blanks after colons and commas',
      (id) =>
        `{"identifier": "${wallet.party.identifier}", "uniqueId": "${id}", "amount": 25.0, "finalStatus": "SUCCESS"}`,
    ],
    [
      'line breaks and tabs',
      (id) =>
        `{\r\n\t"finalStatus":"SUCCESS",\r\n\t"amount":25.00,\r\n\t"uniqueId":"${id}",\r\n\t"identifier":"${wallet.party.identifier}"\r\n}`,
    ],
    [
      'a whole number',
      (id) => `{"identifier":"${wallet.party.identifier}","uniqueId":"${id}","amount":25,"finalStatus":"SUCCESS"}`,
    ],
    [
      'an exponent',
      (id) => `{"identifier":"${wallet.party.identifier}","uniqueId":"${id}","amount":2.5E1,"finalStatus":"SUCCESS"}`,
    ],
    [
      'a number as text',
      (id) => `{"identifier":"${wallet.party.identifier}","uniqueId":"${id}","amount":"25.00","finalStatus":"SUCCESS"}`,
    ],
    [
      'escaped letters',
      (id) =>
        `{"identifier":"${wallet.party.identifier}","uniqueId":"${id}","amount":25,"finalStatus":"\\u0053UCCESS"}`,
    ],
  ]

  test.each(texts)('a payload with %s', async (_what, text) => {
    const uniqueId = await registered(fixed)
    expect(told(await wallet.send(finalizeWalletOrder, text(uniqueId))).status).toBe('SUCCESS')
  })

  test('a final status with a blank before it, as samples of guides have it', async () => {
    const uniqueId = await registered(fixed)
    expect(told(await wallet.finalize(uniqueId, '25.00', { finalStatus: ' SUCCESS' })).status).toBe('SUCCESS')
    expect(await here.walletEntry(uniqueId)).toMatchObject({ executions: 1 })
  })
})

test('money has moved for finalised orders only, once for each', async () => {
  const { walletOrders } = await here.sandbox.ledger()
  expect(walletOrders.length).toBeGreaterThan(100)
  for (const { status, executions } of walletOrders) expect(executions).toBe(status === 'SUCCESS' ? 1 : 0)
})

test('a receiver who has had all of its limit gets no more that day', async () => {
  await limitUsedUp()
  const uniqueId = await registered(qrOpen(limitedUser))
  expect(told(await wallet.finalize(uniqueId, '0.10')).status).toBe('RECEIVER_REACHED_LIMIT')
  expect(await here.walletEntry(uniqueId)).toMatchObject({ executions: 0 })
})
