/** `payout create --payee`: a listed payee by its name, and never another one. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { beneficiaryIban, create, type Flags, flags } from '../../kit/payment.ts'
import { answers, atTerminal, newHome, paydesk, succeeds } from '../../kit/program.ts'
import { ledgerOf } from '../../kit/world.ts'

const otherIban = 'GE18SB1000000000000014'
const details = {
  'beneficiary-identity-number': '01001000001',
  'beneficiary-address': 'Tbilisi',
  'birth-date': '29.02.1988',
}
const branch = { 'receiver-type': 'BRANCH', 'receiver-id': '5a9db0c0-0301-4a11-8c11-000000000301' }
const nino = { 'beneficiary-name': 'Nino Beridze', 'to-iban': beneficiaryIban }

async function listed(...payees: readonly Flags[]) {
  const home = newHome()
  const ids: string[] = []
  for (const each of payees) {
    const added = await succeeds(paydesk(['payee', 'add', '-p', 'sandbox', ...flags(each), '--json'], { home }))
    ids.push(String(added.json.payeeId))
  }
  return { home, ids }
}

/** `payout create --payee`, by a script. */
const pay = (home: string, payee: string, more: Flags = {}) =>
  paydesk([...create({ 'to-iban': null, 'beneficiary-name': null, payee, ...more }), '--json'], { home })

/** The body that a dry run tells. */
async function bodyOf(home: string, payee: string, more: Flags = {}) {
  const { json, stderr } = await pay(home, payee, { 'dry-run': true, yes: null, ...more })
  expect(json, stderr).toBeTruthy()
  return JSON.parse(String(json.body))
}

test('payout create --payee: name, account, identity number, address and birth date of the payee are sent, and JSON names it', async () => {
  const { home, ids } = await listed({ ...nino, ...details })
  expect(await bodyOf(home, 'nino beridze')).toMatchObject({
    ...{ beneficiaryName: 'Nino Beridze', toIban: beneficiaryIban, beneficiaryIdentityNumber: '01001000001' },
    ...{ beneficiaryAddress: 'Tbilisi', birthDate: '29.02.1988', amount: 12.5 },
  })
  const paid = await pay(home, 'Nino Beridze')
  expect(paid.json, paid.stderr).toMatchObject({
    ...{ outcome: 'accepted', payee: beneficiaryIban, namedPayee: { payeeId: ids[0], name: 'Nino Beridze' } },
  })
  expect(await ledgerOf(home)).toMatchObject([{ executions: 1 }])
})

test('payout create --payee: a registered receiver, an account and a payee id name a payee too', async () => {
  const { home, ids } = await listed(nino, { ...branch, 'beneficiary-name': 'Kiosk' })
  expect(await bodyOf(home, 'Kiosk')).toMatchObject({ receiverType: 'BRANCH', receiverId: branch['receiver-id'] })
  expect(await bodyOf(home, 'ge29 nb00 0000 0101 9049 17')).toMatchObject({ beneficiaryName: 'Nino Beridze' })
  expect(await bodyOf(home, ids[0] ?? '')).toMatchObject({ toIban: beneficiaryIban })
})

test.each([
  ['same name', 'Nino Beridze'],
  ['same name in other letters', 'nino \u0412ERIDZE'],
])('payout create --payee: two payees of the %s are refused (2), both told, nothing is sent', async (_, name) => {
  const { home, ids } = await listed(nino, { 'beneficiary-name': name, 'to-iban': otherIban })
  const ended = await pay(home, 'Nino Beridze')
  expect(ended).toMatchObject({ code: 2, stdout: '', error: { moneyMoved: 'no' } })
  for (const each of [...ids, 'GE29 NB00 0000 0101 9049 17', 'GE18 SB10 0000 0000 0000 14']) {
    expect(ended.error.message).toContain(each)
  }
  expect(await ledgerOf(home)).toEqual([])
  expect(await bodyOf(home, ids[1] ?? '')).toMatchObject({ toIban: otherIban })
})

