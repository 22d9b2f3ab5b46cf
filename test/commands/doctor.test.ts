import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { realClock } from '../../src/lib/edge.ts'
import { hurriedClock, impatient } from '../kit/clock.ts'
import { create } from '../kit/payment.ts'
import { builtPaydesk } from '../kit/process.ts'
import { newHome, paydesk, type Surroundings, succeeds } from '../kit/program.ts'
import { addHandProfile, certificate, handSecret, serviceByHand } from '../kit/service.ts'
import { tamper } from '../kit/store.ts'

interface Finding {
  readonly about: string
  readonly verdict: string
  readonly says: string
  readonly next: readonly string[]
}

async function report(home: string, argv: readonly string[] = [], around: Partial<Surroundings> = {}) {
  const { code, stdout, stderr } = await paydesk(['doctor', '--json', ...argv], { home, ...around })
  const json = JSON.parse(stdout || '{}') as Readonly<Record<string, unknown>>
  const error = (stderr === '' ? null : JSON.parse(stderr).error) as Readonly<Record<string, unknown>> | null
  const findings = (json.findings ?? []) as readonly Finding[]
  const of = (about: string) => findings.filter((each) => each.about === about)
  return { code, stdout, stderr, json, error, findings, of }
}

/** Every file and directory below, with its bytes, mode and times. */
function everythingIn(directory: string): Readonly<Record<string, string>> {
  if (!existsSync(directory)) return {}
  const names = ['', ...readdirSync(directory, { recursive: true, encoding: 'utf8' })]
  return Object.fromEntries(
    names.toSorted().map((name) => {
      const path = join(directory, name)
      const stat = lstatSync(path, { bigint: true })
      const bytes = stat.isFile() ? readFileSync(path).toString('base64') : ''
      return [name, `${stat.mode} ${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs} ${bytes}`]
    }),
  )
}

async function paid(): Promise<{ home: string; url: string; journal: string }> {
  const home = newHome()
  const { url } = await serviceByHand()
  await addHandProfile(home, url)
  await succeeds(paydesk(create({ profile: 'hand', key: 'k-1' }), { home }))
  return { home, url, journal: join(home, 'journal', 'journal.db') }
}

/** Takes away what would mend the file: commits that are not in it yet. */
function alone(journal: string): void {
  for (const end of ['-wal', '-shm']) rmSync(`${journal}${end}`, { force: true })
}

test('doctor: a healthy desk is reported part by part (0)', async () => {
  const { home, url } = await paid()
  const { code, json, findings, of } = await report(home, ['-p', 'hand'])
  expect(code).toBe(0)
  expect(json).toMatchObject({ healthy: true, profile: 'hand', environment: 'test', payments: [] })
  expect(findings.map(({ about }) => about)).toEqual([
    ...['program', 'home', 'files', 'profile', 'secret', 'service', 'clock', 'tls', 'journal', 'payments'],
  ])
  expect(findings.filter(({ verdict }) => verdict === 'bad')).toEqual([])
  expect(of('service')[0]?.says).toContain(url)
  expect(of('clock')[0]?.verdict).toBe('good')
  expect(of('journal')[0]?.says).toMatch(/rows, and its chain agrees; head \d+-[0-9a-f]{24}$/)
})

test('doctor: without a profile and a home it ends with 0, and makes no file', async () => {
  const home = join(newHome(), 'none', 'yet')
  const { code, of } = await report(home)
  expect(code).toBe(0)
  expect(of('profile')).toMatchObject([{ verdict: 'unseen' }])
  expect(of('journal')).toMatchObject([{ verdict: 'good', says: expect.stringContaining('none yet') }])
  expect(existsSync(home)).toBe(false)
  const bare = newHome()
  const env = { HOME: bare, XDG_CACHE_HOME: '', XDG_CONFIG_HOME: '', XDG_DATA_HOME: '' }
  const ended = await builtPaydesk(['doctor', '--json'], '', env)
  expect(ended.code, ended.log).toBe(0)
  expect(readdirSync(bare)).toEqual([])
})

