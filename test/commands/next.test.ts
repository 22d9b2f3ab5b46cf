/** The line at the end of a success that says what usually comes next: to a person at a terminal, and to nobody else. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { create } from '../kit/payment.ts'
import { paydesk, succeeds } from '../kit/program.ts'
import { cardSaved, done, onSandbox, order, ordered, place, play, requested } from '../kit/world.ts'

type Around = ReturnType<typeof place>

/** The line that a command ends with at a terminal; null where there is none. */
async function nextOf(argv: readonly string[], around: Around): Promise<string | null> {
  const ended = await succeeds(paydesk(argv, { ...around, terminal: true, columns: 200 }))
  return /^next: (.*)$/m.exec(stripVTControlCharacters(ended.stderr).replaceAll('\r', '\n'))?.[1] ?? null
}

test('next: a payout leads to its wait, and in JSON, CSV, a pipe and with --quiet no line is said', async () => {
  const around = place()
  expect(await nextOf(create({ key: 'a' }), around)).toMatch(/^paydesk payout wait j-[0-9a-f]{12} -p sandbox$/)
  for (const more of [['--json'], ['--output', 'csv'], ['--quiet'], ['--fields', 'status'], ['--dry-run']]) {
    expect(await nextOf([...create({ key: 'a' }), ...more], around), more.join(' ')).toBeNull()
  }
  const piped = await paydesk(create({ key: 'a' }), around)
  expect(piped.stderr).not.toContain('next:')
})

test('next: a payout that is paid leads to its receipt', async () => {
  const around = place()
  const { json } = await done(create({ key: 'a' }), around)
  around.clock.skip(3_600_000)
  const wait = ['payout', 'wait', String(json.journalId), ...onSandbox]
  expect(await nextOf(wait, around)).toBe(`paydesk payout receipt ${json.journalId} -p sandbox`)
})

test('next: where a warning names a command already no line follows it', async () => {
  const around = place()
  // The sandbox does not run: the receipt says with which commands the order is paid.
  const ended = await paydesk(order(), { ...around, terminal: true })
  expect(ended.stderr).toContain('`paydesk sandbox start`')
  expect(ended.stderr).not.toContain('next:')
})

test('next: orders, cards and wallet orders each lead to what usually follows', async () => {
  const around = place()
  const id = await cardSaved(around)
  const paid = await ordered(around)
  await play(around, paid)
  const open = await ordered(around)
  const yes = ['--yes', ...onSandbox]
  expect(await nextOf(['order', 'status', open, ...onSandbox], around)).toBe(`paydesk order wait ${open} -p sandbox`)
  expect(await nextOf(['order', 'status', paid, ...onSandbox], around)).toBeNull()
  expect(await nextOf(['order', 'refund', paid, '--amount', '1', ...yes], around)).toBe(
    `paydesk order status ${paid} -p sandbox`,
  )
  expect(await nextOf(['order', 'cancel', open, ...yes], around)).toBe(`paydesk order status ${open} -p sandbox`)
  expect(await nextOf(['card', 'get', id, ...onSandbox], around)).toBe(
    `paydesk order create --card-from-order ${id} -p sandbox`,
  )
  const made = await nextOf(['wallet', 'create', '--uri', requested, ...yes], around)
  expect(made).toMatch(/^paydesk wallet finalize [0-9a-f-]{36} -p sandbox$/)
  const words = String(made).split(' ').slice(1)
  expect(await nextOf([...words, '--amount', '25', '--final-status', 'SUCCESS', '--yes'], around)).toBe(
    `paydesk wallet details ${words[2]} -p sandbox`,
  )
})

test('next: a file leads to its plan, its run to the wait, the wait to the results', async () => {
  const around = place()
  const file = join(around.home, 'a payroll.csv')
  writeFileSync(
    file,
    'amount,currency,description,beneficiaryName,toIban\n12.50,GEL,July,Nino,GE29NB0000000101904917\n',
  )
  expect(await nextOf(['batch', 'check', file], around)).toBe(`paydesk batch plan '${file}'`)
  // The plan itself ends with the line that pays it.
  const { json } = await done(['batch', 'plan', file, ...onSandbox], around)
  const planId = String(json.planId)
  expect(await nextOf(['batch', 'run', planId, '--yes'], around)).toBe(`paydesk batch wait ${planId}`)
  around.clock.skip(3_600_000)
  expect(await nextOf(['batch', 'wait', planId], around)).toBe(`paydesk batch results ${planId} --dir <folder>`)
})

test('next: a profile leads to its check, by its name', async () => {
  const around = place()
  const add = ['profile', 'add', 'acme', '--base-url', 'https://pay.example', '--environment', 'test', '--no-input']
  expect(await nextOf([...add, '--client-id', '3f0e2a53-7b7c-4a5e-9d53-0f1b8a6f2c11'], around)).toBe(
    'paydesk profile check -p acme',
  )
})

test('next: a listed payee leads to a payout to it, by its name', async () => {
  const around = place()
  const add = [
    ...['payee', 'add'],
    ...onSandbox,
    ...['--beneficiary-name', 'Nino Beridze', '--to-iban', 'GE29NB0000000101904917'],
  ]
  expect(await nextOf(add, around)).toMatch(/^paydesk payout create --payee p-\w+ -p sandbox$/)
})
