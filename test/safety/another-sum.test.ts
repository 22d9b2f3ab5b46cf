/** An answer that names another sum or currency than the one that was sent does not say that this one was executed. */
import { describe, expect, test } from 'vitest'
import { JsonNumber } from '../../src/lib/contract/core/decimal.ts'
import { beneficiaryIban } from '../kit/payment.ts'
import { broken, foreignOrder, type HandDesk, handDesk, handOrder } from '../kit/service/hand-desk.ts'
import { handPayout } from '../kit/service/hand-payout.ts'
import { answeredWith, cardToken, sealedWrites } from '../kit/service/hand-writes.ts'
import type { Said } from '../kit/service/sealed-by-hand.ts'
import { json } from '../kit/service/service-by-hand.ts'

const number = (text: string) => new JsonNumber(text)
const order = { integratorOrderId: handOrder }
const create = ['order', 'create', '--amount', '12.50', '--receiver-id', foreignOrder, '--yes']
const finalize = [
  'wallet',
  'finalize',
  '--unique-id',
  handOrder,
  '--amount',
  '25',
  '--final-status',
  'SUCCESS',
  '--yes',
]
const complete = ['order', 'complete', handOrder, '--amount', '5', '--yes']

interface Write {
  readonly operation: string
  readonly argv: readonly string[]
  readonly done: Readonly<Record<string, unknown>>
  /** Members that repeat the sum, as they may be written. */
  readonly same: readonly Readonly<Record<string, unknown>>[]
  readonly sum: string
}

const writes: Readonly<Record<string, Write>> = {
  'wallet finalize': {
    operation: 'wallet.finalize',
    argv: finalize,
    done: { uniqueId: handOrder, status: 'SUCCESS' },
    same: [{ amount: number('25') }, { amount: '25.00' }, { Amount: number('2.50e1') }, { amount: null }],
    sum: '25.00',
  },
  'order create': {
    operation: 'order.create',
    argv: [...create, '--integrator-order-id', handOrder],
    done: { ...order, urlForQR: 'https://pay.example/1' },
    same: [{ amount: number('12.5') }, { amount: '12.500', currency: 'GEL' }, { currency: null }],
    sum: '12.50',
  },
  'order refund': {
    operation: 'order.refund',
    argv: ['order', 'refund', handOrder, '--amount', '5', '--key', 'R', '--yes'],
    done: { ...order, status: 'REFUND_REQUESTED' },
    same: [{ amount: number('5') }, { amount: '5.00', currency: 'GEL' }],
    sum: '5.00',
  },
  'order complete': {
    operation: 'order.complete',
    argv: complete,
    done: { ...order, status: 'SUCCESS' },
    same: [{ amount: number('5') }, { amount: ' 5.00 ' }],
    sum: '5.00',
  },
}

const unreadable = [number('1e999'), '1e999', {}, [], '', 'five', true, number('-5'), number('0')]

describe.each(Object.entries(writes))('%s', (_name, { operation, argv, done, same, sum }) => {
  const answeredWith = async (more: object) => {
    const desk = await handDesk(({ name }) => (name === operation ? { value: { ...done, ...more } } : broken))
    return { desk, ended: await desk.run(...argv) }
  }

  test('is no definite answer with another amount; both are told, and no repeat makes it one', async () => {
    const { desk, ended } = await answeredWith({ amount: number('99') })
    expect(ended, ended.stdout).toMatchObject({ code: 9, stdout: '', error: { moneyMoved: 'unknown' } })
    expect(ended.error.message).toContain(`amount is 99.00, not ${sum}`)
    expect(desk.count(operation)).toBe(1)
    const again = await desk.run(...argv)
    expect(again, again.stdout).toMatchObject({ code: 9, stdout: '', error: { moneyMoved: 'unknown' } })
    expect(desk.count(operation)).toBe(1)
  })

  test('is no definite answer with another currency, in whichever member it stands', async () => {
    for (const more of operation === 'order.create' ? [{ currency: 'USD' }, { initialCurrency: 'USD' }] : []) {
      const { ended } = await answeredWith(more)
      expect(ended, JSON.stringify(more) + ended.stdout).toMatchObject({ code: 9, stdout: '' })
    }
  })

  test('is no definite answer with an amount that cannot be read', async () => {
    for (const amount of unreadable) {
      const { ended } = await answeredWith({ amount })
      expect(ended, JSON.stringify(amount) + ended.stdout).toMatchObject({ code: 9, stdout: '' })
    }
  })

  test('is done where the sum is the same, however it is written, or not told', async () => {
    for (const more of [{}, ...same]) {
      const { ended } = await answeredWith(more)
      expect(ended.code, JSON.stringify(more) + ended.stderr).toBe(0)
      expect(ended.json).toMatchObject({ outcome: 'accepted', sumConfirmed: true })
    }
  })
})

