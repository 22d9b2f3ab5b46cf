import { statSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { KnownPayees } from '../../../src/lib/journal/payees.ts'
import { sameName } from '../../../src/lib/text.ts'
import { beneficiaryIban, branch, create, type Flags, flags, mustVerify } from '../../kit/payment.ts'
import { answers, atTerminal, newHome, paydesk, type Surroundings } from '../../kit/program.ts'
import { journalFile, tamper } from '../../kit/store.ts'

const otherIban = 'GE18SB1000000000000014'
const nino = { 'beneficiary-name': 'Nino Beridze', 'to-iban': beneficiaryIban }

const add = (around: Surroundings, given: Flags) =>
  paydesk(['payee', 'add', '-p', 'sandbox', ...flags(given), '--json'], around)

/** Everything that a person sees before the answer to the last question. */
async function screenOf(argv: readonly string[], home: string): Promise<string> {
  let screen = ''
  const type = answers([/Send it\?/, 'no\r'])
  const dialogue = (seen: string, keys: (typed: string) => void) => {
    screen = seen
    type(seen, keys)
  }
  expect((await paydesk(argv, { home, terminal: true, dialogue })).code).toBe(3)
  return screen
}

const asking = (more: Flags = {}) => create({ yes: null, ...more })

test('payee add: a name is listed with its account, in a journal that only the owner can read', async () => {
  const home = newHome()
  const added = await add({ home }, { ...nino, 'to-iban': ' ge29 nb00 0000 0101 9049 17' })
  expect(added.json, added.stderr).toMatchObject({
    payeeId: expect.stringMatching(/^p-[0-9a-f]{12}$/),
    ...{ profile: 'sandbox', name: 'Nino Beridze', account: beneficiaryIban, isNew: true, warnings: [] },
  })
  expect(statSync(journalFile(home)).mode & 0o777).toBe(0o600)
  await mustVerify({ home })
})

test('payee add: the same payee with other capitals and blanks changes nothing', async () => {
  const home = newHome()
  const first = await add({ home }, nino)
  const again = await add({ home }, { ...nino, 'beneficiary-name': ' nino  BERIDZE.' })
  expect(again.json).toEqual({ ...first.json, isNew: false })
})

test('payee add: a registered receiver is listed by its type and id', async () => {
  const home = newHome()
  const receiver = { 'beneficiary-name': 'Branch', 'receiver-id': branch, 'receiver-type': 'BRANCH' }
  expect((await add({ home }, receiver)).json).toMatchObject({ account: `BRANCH ${branch}`, isNew: true })
})

test('payee add: a second account of a name is listed with a warning; an account of another name is refused (7)', async () => {
  const home = newHome()
  await add({ home }, nino)
  const second = await add({ home }, { ...nino, 'to-iban': otherIban })
  expect(second.json).toMatchObject({ isNew: true, warnings: [expect.stringContaining(beneficiaryIban)] })
  const renamed = await add({ home }, { ...nino, 'beneficiary-name': 'Giorgi Beridze' })
  expect(renamed).toMatchObject({ code: 7, error: { moneyMoved: 'no' } })
  expect(renamed.error.message).toContain('is listed as Nino Beridze already')
})

test('payee add: every violation is named by its flag (2)', async () => {
  const ended = await add({ home: newHome() }, { 'to-iban': 'GE29NB0000000101904918' })
  expect(ended.code).toBe(2)
  expect(ended.error.message).toContain('--beneficiary-name is required')
  expect(ended.error.message).toContain('--to-iban has wrong check digits')
})

test('payee add at a terminal: missing fields are asked for', async () => {
  const home = newHome()
  const ended = await atTerminal(
    ['payee', 'add', '-p', 'sandbox'],
    { home },
    [/Who is it\?/, 'Nino Beridze\r'],
    [/To which IBAN\?/, `${beneficiaryIban}\r`],
  )
  expect(ended.code, ended.stderr).toBe(0)
  expect(ended.stdout).toContain('GE29 NB00 0000 0101 9049 17')
})

test('payout create at a terminal: the question tells a new payee, one paid before and a listed one apart', async () => {
  const home = newHome()
  expect(await screenOf(asking(), home)).toContain('NEW: first payment to this account')
  expect((await paydesk(create(), { home })).code).toBe(0)
  const seen = await screenOf(asking({ amount: '2' }), home)
  expect(seen).toContain('not in the list of payees, but paid before')
  expect(seen).not.toContain('NEW')
  await add({ home }, nino)
  const known = await screenOf(asking({ amount: '3' }), home)
  expect(known).toContain('in the list of payees')
  expect(known).not.toContain('CAUTION')
})

test('payout create at a terminal: an account that was paid under another name is warned about first', async () => {
  const home = newHome()
  expect((await paydesk(create(), { home })).code).toBe(0)
  const screen = await screenOf(asking({ 'beneficiary-name': 'Levan Gelashvili' }), home)
  expect(screen).toMatch(/CAUTION: this account was paid before under another name:\s+Nino Beridze/)
})

test('payout create at a terminal: an account paid under another name, and a name listed with another account, are both told', async () => {
  const home = newHome()
  expect((await paydesk(create(), { home })).code).toBe(0)
  await add({ home }, { ...nino, 'beneficiary-name': 'Levan Gelashvili', 'to-iban': otherIban })
  const screen = await screenOf(asking({ 'beneficiary-name': 'Levan Gelashvili' }), home)
  expect(screen).toContain('CAUTION: Levan Gelashvili is listed with another account:')
  expect(screen).toMatch(/CAUTION: this account was paid before under another name:\s+Nino Beridze/)
  expect(screen).not.toContain('but paid before')
})

test('payout create at a terminal: a listed name with another account, or the reverse, is warned about first', async () => {
  const home = newHome()
  await add({ home }, { ...nino, 'to-iban': otherIban })
  const screen = await screenOf(asking(), home)
  expect(screen).toContain('CAUTION: Nino Beridze is listed with another account:')
  const turned = await screenOf(asking({ 'to-iban': otherIban, 'beneficiary-name': 'Levan Gelashvili' }), home)
  expect(turned).toContain('CAUTION: this account is listed for another payee')
  expect(turned).not.toContain('in the list of payees')
  expect(screen).toContain('GE18 SB10 0000 0000 0000 14')
  expect(screen.indexOf('CAUTION')).toBeLessThan(screen.indexOf('Pay GEL'))
  const other = await screenOf(asking({ 'to-iban': otherIban, 'beneficiary-name': 'Giorgi Beridze' }), home)
  expect(other).toMatch(/CAUTION: this account is listed for another payee:\s+Nino Beridze/)
})

test('payout create: the warning about a listed name stands in the receipt and in the error', async () => {
  const home = newHome()
  await add({ home }, { ...nino, 'to-iban': otherIban })
  const alarm = expect.stringContaining('is listed with another account')
  const paid = await paydesk([...create(), '--json'], { home })
  expect(paid.json, paid.stderr).toMatchObject({ outcome: 'accepted', warnings: [alarm] })
  const refused = await paydesk([...create({ yes: null, amount: '2' }), '--json'], { home })
  expect(refused).toMatchObject({ code: 2, error: { warnings: [alarm] } })
})

test('payout create at a terminal: the payees of another profile are not known', async () => {
  const home = newHome()
  await paydesk(['payee', 'add', '-p', 'sandbox-receiver', ...flags(nino)], { home })
  expect(await screenOf(asking(), home)).toContain('NEW')
})

test('payout create: a payee list that was changed outside paydesk is not believed (1), and nothing is sent', async () => {
  const home = newHome()
  await add({ home }, { ...nino, 'to-iban': otherIban })
  tamper(home, `update payees set account = '${beneficiaryIban}'`)
  const ended = await paydesk([...create(), '--json'], { home })
  expect(ended).toMatchObject({ code: 1, error: { moneyMoved: 'no' } })
  expect(ended.error.message).toContain('was changed outside paydesk')
})

test.each([
  ['a zero-width space', 'Ni\u200Bno Beridze'],
  ['a soft hyphen', 'Nino Be\u00ADridze'],
  ['a joiner', 'Nino\u200D Beridze'],
  ['a grapheme joiner', 'Nin\u034Fo Beridze'],
  ['isolates', 'Nino \u2066Beri\u2069dze'],
  ['a Hangul filler', 'Nino Beridze\u3164'],
  ['a variation selector', 'N\uFE0Fino Beridze\u{E0100}'],
  ['an empty braille cell', 'Ni\u2800no Beridze'],
  ['Cyrillic letters', 'Nin\u043E \u0412\u0435ridz\u0435'],
  ['Greek letters', 'Nin\u03BF \u0392eridze'],
  ['a Georgian letter', 'Nin\u10FF Beridze'],
  ['an l in the place of a capital I', 'Nlno Berldze'],
  ['the old Georgian letters', '\u10B1\u10B0', '\u10E1\u10E0'],
])('payee check: a name with %s is recognised as the listed one', (_what, shown, known = 'Nino Beridze') => {
  const payee = { payeeId: 'p-000000000001', profile: 'a', name: known, addedAt: '2026-11-20T06:00:00.000Z' }
  const payees = new KnownPayees([{ ...payee, account: 'one' }])
  expect(payees.alarm({ name: shown, account: 'two' })).toMatchObject({ known: ['one'] })
  expect(payees.alarm({ name: shown, account: 'one' })).toBeNull()
})

test('payee check: capitals, blanks and commas make no other name, and another word does', () => {
  const word = fc.stringMatching(/^[a-zა-ჰ]{1,8}$/)
  const between = fc.constantFrom(' ', '  ', ', ', '. ', '\u00a0', ' - ')
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), between, between, (words, one, other) => {
      const written = words.join(one)
      expect(sameName(written, ` ${words.map((each) => each.toUpperCase()).join(other)} `)).toBe(true)
      expect(sameName(written, `${written} x`)).toBe(false)
    }),
  )
  const known = new KnownPayees([
    { payeeId: 'p-000000000001', name: 'Nino', account: 'one' },
    { payeeId: 'p-000000000002', name: 'NINO', account: 'two' },
  ])
  expect(known.alarm({ name: 'nino', account: 'two' })).toBeNull()
  expect(known.alarm({ name: null, account: 'three' })).toBeNull()
  expect(known.alarm({ name: 'Nina', account: 'three' })).toBeNull()
  expect(known.alarm({ name: 'nino', account: 'three' })).toMatchObject({ known: ['one', 'two'] })
})
