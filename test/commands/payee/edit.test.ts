import { expect, test } from 'vitest'
import { beneficiaryIban, mustVerify } from '../../kit/payment.ts'
import { postgresServer } from '../../kit/postgres.ts'
import { atTerminal, newHome, paydesk } from '../../kit/program.ts'

const server = postgresServer()

const otherIban = 'GE18SB1000000000000014'

async function listed() {
  const home = newHome()
  const run = (...argv: readonly string[]) => paydesk(['payee', ...argv, '-p', 'sandbox', '--json'], { home })
  const nino = ['--beneficiary-name', 'Nino Beridze', '--to-iban', beneficiaryIban]
  const added = await run('add', ...nino, '--beneficiary-address', 'Tbilisi')
  expect(added.json, added.stderr).toMatchObject({ beneficiaryAddress: 'Tbilisi', beneficiaryIdentityNumber: null })
  return { home, run, id: String(added.json.payeeId) }
}

test('payee edit: flags change their fields alone, an empty one takes a detail away, and the journal stays verified', async () => {
  const { home, run, id } = await listed()
  const first = await run('edit', 'nino beridze', '--beneficiary-identity-number', '01001000001', '--currency', 'GEL')
  expect(first.json, first.stderr).toMatchObject({
    ...{ payeeId: id, account: beneficiaryIban, beneficiaryAddress: 'Tbilisi', currency: 'GEL', warnings: [] },
    ...{ beneficiaryIdentityNumber: '01001000001', changed: ['beneficiaryIdentityNumber', 'currency'] },
  })
  const second = await run('edit', id, '--beneficiary-address', '', '--currency', '', '--beneficiary-name', 'Nino B.')
  expect(second.json, second.stderr).toMatchObject({ name: 'Nino B.', beneficiaryAddress: null, currency: null })
  expect((await run('list')).json).toMatchObject([{ payeeId: id, beneficiaryIdentityNumber: '01001000001' }])
  await mustVerify({ home })
})

test('payee edit: another account is warned of, and one of another payee is refused (7)', async () => {
  const { run, id } = await listed()
  const receiver = ['--receiver-type', 'BRANCH', '--receiver-id', '5a9db0c0-0301-4a11-8c11-000000000301']
  const moved = await run('edit', id, ...receiver)
  expect(moved.json, moved.stderr).toMatchObject({
    ...{ account: 'BRANCH 5a9db0c0-0301-4a11-8c11-000000000301', changed: ['toIban', 'receiverType', 'receiverId'] },
    warnings: [expect.stringContaining(`its account was ${beneficiaryIban}`)],
  })
  await run('add', '--beneficiary-name', 'Giorgi', '--to-iban', otherIban)
  expect(await run('edit', id, '--to-iban', otherIban)).toMatchObject({ code: 7, error: { moneyMoved: 'no' } })
})

test('payee edit: a wrong value (2), nothing to change with nobody to ask (2), and an unknown payee (6) change nothing', async () => {
  const { run, id } = await listed()
  const wrong = await run('edit', id, '--to-iban', 'GE29NB0000000101904918', '--birth-date', '31.02.1988')
  expect(wrong.code).toBe(2)
  expect(wrong.error.message).toContain('--to-iban has wrong check digits')
  expect(wrong.error.message).toContain('--birth-date must be a date')
  expect(await run('edit', id)).toMatchObject({ code: 2 })
  expect(await run('edit', id, '--beneficiary-name', '')).toMatchObject({ code: 2 })
  expect(await run('edit', 'Giorgi', '--birth-date', '01.02.1988')).toMatchObject({ code: 6 })
  expect((await run('list')).json).toMatchObject([{ name: 'Nino Beridze', birthDate: null }])
})

test('payee edit at a terminal: each field is asked with its old value, Enter keeps it and - takes it away', async () => {
  const { home, run, id } = await listed()
  const ended = await atTerminal(
    ['payee', 'edit', id, '-p', 'sandbox'],
    { home },
    [/Who is it\?[\s\S]*Nino\s+Beridze/, 'Nino Lomidze\r'],
    [/To which IBAN\?[\s\S]*GE29/, '\r'],
    [/identity number[\s\S]*skip/, '01001000001\r'],
    [/address[\s\S]*Tbilisi/, '-\r'],
    [/birth date/, '\r'],
  )
  expect(ended.code, ended.stderr).toBe(0)
  expect((await run('list')).json).toMatchObject([
    ...[
      {
        name: 'Nino Lomidze',
        account: beneficiaryIban,
        beneficiaryIdentityNumber: '01001000001',
        beneficiaryAddress: null,
      },
    ],
  ])
})

test('payee add: details that a listed payee lacks are added, and other ones are refused (7)', async () => {
  const { run } = await listed()
  const same = ['--beneficiary-name', 'Nino Beridze', '--to-iban', beneficiaryIban]
  const completed = await run('add', ...same, '--birth-date', '29.02.1988')
  expect(completed.json).toMatchObject({ isNew: false, isCompleted: true, beneficiaryAddress: 'Tbilisi' })
  expect((await run('add', ...same)).json).toMatchObject({ isNew: false, isCompleted: false, birthDate: '29.02.1988' })
  const refused = await run('add', ...same, '--beneficiary-address', 'Batumi')
  expect(refused).toMatchObject({ code: 7, error: { moneyMoved: 'no' } })
  expect(refused.error.message).toContain('is already listed with another beneficiaryAddress')
})

test('payee edit: a team’s store has the details of a journal that was brought along, and changes them', async () => {
  const { home, run } = await listed()
  const together = { home, env: { PAYDESK_STORE: await server.newAddress() } }
  expect((await paydesk(['journal', 'import', '--json'], together)).json).toMatchObject({ payees: 1 })
  const own = (await run('list')).json
  const team = (...argv: readonly string[]) => paydesk(['payee', ...argv, '-p', 'sandbox', '--json'], together)
  expect((await team('list')).json).toEqual(own)
  const edited = await team('edit', 'Nino Beridze', '--birth-date', '29.02.1988', '--currency', 'GEL')
  expect(edited.json, edited.stderr).toMatchObject({ birthDate: '29.02.1988', currency: 'GEL' })
  expect((await team('list')).json).toMatchObject([{ beneficiaryAddress: 'Tbilisi', birthDate: '29.02.1988' }])
  expect((await run('list')).json).toEqual(own)
  await mustVerify(together)
})