test('an order that goes to another receiver, or is charged to another card, is not the one that was sent', async () => {
  const charge = sealedWrites['a charge of a card']
  if (!charge) throw new Error('no charge')
  for (const [more, told] of [
    [{ receiverId: handOrder }, `receiverId is ${handOrder}, not ${foreignOrder}`],
    [{ value: { ...charge.done, receiver_id: handOrder } }, `receiverId is ${handOrder}, not ${foreignOrder}`],
    [{ cardToken: cardToken.replace('4', '5') }, 'speaks of another card'],
  ] as const) {
    const { ended } = await answeredWith(charge, { ...charge.done, ...more })
    expect(ended, ended.stdout).toMatchObject({ code: 9, stdout: '', error: { moneyMoved: 'unknown' } })
    expect(ended.error.message).toContain(told)
  }
  const same = { receiverId: foreignOrder.toUpperCase(), cardToken: cardToken.toUpperCase() }
  expect((await answeredWith(charge, { ...charge.done, ...same })).ended.code).toBe(0)
})

describe('the currency of an order that was created here', () => {
  const create = ['order', 'create', '--amount', '12.50', '--receiver-id', foreignOrder, '--yes']
  test.each([
    ['refund', 'REFUND_REQUESTED'],
    ['complete', 'SUCCESS'],
  ])('holds for its %s, too', async (change, status) => {
    const desk = await handDesk(({ name }) => {
      if (name === 'order.create') return { value: { ...order, urlForQR: 'https://pay.example/1' } }
      return name === `order.${change}` ? { value: { ...order, status, currency: 'USD' } } : broken
    })
    expect((await desk.run(...create, '--integrator-order-id', handOrder)).code).toBe(0)
    const argv = ['order', change, handOrder, '--amount', '5', '--yes']
    const ended = await desk.run(...argv, ...(change === 'refund' ? ['--key', 'c'] : []))
    expect(ended, ended.stdout).toMatchObject({ code: 9, stdout: '', error: { moneyMoved: 'unknown' } })
    expect(ended.error.message).toContain('currency is USD, not GEL')
  })
})

test('a read that shows this sum does not outweigh an answer that named another', async () => {
  const desk = await handDesk(({ name }): Said => {
    const own = { uniqueId: handOrder, status: 'SUCCESS' }
    return { value: { ...own, amount: number(name === 'wallet.finalize' ? '13' : '25') } }
  })
  for (const ended of [await desk.run(...finalize), await desk.run(...finalize)]) {
    expect(ended, ended.stdout).toMatchObject({ code: 9, stdout: '', error: { moneyMoved: 'unknown' } })
    expect(ended.error.message).toContain('amount is 13.00, not 25.00')
  }
  // It waits for a person, and is told as open.
  expect((await desk.run('journal', 'show', handOrder)).json).toMatchObject({ state: 'unknown' })
  expect(desk.count('wallet.finalize')).toBe(1)
})

test('a wallet order in another currency than its QR code has is not the one that was finalized', async () => {
  const uri = `https://pay.example/pay?qrType=REQUEST&receiverType=USER&receiverId=${foreignOrder}&amount=25.00&currency=GEL`
  const register = ['wallet', 'create', '--uri', uri, '--unique-id', handOrder, '--yes']
  const own = { uniqueId: handOrder, status: 'SUCCESS' }
  const inDollars = { ...own, amount: number('25'), currency: 'USD' }
  const answers = (finalized: object) => (name: string) => {
    if (name === 'wallet.create') return { ...own, status: 'REGISTERED', amount: number('25'), receiverName: 'Nino' }
    return name === 'wallet.finalize' ? finalized : inDollars
  }
  const desk = await handDesk(({ name }): Said => ({ value: answers(own)(name) }))
  const made = await desk.run(...register)
  expect(made.code, made.stderr).toBe(0)
  expect((await desk.run(...finalize)).code).toBe(0)
  const read = await desk.run('wallet', 'details', handOrder)
  expect(read, read.stdout).toMatchObject({ code: 7, stdout: '' })
  expect(read.error.message).toContain('currency is USD, not GEL')
  const other = await handDesk(({ name }): Said => ({ value: answers(inDollars)(name) }))
  expect((await other.run(...register)).code).toBe(0)
  expect(await other.run(...finalize)).toMatchObject({ code: 9, stdout: '', error: { moneyMoved: 'unknown' } })
})