test('doctor at a terminal: the report says that nothing is wrong, and times have their zone', async () => {
  const { home } = await paid()
  const env = { TZ: 'Asia/Tbilisi' }
  const ended = await succeeds(paydesk(['doctor', '-p', 'hand'], { home, terminal: true, columns: 80, env }))
  expect(ended.stdout).toMatch(/^.*Everything works/)
  expect(ended.stdout).toMatch(/^\S*journal \S* +good: \d+ rows/m)
  expect(ended.stdout).toMatch(/\(UTC\+04:00\)/)
})

test.each(['the command', 'the built program'])('doctor: %s changes no byte, mode or time of a file', async (which) => {
  const { home } = await paid()
  const standing = everythingIn(home)
  const argv = ['doctor', '-p', 'hand', '--json']
  const ended = which === 'the command' ? await paydesk(argv, { home }) : await builtPaydesk(argv, home)
  expect(ended.code, ended.log).toBe(0)
  expect(everythingIn(home)).toEqual(standing)
})

test('doctor: a damaged journal (5), an open write-ahead log (0) and an unknown profile (4) leave the home unchanged', async () => {
  const { home, journal } = await paid()
  const beside = everythingIn(home)
  expect(Object.keys(beside)).toEqual(expect.arrayContaining(['journal/journal.db-wal']))
  expect((await report(home, ['-p', 'hand'])).code).toBe(0)
  expect((await report(home, ['-p', 'nobody'])).code).toBe(4)
  expect(everythingIn(home)).toEqual(beside)
  alone(journal)
  writeFileSync(journal, 'this is no journal'.repeat(1000), { mode: 0o600 })
  const damaged = everythingIn(home)
  expect((await report(home, ['-p', 'hand'])).code).toBe(5)
  expect(everythingIn(home)).toEqual(damaged)
})

test.each<[string, (journal: string) => void]>([
  ['garbage', (journal) => writeFileSync(journal, 'this is no journal'.repeat(1000))],
  ['deleted, while its high-water mark is kept', (journal) => rmSync(journal)],
  ['cut off', (journal) => writeFileSync(journal, readFileSync(journal).subarray(0, 8192))],
  [
    'a row that another program changed',
    (journal) => tamper(join(journal, '..', '..'), "update intents set status = 'X'"),
  ],
])('doctor: a damaged journal is bad (5): %s', async (what, damage) => {
  const { home, journal } = await paid()
  if (!what.startsWith('a row')) alone(journal)
  damage(journal)
  const { code, json, of, error } = await report(home, ['-p', 'hand'])
  expect(code).toBe(5)
  expect(error).toMatchObject({ name: 'refused', moneyMoved: 'unknown' })
  expect(json.healthy).toBe(false)
  const told = of('journal')[0]
  expect(told).toMatchObject({ verdict: 'bad', says: expect.stringContaining('damaged') })
  expect(told?.says).not.toContain('paydesk-doctor-')
  expect(told?.next.length).toBeGreaterThan(0)
})

test('doctor: an older copy of the journal that was put back is bad (5)', async () => {
  const { home, journal } = await paid()
  cpSync(journal, join(home, 'older'))
  await paydesk(create({ profile: 'hand', key: 'k-2' }), { home })
  alone(journal)
  renameSync(join(home, 'older'), journal)
  expect(await report(home)).toMatchObject({ code: 5 })
})

test('doctor: files that others may write are bad (5); files that others may only read are a notice (0)', async () => {
  const { home } = await paid()
  chmodSync(join(home, 'config', 'config.json'), 0o666)
  const open = await report(home, ['-p', 'hand'])
  expect(open.code).toBe(5)
  expect(open.of('files')).toMatchObject([{ verdict: 'bad', next: [expect.stringMatching(/^chmod go-w /)] }])
  chmodSync(join(home, 'config', 'config.json'), 0o644)
  const read = await report(home, ['-p', 'hand'])
  expect(read.code).toBe(0)
  expect(read.of('files')).toMatchObject([{ verdict: 'notice', next: [expect.stringMatching(/^chmod 600 /)] }])
  chmodSync(home, 0o777)
  expect(await report(home, ['-p', 'hand'])).toMatchObject({ code: 5 })
})

