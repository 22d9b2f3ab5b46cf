/** Files that others may write are refused, those that others may read are warned of, and links lead nowhere. */
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
import { describe, expect, test } from 'vitest'
import { create } from '../kit/payment.ts'
import { keys } from '../kit/profile/keys.ts'
import { builtPaydesk } from '../kit/program/built-paydesk.ts'
import { everydayPaydesk } from '../kit/program/everyday.ts'
import { newHome, paydesk } from '../kit/program/paydesk.ts'
import { selfSigned } from '../kit/service/certificate.ts'
import { addHandProfile, certificate, serviceByHand } from '../kit/service/service-by-hand.ts'

const integrator = '0f8fad5b-d9cb-469f-a165-70867728950e'

const pay = (...more: readonly string[]) => [...create({ profile: 'hand' }), ...more]

async function place(tls = false) {
  const service = await serviceByHand(undefined, tls)
  const home = newHome()
  await addHandProfile(home, service.url.replace('127.0.0.1', tls ? 'localhost' : '127.0.0.1'))
  return { home, service }
}

describe('files that others may write are refused before anything is sent', () => {
  test.each([
    ['the home', '', 0o770],
    ['the home, for all', '', 0o707],
    ['the directory of the configuration', 'config', 0o730],
    ['the configuration', 'config/config.json', 0o620],
    ['the directory of the journal', 'journal', 0o777],
    ['the file of the secret', 'hand.secret', 0o602],
  ])('%s', async (_what, path, mode) => {
    const { home, service } = await place()
    mkdirSync(join(home, 'journal'), { recursive: true, mode: 0o700 })
    const open = path === '' ? home : join(home, path)
    chmodSync(open, mode)
    const ended = await builtPaydesk(pay('--json'), home)
    expect([ended.code, ended.stdout, service.creates]).toEqual([4, '', []])
    const { error } = JSON.parse(ended.stderr) as { error: Record<string, unknown> }
    expect(error).toMatchObject({ moneyMoved: 'no', hints: expect.arrayContaining([`chmod go-w '${open}'`]) })
    chmodSync(open, mode & ~0o022)
    expect((await everydayPaydesk(pay(), home)).code).toBe(0)
  })

  test('a sticky home, in which others may put what is missing', async () => {
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
  ])('%s that belongs to another user, whatever its mode', async (_what, path) => {
    const { home, service } = await place()
    const foreign = path === '' ? home : join(home, path)
    chownSync(foreign, 65_534, 65_534)
    const ended = await builtPaydesk(pay('--json'), home)
    expect([ended.code, ended.stdout, service.creates]).toEqual([4, '', []])
    const { error } = JSON.parse(ended.stderr) as { error: Record<string, unknown> }
    expect(error).toMatchObject({ moneyMoved: 'no', hints: expect.arrayContaining([`chown "$(id -u)" '${foreign}'`]) })
    expect((await builtPaydesk(['doctor', '--json'], home)).stdout).toContain('belongs to another user')
    chownSync(foreign, 0, 0)
    expect((await everydayPaydesk(pay(), home)).code).toBe(0)
  })

  test('a home that paydesk makes itself, and one in a directory that is sticky, are fine', async () => {
    const around = newHome()
    chmodSync(around, 0o1777)
    const home = join(around, 'home')
    expect((await everydayPaydesk(create(), home)).code).toBe(0)
    expect((await everydayPaydesk(create({ key: 'again' }), home)).code).toBe(0)
  })
})

describe.each(['ca-file', 'client-certificate-file', 'client-key-file', 'service-public-key'])(
  'the file of --%s that others may write',
  (flag) => {
    async function profile() {
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

    test('is refused (4) before anything is sent, and by doctor and profile add', async () => {
      const { home, service, open } = await profile()
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
    })
  },
)

test('files that others may read bring a warning, in the document, too', async () => {
  const { home } = await place()
  chmodSync(join(home, 'hand.secret'), 0o644)
  const words = `others may read ${join(home, 'hand.secret')}: chmod 600 keeps it to yourself`
  const ended = await everydayPaydesk(pay('--json'), home)
  expect([ended.code, ended.stderr]).toEqual([0, ''])
  expect(JSON.parse(ended.stdout)).toMatchObject({ warnings: expect.arrayContaining([words]) })
  expect((await everydayPaydesk(pay('--key', 'other'), home)).stderr).toContain(words)
})

describe('a link is not followed', () => {
  test.each(['journal', 'journal/journal.db', 'journal/journal.db-wal', 'journal/journal.db-mark'])(
    '%s',
    async (path) => {
      const { home, service } = await place()
      const [link, elsewhere] = [join(home, path), join(newHome(), 'elsewhere')]
      mkdirSync(join(home, 'journal'), { recursive: true, mode: 0o700 })
      if (path === 'journal') renameSync(link, elsewhere)
      else if (path.endsWith('-wal')) writeFileSync(elsewhere, '')
      symlinkSync(elsewhere, link)
      const ended = await everydayPaydesk(pay(), home)
      expect([ended.code, service.creates]).toEqual([4, []])
      expect(ended.stderr).toContain(`${link} is a link, which is not followed`)
      if (path.endsWith('.db')) expect(existsSync(elsewhere)).toBe(false)
    },
  )
})

describe('NODE_TLS_REJECT_UNAUTHORIZED=0', () => {
  const unchecked = { NODE_TLS_REJECT_UNAUTHORIZED: '0' }

  test('is refused on a live profile before anything is sent', async () => {
    const { home, service } = await place(true)
    const secret = join(home, 'hand.secret')
    const live = ['profile', 'add', 'real', '--base-url', service.url, '--environment', 'live', '--client-id']
    const id = '11111111-2222-4333-8444-555555555555'
    expect((await builtPaydesk([...live, id, '--client-secret-file', secret], home)).code).toBe(0)
    const argv = [...create({ profile: 'real', yes: null, confirm: 'GEL 12.50' }), '--json']
    const ended = await builtPaydesk(argv, home, unchecked)
    expect([ended.code, ended.stdout, service.seen]).toEqual([4, '', []])
    expect(ended.stderr).toContain('"hints":["unset NODE_TLS_REJECT_UNAUTHORIZED"')
    expect((await builtPaydesk(['payout', 'balance', '-p', 'real'], home, unchecked)).code).toBe(4)
    expect(service.seen).toEqual([])
  })

  test('is said loudly elsewhere, in the document, too', async () => {
    const { home } = await place(true)
    const said = expect.stringContaining('CERTIFICATES ARE NOT CHECKED')
    const ended = await builtPaydesk(pay('--json'), home, unchecked)
    expect([ended.code, JSON.parse(ended.stdout)]).toEqual([0, expect.objectContaining({ warnings: [said] })])
    expect((await builtPaydesk(pay('--key', 'b'), home, unchecked)).stderr).toEqual(said)
  })
})
