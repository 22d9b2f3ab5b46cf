/** At a terminal a missing argument or flag is asked for, with known values to choose from. In a pipe it is a usage error (2). */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { impatient, stillClock } from '../kit/clock.ts'
import { clientId, keys } from '../kit/profile.ts'
import { atTerminal, newHome, paydesk, type Step, succeeds } from '../kit/program.ts'

const enter = '\r'
const down = '\u001b[B'

const payout = (key: string, name: string) =>
  'payout create -p sandbox --amount 12.50 --currency GEL --description July --to-iban GE29NB0000000101904917 --yes'
    .split(' ')
    .concat('--beneficiary-name', name, '--key', key)

function asked(home: string, argv: readonly string[], ...steps: readonly Step[]) {
  const around = { home, clock: stillClock(), random: impatient }
  return atTerminal(argv, { ...around, columns: 120 }, ...steps)
}

test('terminal questions: payout get without an id offers the payouts of the journal, the newest first', async () => {
  const home = newHome()
  await paydesk(payout('first', 'Nino Beridze'), { home })
  const { json } = await paydesk([...payout('second', 'ნინო ბერიძე'), '--json'], { home })
  const ended = await succeeds(asked(home, ['payout', 'get', '-p', 'sandbox', '--json'], [/Which payout\?/, enter]))
  expect(ended.json.uniqueId).toBe(json.uniqueId)
  expect(ended.log).toContain(String(json.journalId))
  expect(ended.log).toContain('GEL 12.50 to GE29 NB00')
  expect(ended.log).toContain(`${json.journalId}  GEL 12.50  ნინო ბერიძე`)
  expect(ended.log).toContain('another one')
})

test('terminal questions: an id that is not in the list can be typed, and an empty one is asked for again', async () => {
  const home = newHome()
  const { json } = await paydesk([...payout('first', 'Nino Beridze'), '--json'], { home })
  const ended = await asked(
    home,
    ['journal', 'show', '--json'],
    [/Which payment\?/, `${down}${enter}`],
    [/A journal id, uniqueId/, enter],
    [/It is required/, `first${enter}`],
  )
  expect(ended.code, ended.stderr).toBe(0)
  expect(JSON.stringify(ended.json)).toContain(String(json.journalId))
})

test('terminal questions: without known values there is no menu, and a new file that exists is asked for again', async () => {
  const home = newHome()
  const made = join(home, 'own.key')
  writeFileSync(made, keys.own.key, { mode: 0o600 })
  const generated = await asked(
    home,
    ['key', 'generate', '--bits', '2048', '--json'],
    [/Which new file\?/, `${made}${enter}`],
    [/already exists/, `2${enter}`],
  )
  expect(generated.code, generated.stderr).toBe(0)
  expect(generated.json.privateKeyFile).toBe(`${made}2`)
  const none = await asked(home, ['batch', 'show'], [/Which plan\? A plan id/, `b-000000000000${enter}`])
  expect(none.code).toBe(6)
  expect(readdirSync(home).filter((name) => name === 'journal')).toEqual([])
})

test('terminal questions: a missing required flag of sandbox fault add is asked for with a menu of its values', async () => {
  const home = newHome()
  const ended = await asked(
    home,
    ['sandbox', 'fault', 'add', '--op', 'payout.create', '--json'],
    [/What happens to the answer/, `${down}${enter}`],
  )
  expect(ended.code, ended.stderr).toBe(0)
  expect(ended.json).toMatchObject({ op: 'payout.create', at: 'after', kind: 'hang' })
})

test('terminal questions: a secret that the profile lacks is typed unseen and not kept; in a pipe it is 4', async () => {
  const home = newHome()
  const argv = ['profile', 'add', 'acme', '--base-url', 'http://127.0.0.1:1', '--environment', 'test']
  await paydesk([...argv, '--client-id', clientId], { home })
  const ended = await asked(
    home,
    ['payout', 'balance', '-p', 'acme'],
    [/What is the client secret of acme/, `planted-for-one-run${enter}`],
  )
  expect(ended.code).toBe(11)
  expect(ended.log + ended.stdout).not.toContain('planted-for-one-run')
  expect(readFileSync(join(home, 'config', 'config.json'), 'utf8')).not.toContain('planted')
  const piped = await paydesk(['payout', 'balance', '-p', 'acme', '--json'], { home })
  expect(piped.code).toBe(4)
})

test.each([
  ['payout', 'get'],
  ['journal', 'show'],
  ['batch', 'run'],
  ['callback', 'replay'],
  ['approval', 'show'],
])('%s %s: a missing argument in a pipe or with PAYDESK_NO_INPUT is refused (2)', async (...argv) => {
  for (const around of [{}, { terminal: true, env: { PAYDESK_NO_INPUT: '1' } }]) {
    const ended = await paydesk(argv, { home: newHome(), ...around })
    expect([ended.code, ended.stdout]).toEqual([2, ''])
  }
})