test('a wallet order that is shown as failed after it was finalized is told so, and its finalize is unknown from then on', async () => {
  const desk = await handDesk(({ name }): Said => {
    const own = { uniqueId: handOrder, status: 'SUCCESS' }
    return { value: name === 'wallet.finalize' ? own : { ...own, status: 'FAILED' } }
  })
  expect((await desk.run(...finalize)).code).toBe(0)
  const read = await desk.run('wallet', 'details', handOrder)
  expect([read.code, String(read.json.warnings)]).toEqual([
    0,
    expect.stringContaining('answered SUCCESS, and shows FAILED since'),
  ])
  const again = await desk.run(...finalize)
  expect(again, again.stderr).toMatchObject({ code: 9, stdout: '', error: { moneyMoved: 'unknown', status: 'FAILED' } })
  expect(desk.count('wallet.finalize')).toBe(1)
})

test.each([{ error: null }, { errors: [] }, { error: '' }, { success: true }, { error: {} }])(
  'a success that says %j is done',
  async (more) => {
    for (const { operation, argv, done } of Object.values(writes)) {
      const desk = await handDesk(({ name }) => (name === operation ? { value: { ...done, ...more } } : broken))
      expect((await desk.run(...argv)).code, operation).toBe(0)
    }
  },
)

describe('a payout', () => {
  const accepted = { transactionId: 4711, status: 'INITIAL', uniqueId: handOrder, createdAt: '2026-11-20T10:00:00' }
  const isCreate = (path: string) => path === '/api/distributor'
  const another = 'GE60NB0000000123456789'

  test.each([
    [{ amount: 9999 }, 'amount is 9999.00, not 12.50'],
    [{ amount: 12.5, currency: 'USD' }, 'currency is USD, not GEL'],
    [{ value: { ...accepted, amount: '99' } }, 'amount is 99.00, not 12.50'],
    [{ amount: {} }, 'amount is {}, not 12.50'],
    [{ toIban: another }, `toIban is ${another}, not ${beneficiaryIban}`],
    [{ TOIBAN: another }, `toIban is ${another}, not ${beneficiaryIban}`],
    [{ value: accepted, to_iban: another }, `toIban is ${another}, not ${beneficiaryIban}`],
    [{ beneficiaryName: 'Another' }, 'beneficiaryName is Another, not '],
  ])('answered with %j has no definite answer, though the id is taken the next time', async (more, told) => {
    const desk = await handPayout(({ path }, count) => {
      if (!isCreate(path)) return undefined
      return count === 1 ? json({ ...accepted, ...more }) : json({ message: 'Duplicate', statusCode: 5017 }, 400)
    })
    for (const ended of [await desk.pay(), await desk.pay()]) {
      expect(ended, ended.stdout).toMatchObject({ code: 9, stdout: '', error: { moneyMoved: 'unknown' } })
      expect(ended.error.message).toContain(told)
    }
    expect(desk.creates()).toBe(1)
    const [known] = JSON.parse((await desk.run('journal', 'list')).stdout)
    expect(await desk.run('resume', String(known?.journalId))).toMatchObject({ code: 9, stdout: '' })
    const words = ['--settle', 'executed', '--because', 'the statement shows it', '--yes']
    expect((await desk.run('resume', String(known?.journalId), ...words)).code).toBe(0)
  })

  test('answered with its own sum is accepted', async () => {
    const desk = await handPayout(({ path }) =>
      isCreate(path) ? json({ ...accepted, amount: '12.5', currency: 'gel' }) : undefined,
    )
    expect((await desk.pay()).json).toMatchObject({ outcome: 'accepted', sumConfirmed: true })
  })

  test('answered with another sum is resolved by the details that show its own', async () => {
    const asked = { amount: 12.5, currency: 'GEL', toIban: beneficiaryIban, paymentDescription: 'Salary, November' }
    const desk = await handPayout(({ path }) => {
      if (isCreate(path)) return json({ ...accepted, amount: 99 })
      return path === '/api/distributor/details' ? json({ value: { ...accepted, ...asked } }) : undefined
    })
    const told = await desk.pay()
    expect(told).toMatchObject({ code: 9, stdout: '' })
    expect(told.error.message).toContain('amount is 99.00, not 12.50 (transactionId 4711)')
    expect(told.stderr).toContain(`paydesk payout reconcile ${handOrder} --transaction-id`)
    const found = await desk.run('payout', 'reconcile', handOrder, '--transaction-id', '4711')
    expect(found.code, found.stderr).toBe(0)
    expect(found.json).toMatchObject({ outcome: 'accepted', sumConfirmed: true })
    expect((await desk.pay()).json).toMatchObject({ outcome: 'accepted', replayed: true, sumConfirmed: true })
    expect(desk.creates()).toBe(1)
  })

  test('whose details showed another sum while it was open is not resolved by the taken id', async () => {
    const desk = await handPayout(({ path }, count) => {
      if (isCreate(path)) return count < 9 ? 'reset' : json({ message: 'Duplicate', statusCode: 5017 }, 400)
      if (path !== '/api/distributor/details') return undefined
      return json({ value: { ...accepted, amount: 99, currency: 'GEL', toIban: null, paymentDescription: 'x' } })
    })
    expect((await desk.pay()).code).toBe(9)
    expect((await desk.run('payout', 'get', '4711')).code).toBe(7)
    const again = await desk.pay()
    expect(again, again.stdout).toMatchObject({ code: 7, error: { moneyMoved: 'unknown' } })
  })
})

