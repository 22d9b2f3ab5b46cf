/** Files that other users may write are refused, those that they may read bring a warning, and links are not followed. */
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { geteuid } from 'node:process'
import { expect, test } from 'vitest'
import { hurriedClock, impatient } from '../kit/clock.ts'
import { create } from '../kit/payment.ts'
import { builtPaydesk } from '../kit/process.ts'
import { keys } from '../kit/profile.ts'
import { newHome, paydesk } from '../kit/program.ts'
import { addHandProfile, certificate, selfSigned, serviceByHand } from '../kit/service.ts'

/** Processes of the built program, on a machine that may be busy with others. */
const patience = { timeout: 60_000 }

const integrator = '0f8fad5b-d9cb-469f-a165-70867728950e'

const run = (argv: readonly string[], home: string) => paydesk(argv, { home, clock: hurriedClock(), random: impatient })

const pay = (...more: readonly string[]) => [...create({ profile: 'hand' }), ...more]

async function place(tls = false) {
  const service = await serviceByHand(undefined, tls)
  const home = newHome()
  await addHandProfile(home, service.url.replace('127.0.0.1', tls ? 'localhost' : '127.0.0.1'))
  return { home, service }
}

test.each([
  ['the home', '', 0o770],
  ['the home, for all', '', 0o707],
  ['the directory of the configuration', 'config', 0o730],
  ['the configuration', 'config/config.json', 0o620],
  ['the directory of the journal', 'journal', 0o777],
  ['the file of the secret', 'hand.secret', 0o602],
])('payout create, others may write %s: refused (4) unsent, until it is mended', async (_what, path, mode) => {
  const { home, service } = await place()
  mkdirSync(join(home, 'journal'), { recursive: true, mode: 0o700 })
  const open = path === '' ? home : join(home, path)
  chmodSync(open, mode)
  const ended = await run(pay('--json'), home)
  expect([ended.code, ended.stdout, service.creates]).toEqual([4, '', []])
  const { error } = JSON.parse(ended.stderr) as { error: Record<string, unknown> }
  expect(error).toMatchObject({ moneyMoved: 'no', hints: expect.arrayContaining([`chmod go-w '${open}'`]) })
  chmodSync(open, mode & ~0o022)
  expect((await run(pay(), home)).code).toBe(0)
})

test('payout create, built program, a sticky home in which others may put files: refused (4)', patience, async () => {
  const { home, service } = await place()
  chmodSync(home, 0o1777)
  const ended = await builtPaydesk(pay('--json'), home)
  expect([ended.code, ended.stdout, service.creates]).toEqual([4, '', []])
  expect(ended.stderr).toContain(`chmod go-w '${home}'`)
})

// Only root can give a file away.
test.skipIf(geteuid?.() !== 0).each([
  ['the home', ''],
  ['the directory of the configuration', 'config'],
  ['the configuration', 'config/config.json'],
  ['the file of the secret', 'hand.secret'],
])('payout create, %s belongs to another user: refused (4), whatever its mode', async (_what, path) => {
  const { home, service } = await place()
  const foreign = path === '' ? home : join(home, path)
  chownSync(foreign, 65_534, 65_534)
  const ended = await run(pay('--json'), home)
  expect([ended.code, ended.stdout, service.creates]).toEqual([4, '', []])
  const { error } = JSON.parse(ended.stderr) as { error: Record<string, unknown> }
  expect(error).toMatchObject({ moneyMoved: 'no', hints: expect.arrayContaining([`chown "$(id -u)" '${foreign}'`]) })
  expect((await run(['doctor', '--json'], home)).stdout).toContain('belongs to another user')
  chownSync(foreign, 0, 0)
  expect((await run(pay(), home)).code).toBe(0)
})

test('payout create, a home that paydesk makes in a sticky directory: accepted (0)', async () => {
  const around = newHome()
  chmodSync(around, 0o1777)
  const home = join(around, 'home')
  expect((await run(create(), home)).code).toBe(0)
  expect((await run(create({ key: 'again' }), home)).code).toBe(0)
})

async function profileWith(flag: string) {
  const service = await serviceByHand(undefined, true)
  const home = newHome()
  const { cert, key } = selfSigned()
  const files: Record<string, string> = {}
  const given = {
    'ca-file': readFileSync(certificate, 'utf8'),
    'client-certificate-file': cert,
    'client-key-file': key,
  }
  const keyed = { ...given, 'service-public-key': keys.service.pub, 'private-key': keys.own.key }
  for (const [name, text] of Object.entries(keyed)) {
    files[name] = join(home, `${name}.pem`)
    writeFileSync(files[name], text, { mode: 0o600 })
  }
  const url = service.url.replace('127.0.0.1', 'localhost')
  await addHandProfile(home, url, { ...files, 'integrator-id': integrator, environment: 'live' })
  return { home, service, open: files[flag] ?? '' }
}