test('payout create --payee: a payee whose name is the account of another one is refused (2) with both told', async () => {
  const { home, ids } = await listed(nino, { 'beneficiary-name': beneficiaryIban, 'to-iban': otherIban })
  const ended = await pay(home, beneficiaryIban)
  expect(ended.code).toBe(2)
  for (const id of ids) expect(ended.error.message).toContain(id)
})

test.each(['Nino', 'Beridze', '', '.', 'p-000000000000'])(
  'payout create --payee %j: only a whole name, account or id names a payee (6)',
  async (typed) => {
    const { home } = await listed(nino, { 'beneficiary-name': '-', 'to-iban': otherIban })
    expect(await pay(home, typed)).toMatchObject({ code: 6, error: { moneyMoved: 'no' } })
    expect(await ledgerOf(home)).toEqual([])
  },
)

test('payout create --payee: a part of a name pays nobody, and names the payees that have it', async () => {
  const { home, ids } = await listed(nino)
  const ended = await pay(home, 'nino')
  expect(ended).toMatchObject({ code: 6, error: { moneyMoved: 'no' } })
  expect(String(ended.error.hints)).toContain(`${ids[0]} (Nino Beridze, GE29 NB00`)
})

test('payout create --payee: in a home without a journal it is not found (6), and a dry run makes no journal', async () => {
  const home = newHome()
  expect(await pay(home, 'Nino', { 'dry-run': true, yes: null })).toMatchObject({ code: 6 })
  expect(await pay(home, 'Nino')).toMatchObject({ code: 6 })
})

test.each<[string, Flags, string]>([
  [
    'another IBAN',
    { 'to-iban': otherIban },
    '--to-iban is GE18SB1000000000000014, but the payee Nino Beridze has another one',
  ],
  ['another name', { 'beneficiary-name': 'Giorgi' }, '--beneficiary-name is Giorgi'],
  ['another identity number', { 'beneficiary-identity-number': '01001000002' }, '--beneficiary-identity-number is 0'],
  ['another address', { 'beneficiary-address': 'Batumi' }, '--beneficiary-address is Batumi'],
  ['another currency', { currency: 'USD' }, '--currency is USD'],
  ['a registered receiver', branch, '--to-iban or a registered receiver: give one, not both'],
])('payout create --payee: %s beside it is refused (2), and nothing is sent', async (_, more, words) => {
  const { home } = await listed({ ...nino, ...details, currency: 'GEL' })
  const ended = await pay(home, 'Nino Beridze', more)
  expect(ended).toMatchObject({ code: 2, error: { moneyMoved: 'no' } })
  expect(ended.error.message).toContain(words)
  const file = join(newHome(), 'payout.json')
  const fields = Object.entries(more).map(([name, value]) => [
    name.replace(/-./g, (letter) => letter.slice(1).toUpperCase()),
    value,
  ])
  writeFileSync(file, JSON.stringify(Object.fromEntries(fields)))
  const none = Object.fromEntries(Object.keys(more).map((name) => [name, null]))
  expect(await pay(home, 'Nino Beridze', { ...none, file })).toMatchObject({ code: 2 })
  expect(await ledgerOf(home)).toEqual([])
})

test('payout create --payee: flags that say the same are fine, and a payee without a currency leaves it to the flags', async () => {
  const { home } = await listed(nino)
  expect(
    await bodyOf(home, 'Nino Beridze', { 'to-iban': 'ge29 nb00 0000 0101 9049 17', currency: 'USD' }),
  ).toMatchObject({ currency: 'USD' })
  const ended = await pay(home, 'Nino Beridze', { amount: null, currency: null })
  expect(ended.code).toBe(2)
  expect(ended.error.message).toContain('--amount is required')
  expect(ended.error.message).toContain('--currency is required')
})