test('a charge of a saved card in another currency has no definite answer', async () => {
  const desk = await handDesk(({ name }) => {
    if (name === 'card.get') return { value: { token: foreignOrder, cardMask: '4***1', ...order } }
    return name === 'order.create' ? { value: { ...order, currency: 'USD' } } : broken
  })
  const ended = await desk.run(...create, '--integrator-order-id', handOrder, '--card-from-order', foreignOrder)
  const asked = await desk.run(...create, '--integrator-order-id', handOrder, '--card-from-order', handOrder)
  expect(ended.code).toBe(9)
  expect(asked, asked.stdout).toMatchObject({ code: 9, stdout: '', error: { moneyMoved: 'unknown' } })
  expect(asked.error.message).toContain('currency is USD, not GEL')
})

test('ALREADY_FINALISED with another sum, after a lost answer, is not ours', async () => {
  const desk = await handDesk(({ name, count }) => {
    const known = { uniqueId: handOrder }
    if (name === 'wallet.details') return { value: { ...known, status: 'SUCCESS' } }
    return name === 'wallet.finalize' && count > 1
      ? { value: { ...known, status: 'ALREADY_FINALISED', amount: number('99') } }
      : { plain: 'reset' }
  })
  const ended = await desk.run(...finalize)
  expect(ended, ended.stdout).toMatchObject({ code: 9, stdout: '', error: { moneyMoved: 'unknown' } })
})