test.each(['ca-file', 'client-certificate-file', 'client-key-file', 'service-public-key'])(
  'others may write the file of --%s: refused (4) before anything is sent, and by doctor, profile check and profile add',
  async (flag) => {
    const { home, service, open } = await profileWith(flag)
    chmodSync(open, 0o666)
    const line = flag === 'service-public-key' ? ['order', 'status', integrator] : ['payout', 'balance']
    const ended = await paydesk([...line, '-p', 'hand', '--json'], { home })
    const hints = expect.arrayContaining([`chmod go-w '${open}'`])
    expect(ended, ended.stderr).toMatchObject({ code: 4, error: { moneyMoved: 'no', hints } })
    expect(service.seen).toEqual([])
    const examined = await paydesk(['doctor', '-p', 'hand'], { home })
    expect(examined.stdout).toContain(`chmod go-w '${open}'`)
    expect((await paydesk(['profile', 'check', '-p', 'hand'], { home })).code).toBe(4)
    const again = await paydesk(['profile', 'add', 'hand', `--${flag}`, open, '--replace'], { home })
    expect(again, again.stderr).toMatchObject({ code: 4 })
    chmodSync(open, 0o644)
    const { stderr } = await paydesk([...line, '-p', 'hand', '--json'], { home })
    expect(stderr).not.toContain('chmod go-w')
  },
)

test('payout create, others can read the file of the secret: accepted (0) with a warning, in words and in the document', async () => {
  const { home } = await place()
  chmodSync(join(home, 'hand.secret'), 0o644)
  const words = `others can read ${join(home, 'hand.secret')}: run chmod 600`
  const ended = await run(pay('--json'), home)
  expect([ended.code, ended.stderr]).toEqual([0, ''])
  expect(JSON.parse(ended.stdout)).toMatchObject({ warnings: expect.arrayContaining([words]) })
  expect((await run(pay('--key', 'other'), home)).stderr).toContain(words)
})

test.each(['journal', 'journal/journal.db', 'journal/journal.db-wal', 'journal/journal.db-mark'])(
  'payout create, %s is a link: refused (4), the link is not followed, nothing is sent',
  async (path) => {
    const { home, service } = await place()
    const [link, elsewhere] = [join(home, path), join(newHome(), 'elsewhere')]
    mkdirSync(join(home, 'journal'), { recursive: true, mode: 0o700 })
    if (path === 'journal') renameSync(link, elsewhere)
    else if (path.endsWith('-wal')) writeFileSync(elsewhere, '')
    symlinkSync(elsewhere, link)
    const ended = await run(pay(), home)
    expect([ended.code, service.creates]).toEqual([4, []])
    expect(ended.stderr).toContain(`${link} is a link, and links are not followed`)
    if (path.endsWith('.db')) expect(existsSync(elsewhere)).toBe(false)
  },
)

const unchecked = { NODE_TLS_REJECT_UNAUTHORIZED: '0' }

test('NODE_TLS_REJECT_UNAUTHORIZED=0 on a live profile: refused (4), no request is made', patience, async () => {
  const { home, service } = await place(true)
  const secret = join(home, 'hand.secret')
  const live = ['profile', 'add', 'real', '--base-url', service.url, '--environment', 'live', '--client-id']
  const id = '11111111-2222-4333-8444-555555555555'
  expect((await run([...live, id, '--client-secret-file', secret], home)).code).toBe(0)
  const argv = [...create({ profile: 'real', yes: null, confirm: 'GEL 12.50' }), '--json']
  const ended = await builtPaydesk(argv, home, unchecked)
  expect([ended.code, ended.stdout, service.seen]).toEqual([4, '', []])
  expect(ended.stderr).toContain('"hints":["unset NODE_TLS_REJECT_UNAUTHORIZED"')
  const read = await paydesk(['payout', 'balance', '-p', 'real'], { home, env: unchecked })
  expect(read.code, read.stderr).toBe(4)
  expect(service.seen).toEqual([])
})

test(
  'NODE_TLS_REJECT_UNAUTHORIZED=0 on a test profile: accepted (0) with a warning, in words and in the document',
  patience,
  async () => {
    const { home } = await place(true)
    const said = expect.stringContaining('CERTIFICATES ARE NOT CHECKED')
    const ended = await builtPaydesk(pay('--json'), home, unchecked)
    expect([ended.code, JSON.parse(ended.stdout)]).toEqual([0, expect.objectContaining({ warnings: [said] })])
    expect((await builtPaydesk(pay('--key', 'b'), home, unchecked)).stderr).toEqual(said)
  },
)