test('doctor: a clock that is ten minutes behind, and a service that refuses connections, are bad (5)', async () => {
  const { home } = await paid()
  const late = { ...realClock, now: () => Date.now() - 600_000 }
  const behind = await report(home, ['-p', 'hand'], { clock: late })
  expect(behind.code).toBe(5)
  expect(behind.of('clock')).toMatchObject([{ verdict: 'bad', says: expect.stringMatching(/(?:59\d|60\d) s behind/) }])
  const [other, gone] = [newHome(), await serviceByHand()]
  await addHandProfile(other, gone.url)
  await gone.stop()
  const away = await report(other, ['-p', 'hand'])
  expect(away.code).toBe(5)
  expect(away.of('service')).toMatchObject([{ verdict: 'bad', says: expect.stringContaining('ECONNREFUSED') }])
})

test('doctor: an untrusted certificate is bad (5); one that --ca-file vouches for is a notice with its end (0)', async () => {
  const { url } = await serviceByHand(undefined, true)
  const [home, trusting] = [newHome(), newHome()]
  await addHandProfile(home, url.replace('127.0.0.1', 'localhost'))
  const foreign = await report(home, ['-p', 'hand'])
  expect(foreign.code).toBe(5)
  expect(foreign.of('tls')).toMatchObject([{ verdict: 'bad', says: expect.stringContaining('not trusted') }])
  await addHandProfile(trusting, url.replace('127.0.0.1', 'localhost'), { 'ca-file': certificate })
  const trusted = await succeeds(report(trusting, ['-p', 'hand']))
  expect(trusted.of('tls')).toMatchObject([{ verdict: 'notice', says: expect.stringMatching(/^TLSv1\.3.*expires in/) }])
})

test('doctor: a missing client secret, and settings that are not JSON, are bad (5)', async () => {
  const { home } = await paid()
  const missing = await report(home, ['-p', 'hand'], { env: { PAYDESK_CLIENT_SECRET: '' } })
  expect(missing).toMatchObject({ code: 5 })
  expect(missing.of('secret')).toMatchObject([{ verdict: 'bad' }])
  writeFileSync(join(home, 'config', 'config.json'), '{"profiles": {')
  const broken = await report(home, ['-p', 'hand'])
  expect(broken.code).toBe(5)
  expect(broken.of('profile')).toMatchObject([{ verdict: 'bad', says: expect.stringContaining('not valid JSON') }])
})

test('doctor: an unknown payment is named by its journal id, without name, account, amount or secret', async () => {
  const home = newHome()
  const { url } = await serviceByHand(({ method, path }) =>
    method === 'POST' && path === '/api/distributor' ? 'reset' : undefined,
  )
  await addHandProfile(home, url)
  const lost = await paydesk([...create({ profile: 'hand', key: 'k-1' }), '--json'], {
    ...{ home, clock: hurriedClock(), random: impatient },
  })
  expect(lost.code, lost.stderr).toBe(9)
  const { code, stdout, json, of } = await report(home, ['-p', 'hand'])
  expect(code).toBe(0)
  expect(json.payments).toMatchObject([{ journalId: lost.error.journalId, state: 'unknown', profile: 'hand' }])
  expect(of('payments')).toMatchObject([{ verdict: 'notice', says: '1 unknown, 0 held' }])
  expect(of('payments')[0]?.next.join(' ')).toContain('paydesk resume --all')
  for (const own of ['GE29NB0000000101904917', 'Nino', '12.5', handSecret]) expect(stdout).not.toContain(own)
})
