/** `profile add` at a terminal is a wizard. In a pipe it asks nothing. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { impatient } from '../../kit/clock.ts'
import { clientId, keys } from '../../kit/profile.ts'
import { answers, newHome, paydesk, type Step } from '../../kit/program.ts'

const enter = '\r'
const down = '\u001b[B'
const up = '\u001b[A'
const secret = 'planted-s3cret-of-the-tour'
const address = 'https://pay.example.com/api'

function guided(home: string, argv: readonly string[], ...steps: readonly Step[]) {
  const around = { home, terminal: true, columns: 200, dialogue: answers(...steps) }
  return paydesk(['profile', 'add', ...argv], around)
}

const configOf = (home: string) => join(home, 'config', 'config.json')
const filesIn = (home: string) => readdirSync(home, { recursive: true }).map(String)

const payoutsOnly: readonly Step[] = [
  [/What will you use there/, enter],
  [/What is your client id/, `${clientId}${enter}`],
]
const noLimitsKept: readonly Step[] = [
  [/limit on payouts/, enter],
  [/the default profile/, enter],
  [/Keep it\?/, enter],
]
const noCheck: Step = [/Test it now/, `no${enter}`]

test('profile add wizard: asks for everything and stores it, the secret unseen in a private file', async () => {
  const home = newHome()
  const ended = await guided(
    home,
    [],
    [/What is the name of the profile/, `acme${enter}`],
    [/test service, or the live one/, `${down}${enter}`],
    [/What is the address of the service/, `${address}/${enter}`],
    ...payoutsOnly,
    [/Where should the client secret be stored/, enter],
    [/What is the client secret/, `${secret}${enter}`],
    [/In which new file/, enter],
    [/limit on payouts/, `GEL 5000/payout${enter}`],
    [/Another limit/, enter],
    [/the default profile/, `${down}${enter}`],
    [/Keep it\?/, enter],
    noCheck,
  )
  expect(ended.code, ended.stderr).toBe(0)
  expect(ended.stdout).toContain('Added acme')
  const file = join(home, 'config', 'credentials', 'acme.secret')
  expect(readFileSync(file, 'utf8')).toBe(`${secret}\n`)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const kept = JSON.parse(readFileSync(configOf(home), 'utf8'))
  expect(kept).toMatchObject({
    defaultProfile: 'acme',
    profiles: {
      acme: {
        ...{ baseUrl: address, environment: 'live', clientId, limits: ['GEL 5000.00/payout'] },
        clientSecret: { from: 'file', path: file },
      },
    },
  })
  expect(ended.log + ended.stdout).not.toContain(secret)
})

test('profile add wizard: a wrong answer is asked again, and < goes back to the previous question', async () => {
  const home = newHome()
  const ended = await guided(
    home,
    ['--environment', 'live'],
    [/What is the name of the profile/, `sandbox${enter}`],
    [/It is built in/, `\u0015first${enter}`],
    [/What is the address/, `<${enter}`],
    [/What is the name of the profile/, `second${enter}`],
    [/What is the address/, `http://127.0.0.1:1${enter}`],
    [/It must be https/, `\u0015${address}${enter}`],
    [/What will you use there/, `${up}${up}${enter}`],
    [/In which file is the public key/, `/nowhere${enter}`],
    [/cannot be read: it does not exist/, '\u0003'],
  )
  expect(ended.code).toBe(130)
  expect(ended.log).toContain('second')
  expect(filesIn(home)).toEqual([])
})

test('profile add wizard: ^C at the last question leaves no profile, secret or key (130)', async () => {
  const home = newHome()
  const ended = await guided(
    home,
    ['acme', '--base-url', address],
    [/test service/, enter],
    ...payoutsOnly,
    [/Where should the client secret be stored/, enter],
    [/What is the client secret/, `${secret}${enter}`],
    [/In which new file/, enter],
    [/limit on payouts/, enter],
    [/the default profile/, enter],
    [/Keep it\?/, '\u0003'],
  )
  expect(ended.code).toBe(130)
  expect(filesIn(home)).toEqual([])
})

test('profile add wizard: no at the end stores nothing (3)', async () => {
  const home = newHome()
  const ended = await guided(
    home,
    ['acme', '--base-url', address, '--client-secret-env', 'ACME_SECRET', '--client-id', clientId],
    [/test service/, enter],
    [/limit on payouts/, enter],
    [/the default profile/, enter],
    [/Keep it\?/, `${down}${enter}`],
  )
  expect([ended.code, filesIn(home)]).toEqual([3, []])
  expect(ended.stderr).toContain('nothing was saved')
})

test('profile add wizard: refuses a public key in the place of a private one, makes a pair, and reads both forms', async () => {
  const home = newHome()
  const pub = join(home, 'service.pub')
  const own = join(home, 'own.key')
  writeFileSync(pub, keys.service.pub)
  writeFileSync(own, keys.own.key, { mode: 0o644 })
  const ended = await guided(
    home,
    ['acme', '--base-url', address],
    [/test service/, enter],
    [/What will you use there/, `${down}${down}${down}${down}${enter}`],
    [/Is all of it at/, enter],
    [/What is your integrator id/, `7${enter}`],
    [/It must be a UUID/, `\u0015${clientId}${enter}`],
    [/In which file is the public key/, `${own}${enter}`],
    [/is a private key where the public one/, `\u0015${pub}${enter}`],
    [/Which private key opens/, `${down}${enter}`],
    [/In which new file should the private key be/, enter],
    [/How are the keys of an envelope wrapped/, enter],
    [/How are requests of the wallet sealed/, enter],
    [/Which identifier do you have in the wallet/, enter],
    [/Does the wallet have its own keys/, `${down}${enter}`],
    [/public key for the wallet/, `${pub}${enter}`],
    [/private key for the wallet/, `${own}${enter}`],
    [/the default profile/, enter],
    [/Keep it\?/, enter],
    noCheck,
  )
  expect(ended.code, ended.stderr).toBe(0)
  const made = join(home, 'config', 'credentials', 'acme.key')
  expect(ended.stderr).toContain(`Give ${made}.pub to the service`)
  expect(statSync(made).mode & 0o777).toBe(0o600)
  const { profiles } = JSON.parse(readFileSync(configOf(home), 'utf8'))
  expect(profiles.acme).toMatchObject({
    ...{ integratorId: clientId, servicePublicKeyFile: pub, privateKeyFile: made, rsaPadding: 'oaep-sha256' },
    ...{ walletScheme: 'rsa-pkcs1', walletServicePublicKeyFile: pub, walletPrivateKeyFile: own },
  })
  expect(profiles.acme.walletIdentifier).toBeUndefined()
  const shown = await paydesk(['key', 'show', `${made}.pub`, '--json'], { home })
  expect(shown.json).toMatchObject([{ half: 'public', bits: 4096 }])
})

test('profile add wizard: a failed check at the end is told with its code (11), and the profile stays', async () => {
  const home = newHome()
  const argv = ['acme', '--base-url', 'http://127.0.0.1:1', '--client-id', clientId, '--client-secret-env', 'SECRET']
  const around = { home, terminal: true, columns: 200, random: impatient, env: { SECRET: secret } }
  const steps: readonly Step[] = [[/test service/, enter], ...noLimitsKept, [/Test it now/, `yes${enter}`]]
  const ended = await paydesk(['profile', 'add', ...argv], { ...around, dialogue: answers(...steps) })
  expect(ended.code, ended.stderr).toBe(11)
  expect(ended.stderr).toContain('Profile acme is saved.')
  expect(ended.stderr).toContain('payouts: ')
  expect(JSON.parse(readFileSync(configOf(home), 'utf8')).profiles.acme).toMatchObject({ clientId })
  expect(ended.log + ended.stdout).not.toContain(secret)
})

test('profile add: in a pipe, and with --no-input, it asks nothing and names what is missing (2)', async () => {
  const home = newHome()
  const piped = await paydesk(['profile', 'add', 'acme', '--json'], { home })
  expect(piped.code).toBe(2)
  expect(piped.error.message).toContain('--base-url is required')
  expect(piped.error.message).toContain('--environment is required')
  const silent = await paydesk(['profile', 'add', '--no-input'], { home, terminal: true })
  expect([silent.code, existsSync(configOf(home))]).toEqual([2, false])
  expect(silent.stderr).toContain('`profile add` needs <name>')
})