test('payout create --payee at a terminal: the rest is asked, and the question names the payee with its id', async () => {
  const { home, ids } = await listed({ ...nino, ...details, currency: 'GEL' })
  const ended = await atTerminal(
    ['payout', 'create', '-p', 'sandbox', '--payee', 'Nino Beridze'],
    { home },
    [/How much/, '12.50\r'],
    [/What is it for/, 'Salary\r'],
    [/Send it\?/, 'no\r'],
  )
  expect(ended.code, ended.stderr).toBe(3)
  for (const words of [
    'Nino Beridze, GE29',
    `in the list of payees (${ids[0]})`,
    'identity number 01001000001',
    'Tbilisi',
  ]) {
    expect(ended.log).toContain(words)
  }
  expect(ended.log).not.toContain('In which currency')
})

test('payout create --payee at a terminal: a contradiction is told before anything is asked', async () => {
  const { home } = await listed(nino)
  const asked = ['payout', 'create', '-p', 'sandbox', '--payee', 'Nino Beridze', '--to-iban', otherIban]
  const ended = await paydesk(asked, { home, terminal: true })
  expect(ended).toMatchObject({ code: 2 })
  expect(ended.stderr).toContain('--to-iban is')
})

test('payout create at a terminal: a payee that is chosen brings its details', async () => {
  const { home } = await listed({ ...nino, ...details })
  const bare = create({ yes: null, 'to-iban': null, 'beneficiary-name': null })
  const ended = await paydesk([...bare, '--dry-run', '--query', 'body', '--json'], {
    ...{ home, terminal: true, dialogue: answers([/Who is paid\?[\s\S]*Nino/, '\x1b[B\r']) },
  })
  expect(ended.code, ended.stderr).toBe(0)
  expect(JSON.parse(JSON.parse(ended.stdout))).toMatchObject({ beneficiaryAddress: 'Tbilisi' })
})

test('payout create --payee: a second run under its key is replayed, and one after the payee has changed is refused (7)', async () => {
  const { home } = await listed(nino)
  expect(await pay(home, 'Nino Beridze', { key: 'k-1' })).toMatchObject({ code: 0 })
  const again = await pay(home, 'Nino Beridze', { key: 'k-1' })
  expect(again.json, again.stderr).toMatchObject({ replayed: true, namedPayee: { name: 'Nino Beridze' } })
  const edited = await paydesk(['payee', 'edit', 'Nino Beridze', '-p', 'sandbox', '--to-iban', otherIban, '--json'], {
    home,
  })
  expect(edited.json, edited.stderr).toMatchObject({ account: otherIban, changed: ['toIban'] })
  expect(await pay(home, 'Nino Beridze', { key: 'k-1' })).toMatchObject({ code: 7 })
  expect(await ledgerOf(home)).toHaveLength(1)
})

test.each([
  [
    'sandbox-receiver',
    /Who is paid\?[\s\S]*Rustaveli Branch, BRANCH/,
    { receiverType: 'BRANCH', receiverId: '5a9db0c0-0011-4a11-8c11-000000000011' },
  ],
  ['sandbox', /Who is paid\?[\s\S]*sandbox-receiver, GE02/, { toIban: 'GE02SB1000000000000011' }],
])('payout create at a terminal: %s offers whom the sandbox knows', async (profile, question, body) => {
  const home = newHome()
  const bare = create({ yes: null, profile, 'to-iban': null, 'beneficiary-name': null })
  const ended = await paydesk([...bare, '--dry-run', '--query', 'body', '--json'], {
    ...{ home, terminal: true, dialogue: answers([question, '\x1b[B\r']) },
  })
  expect(ended.code, ended.stderr).toBe(0)
  expect(JSON.parse(JSON.parse(ended.stdout))).toMatchObject(body)
  const machine = await paydesk([...bare, '--yes', '--json'], { home })
  expect(machine).toMatchObject({ code: 2 })
})
