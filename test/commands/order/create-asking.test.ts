/** `order create` at a terminal: what it asks for, what it offers besides, and what counts as consent. */
import { expect, test } from 'vitest'
import { answers, atTerminal, type Ended, paydesk, type Step } from '../../kit/program.ts'
import { cardSaved, ledger, order, place, shop, tamar } from '../../kit/world.ts'

const enter = '\r'
const down = '\u001b[B'

/** Down so many choices, then Enter. */
const choose = (steps: number) => `${down.repeat(steps)}${enter}`

function talk(argv: readonly string[], around: ReturnType<typeof place>, ...steps: readonly Step[]): Promise<Ended> {
  return atTerminal(argv, around, ...steps)
}

const bare = ['order', 'create', '-p', 'sandbox', '--dry-run', '--json']

function payload({ json }: Ended): unknown {
  return json.payload
}

test('order create at a terminal: required fields are asked for in order, without a default for the sum', async () => {
  const ended = await talk(
    bare,
    place(),
    [/How much is to be paid\?|amount:/, enter],
    [/It is required/, `12,50${enter}`],
    [/must be a plain decimal number/, `${'\u007f'.repeat(5)}12.50${enter}`],
    [/Which shop is paid\?[\s\S]*Old Town Shop/, 'another'],
    [/❯ another one/, enter],
    [/Which shop is paid\? Its id/, `${shop.toUpperCase()}${enter}`],
    [/Anything more\?/, enter],
  )
  expect(ended.code, ended.stderr).toBe(0)
  expect(payload(ended)).toEqual({
    amount: 12.5,
    receiverId: shop,
    receiverType: 'BRANCH',
    integratorId: expect.any(String),
    integratorOrderId: expect.any(String),
  })
})

test('order create at a terminal: on the sandbox its receivers are there to choose from, with their names', async () => {
  const ended = await talk(
    bare,
    place(),
    [/How much is to be paid\?/, `5${enter}`],
    [/Which shop is paid\?[\s\S]*Old Town Shop[\s\S]*another one/, `${down}${enter}`],
    [/Anything more\?/, enter],
  )
  expect(ended.code, ended.stderr).toBe(0)
  expect(payload(ended)).toMatchObject({ amount: 5, receiverId: '5a9db0c0-0302-4a11-8c11-000000000302' })
})

test('order create at a terminal: a split is asked for until nothing is left, the own receiver first', async () => {
  const ended = await talk(
    bare,
    place(),
    [/How much is to be paid\?|amount:/, `12.50${enter}`],
    [/Which shop is paid\?/, enter],
    // The list ends with the offers that come last.
    [/Anything more\?/, `${'\u001b[A'.repeat(8)}${enter}`],
    [/12\.50 are left/, `20${enter}`],
    [/is more than the 12\.50/, `\u007f\u007f10.00${enter}`],
    [/receiverType/, choose(1)],
    [/receiverIdentifier/, `nobody${enter}`],
    [/must be a UUID for a USER/, `${'\u007f'.repeat(6)}${tamar}${enter}`],
    [/2\.50 are left/, `2.50${enter}`],
    [/Anything more\?/, enter],
  )
  expect(ended.code, ended.stderr).toBe(0)
  expect(payload(ended)).toMatchObject({
    splitDetails: [
      { receiverType: 'BRANCH', receiverIdentifier: shop, amount: 10 },
      { receiverType: 'USER', receiverIdentifier: tamar, amount: 2.5 },
    ],
  })
})

test('order create at a terminal: the properties that the order type demands are asked for, IS_FOREIGN first', async () => {
  const ended = await talk(
    [...order({ profile: 'sandbox-treasury', 'dry-run': true }), '--property', 'PAYER_NAME=Nino', '--json'],
    place(),
    [/IS_FOREIGN/, enter],
    [/May the payer change IS_FOREIGN/, enter],
    [/PERSONAL_NUMBER/, `123${enter}`],
    [/must be 9 or 11 digits/, `\u007f\u007f\u007f01001000001${enter}`],
    [/May the payer change PERSONAL_NUMBER/, enter],
    [/PURPOSE/, `State fee${enter}`],
    [/May the payer change PURPOSE/, choose(1)],
  )
  expect(ended.code, ended.stderr).toBe(0)
  expect(payload(ended)).toMatchObject({
    orderProperties: {
      IS_FOREIGN: { value: 'false' },
      PERSONAL_NUMBER: { value: '01001000001' },
      PURPOSE: { value: 'State fee', isEditable: true },
      PAYER_NAME: { value: 'Nino' },
    },
  })
})

