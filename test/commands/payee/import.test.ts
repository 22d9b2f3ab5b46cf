import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ibanOf } from '../../../src/lib/contract/core/iban.ts'
import { membersOf, payeeIn } from '../../../src/lib/contract/payout/payee.ts'
import { beneficiaryIban, mustVerify } from '../../kit/payment.ts'
import { newHome, paydesk } from '../../kit/program.ts'
import { ledgerOf } from '../../kit/world.ts'

const otherIban = 'GE18SB1000000000000014'

function started() {
  const home = newHome()
  const run = (...argv: readonly string[]) => paydesk(['payee', ...argv, '-p', 'sandbox', '--json'], { home })
  const imported = (lines: readonly string[], ...more: readonly string[]) => {
    const file = join(home, 'payees.csv')
    writeFileSync(file, lines.map((line) => `${line}\n`).join(''))
    return run('import', file, ...more)
  }
  return { home, run, imported }
}

const header = 'beneficiaryName;to-iban;beneficiaryIdentityNumber;beneficiaryAddress;birthDate'
const good = [
  header,
  `Nino Beridze;${beneficiaryIban};01001000001;"Tbilisi; Rustaveli 1";`,
  `Giorgi;${otherIban};;;29.02.1988`,
]

test('payee import: the payees of a file are listed with their details, the same file twice changes nothing, and no money moves', async () => {
  const { home, run, imported } = started()
  const first = await imported(good)
  expect(first.json, first.stderr).toMatchObject({ rows: 2, added: 2, completed: 0, unchanged: 0, complaints: [] })
  const list = (await run('list')).json
  expect(list).toMatchObject([
    { name: 'Giorgi', account: otherIban, birthDate: '29.02.1988' },
    { name: 'Nino Beridze', beneficiaryIdentityNumber: '01001000001', beneficiaryAddress: 'Tbilisi; Rustaveli 1' },
  ])
  expect((await imported(good)).json).toMatchObject({ rows: 2, added: 0, completed: 0, unchanged: 2 })
  expect((await run('list')).json).toEqual(list)
  expect(await ledgerOf(home)).toEqual([])
  await mustVerify({ home })
})

test('payee import: every complaint comes in one pass (2), about rows and about listed payees alike, and nothing is listed', async () => {
  const { run, imported } = started()
  await run('add', '--beneficiary-name', 'Nino Beridze', '--to-iban', beneficiaryIban)
  const ended = await imported([
    header,
    `Nino Lomidze;${beneficiaryIban};;;`,
    'Giorgi;GE18SB1000000000000015;;;',
    `;${otherIban};0100100000;;31.02.1988`,
    `Mariam;${otherIban};;;`,
    `Tamar;${otherIban};;;`,
  ])
  expect(ended).toMatchObject({ code: 2, error: { moneyMoved: 'no' } })
  expect(ended.json).toMatchObject({ rows: 5, added: 0, moreComplaints: 0 })
  const told = ended.json.complaints as { row: number; message: string }[]
  const said = told.map(({ row, message }) => `${row} ${message}`)
  for (const words of [
    '2 GE29NB0000000101904917 is listed as Nino Beridze already',
    '3 has wrong check digits',
    '4 is required',
    '4 0100100000 has 10 digits',
    '4 must be a date of the calendar',
    '6 GE18SB1000000000000014 is listed as Mariam already',
  ]) {
    expect(said).toContainEqual(expect.stringContaining(words))
  }
  expect((await run('list')).json).toMatchObject([{ name: 'Nino Beridze' }])
})

test('payee import: details that a listed payee lacks are added, other ones are a complaint, several accounts of a name a warning', async () => {
  const { run, imported } = started()
  await run('add', '--beneficiary-name', 'Nino Beridze', '--to-iban', beneficiaryIban)
  expect((await imported(good)).json).toMatchObject({ added: 1, completed: 1, unchanged: 0, warnings: [] })
  const other = await imported([header, `Nino Beridze;${beneficiaryIban};01001000002;;`])
  expect(other).toMatchObject({ code: 2, json: { complaints: [{ row: 2 }] } })
  const second = await imported([header, `nino beridze;${ibanOf('TB', '0000000000000001')};;;`])
  expect(second.json).toMatchObject({
    added: 1,
    warnings: [expect.stringContaining('is listed with several accounts')],
  })
})

test('payee import: --map names columns, and a column that is not a field of a payee is told', async () => {
  const { home, imported } = started()
  const lines = ['Name,IBAN,amount', `Nino Beridze,${beneficiaryIban},12.50`]
  const strange = await imported(lines)
  expect(strange.code).toBe(2)
  expect(strange.stdout).toContain('not a field of a payee')
  expect(strange.stdout).not.toContain('payout')
  const map = join(home, 'map.yaml')
  writeFileSync(map, 'columns:\n  Name: beneficiaryName\n  IBAN: toIban\nignore: [amount]\n')
  expect((await imported(lines, '--map', map)).json).toMatchObject({ added: 1 })
})

test.each([
  ['an empty file', '', 'is empty'],
  ['a header alone', 'beneficiaryName,toIban\n', 'has no rows'],
  ['a line of JSON', '{"beneficiaryName":"Nino"}\n', 'payees are read from CSV and XLSX'],
])('payee import: %s is refused (2)', async (_, text, words) => {
  const { home, run } = started()
  const file = join(home, 'payees')
  writeFileSync(file, text)
  const ended = await run('import', file)
  expect(ended.code).toBe(2)
  expect(ended.error.message).toContain(words)
})

test('payee: what a payout takes from a payee is what its fields said', () => {
  const detail = fc.option(fc.string({ minLength: 1 }), { nil: undefined })
  const account = fc.oneof(
    fc.record({ toIban: fc.stringMatching(/^\d{16}$/).map((digits) => ibanOf('NB', digits)) }),
    fc.record({ receiverId: fc.uuid({ version: 4 }), receiverType: fc.constantFrom('BRANCH', 'USER') as never }),
  )
  const name = fc.stringMatching(/^[a-zა-ჰ]{1,20}$/)
  const fields = fc.record({ beneficiaryName: name, beneficiaryIdentityNumber: detail, beneficiaryAddress: detail })
  fc.assert(
    fc.property(fields, account, (members, way) => {
      const given = Object.entries({ ...members, ...way }).filter(([, value]) => value !== undefined)
      expect(membersOf(payeeIn({ ...members, ...way } as never))).toEqual(Object.fromEntries(given))
    }),
  )
})