describe('a read', () => {
  const shown = (desk: HandDesk, ...argv: readonly string[]) => desk.run(...argv)

  test('of a wallet order that shows another sum than we finalized is 7, and so is the finalize from then on', async () => {
    let details: object = { status: 'SUCCESS', amount: number('99') }
    const desk = await handDesk(({ name }): Said => {
      if (name === 'wallet.finalize') return { value: { uniqueId: handOrder, status: 'SUCCESS' } }
      return { value: { uniqueId: handOrder, ...details } }
    })
    expect((await desk.run(...finalize)).code).toBe(0)
    const read = await shown(desk, 'wallet', 'details', handOrder)
    expect(read, read.stdout).toMatchObject({ code: 7, stdout: '', error: { moneyMoved: 'unknown' } })
    expect(read.error.message).toContain('amount is 99.00, not 25.00')
    for (const again of [await desk.run(...finalize), await desk.run(...finalize)]) {
      expect(again, again.stdout).toMatchObject({ code: 7, stdout: '' })
      expect(again.error.message).toContain('amount is 99.00, not 25.00')
    }
    details = { status: 'SUCCESS', amount: number('25') }
    expect((await shown(desk, 'wallet', 'details', handOrder)).code).toBe(0)
    expect((await desk.run(...finalize)).json).toMatchObject({ outcome: 'accepted', sumConfirmed: true })
  })

  test.each([{}, { amount: number('0') }, { amount: number('25') }])('of a wallet order with %j is 0', async (more) => {
    const desk = await handDesk(({ name }): Said => {
      const own = { uniqueId: handOrder, status: 'SUCCESS' }
      return { value: name === 'wallet.finalize' ? own : { ...own, ...more } }
    })
    expect((await desk.run(...finalize)).code).toBe(0)
    expect((await shown(desk, 'wallet', 'details', handOrder)).code).toBe(0)
  })

  test.each([
    [{ amount: number('99') }, 'amount is 99.00, not 12.50'],
    [{ initialCurrency: 'USD' }, 'initialCurrency is USD, not GEL'],
    [{ currency: 'USD' }, 'currency is USD, not GEL'],
    [{ amount: {} }, 'amount is {}, not 12.50'],
  ])('of an order that shows %j is 7, and so is its creation from then on', async (more, told) => {
    const desk = await handDesk(({ name }): Said => {
      if (name === 'order.create') return { value: { ...order, urlForQR: 'https://pay.example/1' } }
      return { value: { ...order, status: 'SUCCESS', ...more } }
    })
    const made = [...create, '--integrator-order-id', handOrder]
    expect((await desk.run(...made)).code).toBe(0)
    for (const argv of [['order', 'status', handOrder], ['order', 'wait', handOrder], [...made, '--wait'], made]) {
      const ended = await desk.run(...argv)
      expect(ended, argv.join(' ') + ended.stdout).toMatchObject({ code: 7, stdout: '' })
      expect(ended.error.message).toContain(told)
    }
  })

  test('of an order is 0 where what the card is charged differs, or a pre-authorised one was completed with less', async () => {
    const desk = await handDesk(({ name }): Said => {
      if (name === 'order.create') return { value: { ...order, urlForQR: 'https://pay.example/1' } }
      const charged = { acquiringAmount: number('14'), acquiringCurrency: 'USD' }
      return { value: { ...order, status: 'SUCCESS', amount: number('5'), initialCurrency: 'GEL', ...charged } }
    })
    const made = [...create, '--integrator-order-id', handOrder, '--pay-with-pre-auth']
    expect((await desk.run(...made)).code).toBe(0)
    expect((await desk.run('order', 'status', handOrder)).code).toBe(0)
  })

  test.each([
    ['an order', [...create, '--integrator-order-id', handOrder], 'order.create', { amount: number('99') }],
    [
      'an order in another currency',
      [...create, '--integrator-order-id', handOrder],
      'order.create',
      { initialCurrency: 'USD' },
    ],
    ['a completion', complete, 'order.complete', { amount: number('99') }],
  ])('that shows another sum resolves nothing about the lost answer of %s', async (_what, argv, operation, more) => {
    const desk = await handDesk(
      ({ name }): Said =>
        name === operation ? { plain: 'reset' } : { value: { ...order, status: 'SUCCESS', ...more } },
    )
    const said = 'amount' in more ? /99\.00/ : /USD/
    for (const ended of [
      await desk.run(...argv),
      await desk.run(...argv),
      await desk.run('order', 'status', handOrder),
    ]) {
      if (operation === 'order.complete' && ended.code === 0) continue
      expect(ended, ended.stdout).toMatchObject({ code: 9, stdout: '', error: { moneyMoved: 'unknown' } })
      expect(ended.error.message).toMatch(said)
    }
  })
})

test('a wallet order of another amount than its QR code names is registered, with a warning', async () => {
  const uri = (amount: string) =>
    `https://pay.example/pay?qrType=REQUEST&receiverType=USER&receiverId=${foreignOrder}&amount=${amount}&currency=GEL`
  for (const [amount, warnings] of [
    ['25.00', [expect.stringMatching(/amount.*99\.00.*25\.00/)]],
    ['99', []],
    ['abc', []],
  ] as const) {
    const desk = await handDesk(() => ({
      value: { uniqueId: handOrder, status: 'REGISTERED', amount: number('99'), receiverName: 'Nino' },
    }))
    const made = await desk.run('wallet', 'create', '--unique-id', handOrder, '--uri', uri(amount), '--yes')
    expect(made.json, made.stderr).toMatchObject({ outcome: 'accepted', warnings })
  }
})