test('order create at a terminal: a plan brings along the saved card and its bank', async () => {
  const ended = await talk(
    bare,
    place(),
    [/How much is to be paid\?|amount:/, `0${enter}`],
    [/Which shop is paid\?/, enter],
    // No split of nothing: the plan stands before the offers of properties and pre-authorisation.
    [/Anything more\?/, `${'\u001b[A'.repeat(8)}${enter}`],
    [/interval:/, enter],
    [/intervalCount/, `2${enter}`],
    [/price per interval/, `15.00${enter}`],
    [/startDate/, enter],
    [/callbackUrl/, enter],
    [/directLinkProvider/, enter],
    [/Anything more\?/, enter],
  )
  expect(ended.code, ended.stderr).toBe(0)
  expect(payload(ended)).toMatchObject({
    amount: 0,
    saveCard: true,
    directLinkProvider: 'BOG',
    subscriptionPlan: { interval: 'MONTHLY', intervalCount: 2, amount: 15 },
  })
})

test('order create at a terminal: the confirmation names the card that is charged and the split; no is 3', async () => {
  const around = place()
  const saved = await cardSaved(around)
  const split = ['--split', `BRANCH:${shop}=10`, '--split', `USER:${tamar}=2.50`]
  const ended = await talk([...order({ 'card-from-order': saved, yes: null }), ...split], around, [
    /Send it\?/,
    `no${enter}`,
  ])
  expect(ended.code).toBe(3)
  for (const words of [
    'GEL 12.50',
    `BRANCH ${shop}`,
    'charges the saved card 411111******1111 at once',
    `split USER ${tamar}: 2.50`,
    'no real money',
  ]) {
    expect(ended.stderr).toContain(words)
  }
  expect((await ledger(around)).orders).toHaveLength(1)
})

test('order create at a terminal: the confirmation shows the properties and the plan', async () => {
  const around = place()
  const ended = await talk(
    order(
      { amount: '0', yes: null, 'save-card': true, 'direct-link-provider': 'BOG', plan: 'monthly:2:15.00' },
      ...['--property', 'DESCRIPTION=Gym', '--property-editable', 'INVOICE_NUMBER_LABEL=17'],
    ),
    around,
    [/Send it\?/, `no${enter}`],
  )
  expect(ended.stderr).toContain('an order that a payer pays: GEL 15.00 every 2 months')
  expect(ended.stderr).toContain('for the first time at once')
  expect(ended.stderr).toContain('DESCRIPTION Gym')
  expect(ended.stderr).toContain('INVOICE_NUMBER_LABEL 17 (the payer may change it)')
})

test('order create at a terminal: everything that is sent stands above the question', async () => {
  const around = place()
  let screen = ''
  const person = answers([/Send it\?/, `cancel${enter}`])
  const dialogue: typeof person = (drawn, type) => {
    screen = drawn
    person(drawn, type)
  }
  const shown = {
    ...{
      'acquiring-currency': 'USD',
      'distribution-currency': 'EUR',
      'tip-receiver-id': tamar,
      'tip-receiver-type': 'USER',
    },
    ...{ 'success-redirect-uri': 'https://shop.example/paid', 'fail-redirect-uri': 'https://shop.example/failed' },
    ...{ 'callback-uri': 'https://shop.example/callback', 'direct-link-provider': 'TBC', language: 'KA' },
    ...{ 'valid-until': '2099-12-31 23:59:59' },
  }
  const argv = order({ ...shown, yes: null, 'commission-type': 'SENDER' })
  const ended = await paydesk(argv, { ...around, columns: 200, terminal: true, dialogue })
  expect(ended.code, ended.stderr).toBe(3)
  for (const value of [...Object.values(shown), 'the payer pays the commission']) expect(screen).toContain(value)
})

test('order create at a terminal: < goes back from a nested question to the list, and from the list to the question before', async () => {
  const ended = await talk(
    bare,
    place(),
    [/How much is to be paid\?|amount:/, `12.50${enter}`],
    [/Which shop is paid\?/, enter],
    [/Anything more\?/, `${'\u001b[A'.repeat(8)}${enter}`],
    [/12\.50 are left/, `10${enter}`],
    [/receiverType/, '<'],
    [/❯ < back/, enter],
    [/12\.50 are left \(< goes back\)/, `<${enter}`],
    [/Anything more\?/, `\u001b[A${enter}`],
    [/Which shop is paid\?/, '<'],
    [/❯ < back/, enter],
    [/How much is to be paid\?/, `7${enter}`],
    [/Which shop is paid\?/, enter],
    [/Anything more\?/, enter],
  )
  expect(ended.code, ended.stderr).toBe(0)
  expect(payload(ended)).toMatchObject({ amount: 7, receiverId: shop })
  expect(payload(ended)).not.toHaveProperty('splitDetails')
})
