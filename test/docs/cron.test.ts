/** The page about cron and its script: the script as it stands, with the built program and the sandbox. */
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { cleanEnv, node, type ProcessEnd, program } from '../kit/process.ts'
import { newHome, paydesk } from '../kit/program.ts'
import { temporaryDirectory } from '../kit/run/temporary.ts'
import { addHandProfile, json, serviceByHand } from '../kit/service.ts'
import { until } from '../kit/tools.ts'
import { addFault, clearFaults, ledgerOf } from '../kit/world.ts'
import { root } from './typed/page.ts'

vi.setConfig({ testTimeout: 120_000 })

const script = join(root, 'docs/deploy/pay-folder.sh')

/** A folder and a home of one job; `run` is what cron does, with the environment that the page names. */
function job(profile = 'sandbox') {
  const [folder, home, bin] = [temporaryDirectory('cron'), newHome(), temporaryDirectory('bin')]
  mkdirSync(join(folder, 'payments'))
  writeFileSync(join(bin, 'paydesk'), `#!/bin/sh\nexec "${node}" "${program}" "$@"\n`)
  chmodSync(join(bin, 'paydesk'), 0o755)
  const env = { ...cleanEnv(home, { PAYDESK_PROFILE: profile, PAYDESK_PATH: `${bin}:/usr/bin:/bin` }), PATH: '/bin' }
  const start = () => {
    const child = spawn('/bin/sh', [script, folder], { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
    let [stdout, stderr] = ['', '']
    child.stdout.on('data', (piece) => {
      stdout += piece
    })
    child.stderr.on('data', (piece) => {
      stderr += piece
    })
    const end = new Promise<Omit<ProcessEnd, 'log'>>((resolve) => {
      child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }))
    })
    return { child, end }
  }
  return {
    home,
    start,
    run: () => start().end,
    drop: (key: string, more: Readonly<Record<string, unknown>> = {}) => {
      const payment = { amount: 12.5, currency: 'GEL', description: 'Salary', toIban: 'GE29NB0000000101904917' }
      const text = JSON.stringify({ ...payment, beneficiaryName: 'ნინო ბერიძე', ...more })
      writeFileSync(join(folder, 'payments', `${key}.json`), text)
    },
    folder,
    names: (place: string) => readdirSync(join(folder, place)).toSorted(),
    isFree: async () => spawnSync('flock', ['-n', join(folder, 'pay.lock'), 'true']).status === 0,
    log: () => readFileSync(join(folder, 'pay.log'), 'utf8'),
  }
}

test('the lines of the page for cron run the script, with its variables', async () => {
  const [folder, home, bin] = [temporaryDirectory('cron'), newHome(), temporaryDirectory('bin')]
  mkdirSync(join(folder, 'payments'))
  const installed = join(bin, 'pay-folder.sh')
  cpSync(script, installed)
  writeFileSync(join(bin, 'paydesk'), `#!/bin/sh\nexec "${node}" "${program}" "$@"\n`, { mode: 0o755 })
  const [, table = ''] =
    /^```crontab\n([\s\S]*?)^```$/m.exec(readFileSync(join(root, 'docs/how-to/cron.md'), 'utf8')) ?? []
  const own = table
    .replace('/usr/local/bin/pay-folder.sh', installed)
    .replaceAll('/opt/pay', folder)
    .replace('/var/lib/paydesk', home)
    .replace('acme', 'sandbox')
  const lines = own.trimEnd().split('\n')
  const variables = lines.filter((line) => /^[A-Z_]+=/.test(line)).map((line) => line.split('='))
  const jobs = lines.filter((line) => !/^[A-Z_]+=/.test(line))
  expect(jobs).toHaveLength(1)
  const [, command = ''] = /^\S+ \S+ \S+ \S+ \S+ (.*)$/.exec(jobs[0] ?? '') ?? []
  const env = { ...Object.fromEntries(variables), PATH: '/usr/bin:/bin', PAYDESK_PATH: `${bin}:/usr/bin:/bin` }
  const ended = spawnSync('/bin/sh', ['-c', command], { env, encoding: 'utf8' })
  expect([ended.status, ended.stdout, ended.stderr]).toEqual([0, '', ''])
})

const executions = async (home: string) => (await ledgerOf(home)).map((payout) => payout.executions)

test('each file is paid once, with a receipt; nothing is mailed, and a second run has nothing to do', async () => {
  const { drop, run, names, home, log } = job()
  drop('emp-17')
  drop('emp-18', { amount: 20 })
  expect(await run()).toEqual({ code: 0, signal: null, stdout: '', stderr: '' })
  expect(names('payments')).toEqual([])
  expect(names('paid')).toEqual(['emp-17.json', 'emp-17.receipt', 'emp-18.json', 'emp-18.receipt'])
  for (const key of ['emp-17', 'emp-18'])
    expect(log()).toMatch(new RegExp(`^[\\d-]+T[\\d:]+[+-][\\d:]+ key=${key} id=[\\da-f-]{36} accepted$`, 'm'))
  expect(await run()).toMatchObject({ code: 0, stdout: '', stderr: '' })
  // The same file again is the same payment.
  drop('emp-17')
  expect(await run()).toMatchObject({ code: 0, stdout: '' })
  expect(await executions(home)).toEqual([1, 1])
})

test('what is unknown is mailed, and the next run finds out without paying anew', async () => {
  const { drop, run, names, home, log } = job()
  await addFault(home, { at: 'after', kind: 'reset', times: 100 })
  drop('emp-17')
  const first = await run()
  expect(first).toMatchObject({ code: 9, stderr: '' })
  expect(first.stdout).toMatch(/^A payment has no definite answer\. Do not pay it anew/)
  expect(log()).toMatch(/^\d{4}-\d\d-\d\dT[\d:]{8}[+-]\d\d:\d\d key=emp-17 id=[0-9a-f-]{36} unknown: /m)
  expect(names('payments')).toEqual(['emp-17.json'])
  await clearFaults(home)
  expect(await run()).toMatchObject({ code: 0, stdout: '' })
  expect(names('paid')).toContain('emp-17.json')
  expect(await executions(home)).toEqual([1])
})

test('what is refused or wrong is put aside and not mailed; the others are paid', async () => {
  const { drop, run, names, home, log } = job()
  drop('a-wrong', { toIban: 'GE00' })
  drop('b-refused', { currency: 'EUR' })
  drop('c-right')
  const ended = await run()
  expect(ended.stdout).toBe('')
  expect(ended.code, log()).toBe(5)
  expect(names('refused')).toEqual(['a-wrong.json', 'b-refused.json'])
  expect(names('paid')).toEqual(['c-right.json', 'c-right.receipt'])
  expect(log()).toMatch(/key=a-wrong wrong input: --to-iban must be/)
  expect((await executions(home)).every((times) => times === 1)).toBe(true)
})

test.each(["it's", 'a "b" $c `d`', 'two  words', '*', 'ნინო', '"', '$(id)'])(
  'a file named %j is paid with one line of the log, and stops no other',
  async (name) => {
    const { drop, run, names, home, log } = job()
    drop(name)
    drop('z-last', { amount: 3 })
    const ended = await run()
    expect(ended, log()).toMatchObject({ code: 0, stdout: '', stderr: '' })
    expect(names('payments')).toEqual([])
    expect(names('paid')).toEqual([`${name}.json`, `${name}.receipt`, 'z-last.json', 'z-last.receipt'].toSorted())
    expect(log().match(/^.* key=.* accepted$/gm), log()).toHaveLength(2)
    expect(await executions(home)).toEqual([1, 1])
  },
)

test.each(['-p', '--help', '-e s,a,b,', '-', ' a', 'b ', 'one\ntwo'])(
  'a file named %j, which is no key, is put aside with a line of the log and a mail, and stops no other',
  async (name) => {
    const { drop, run, names, home, log } = job()
    drop(name)
    drop('z-last', { amount: 3 })
    const ended = await run()
    const shown = name.replace('\n', '?')
    expect(ended, log()).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(`\n${shown}: is no key`),
      stderr: '',
    })
    expect(log()).toContain(`key=${shown} is no key`)
    expect([names('payments'), names('refused')]).toEqual([[], [`${name}.json`]])
    expect(await executions(home)).toEqual([1])
  },
)

test('what is no file, or cannot be moved, stops no other: the log says so, and it is mailed', async () => {
  const { drop, run, names, home, folder, log } = job()
  mkdirSync(join(folder, 'payments', 'a-folder.json'))
  expect(spawnSync('mkfifo', [join(folder, 'payments', 'b-pipe.json')]).status).toBe(0)
  symlinkSync('/nowhere', join(folder, 'payments', 'c-link.json'))
  drop('d-stuck')
  mkdirSync(join(folder, 'paid', 'd-stuck.json', 'full'), { recursive: true })
  drop('e-last', { amount: 3 })
  const ended = await run()
  expect(ended, log()).toMatchObject({ code: 1, stderr: '' })
  for (const key of ['a-folder', 'b-pipe', 'c-link']) {
    expect(ended.stdout).toContain(`${key}: is no regular file`)
    expect(log()).toContain(`key=${key} is no regular file`)
  }
  expect(ended.stdout).toContain('d-stuck: could not be moved to paid/')
  expect(names('refused')).toEqual(['a-folder.json', 'b-pipe.json', 'c-link.json'])
  expect(names('payments')).toEqual(['d-stuck.json'])
  expect(names('paid')).toContain('e-last.json')
  expect(await executions(home)).toEqual([1, 1])
})

test('a payment that was left unknown, and that the same run finds accepted, is not mailed', async () => {
  const { drop, run, names, home, log } = job('hand')
  let lost = 1000
  const { url } = await serviceByHand(({ method, path }) => {
    if (method !== 'POST' || path !== '/api/distributor') return undefined
    lost -= 1
    return lost >= 0 ? 'reset' : undefined
  })
  await addHandProfile(home, url)
  drop('emp-17')
  expect(await run()).toMatchObject({ code: 9, stdout: expect.stringContaining('no definite answer') })
  // As many attempts as `resume` makes: those of the file itself are answered.
  lost = 5
  expect(await run(), log()).toMatchObject({ code: 0, stdout: '' })
  expect(names('paid')).toContain('emp-17.json')
})

test('credentials that do not work are mailed (4), one file that they are refused for stops no other', async () => {
  const { drop, run, names, home, log } = job('hand')
  const { url } = await serviceByHand(({ method, path, body }) =>
    method === 'POST' && path === '/api/distributor' && /"amount":1(?:\.0+)?[,}]/.test(body)
      ? json({ statusCode: 5003, message: 'Not permitted' }, 403)
      : undefined,
  )
  await addHandProfile(home, url)
  drop('a-refused', { amount: 1 })
  drop('b-right')
  const ended = await run()
  expect(ended, log()).toMatchObject({ code: 4 })
  expect(ended.stdout).toContain('a-refused: ended with code 4')
  expect([names('payments'), names('paid')]).toEqual([['a-refused.json'], ['b-right.json', 'b-right.receipt']])
})

test('what is turned away stays, and the next run pays it once', async () => {
  const { drop, run, names, home } = job('hand')
  let isBusy = true
  const { url } = await serviceByHand(({ method, path }) =>
    isBusy && method === 'POST' && path === '/api/distributor'
      ? { status: 429, headers: { 'retry-after': '3600' }, body: '' }
      : undefined,
  )
  await addHandProfile(home, url)
  drop('emp-17')
  expect(await run()).toMatchObject({ code: 5, stdout: '' })
  expect([names('payments'), names('refused')]).toEqual([['emp-17.json'], []])
  isBusy = false
  expect(await run()).toMatchObject({ code: 0, stdout: '' })
  expect(names('paid')).toContain('emp-17.json')
})

test('what is over a limit stays, and the journal keeps it as held', async () => {
  const { drop, run, names, home } = job('hand')
  await addHandProfile(home, (await serviceByHand()).url)
  await paydesk(['profile', 'add', 'hand', '--limit', 'GEL 20/day'], { home })
  drop('emp-17')
  drop('emp-18', { amount: 13 })
  expect(await run()).toMatchObject({ code: 13, stdout: '' })
  expect([names('paid'), names('payments')]).toEqual([['emp-17.json', 'emp-17.receipt'], ['emp-18.json']])
  const held = await paydesk(['journal', 'list', '--state', 'held', '--json'], { home })
  expect(held.stdout).toContain('"key":"emp-18"')
})

test('killed in the middle of a payment, the next run pays it once', async () => {
  const { drop, start, run, names, home, isFree } = job()
  await addFault(home, { at: 'after', kind: 'hang', times: 1 })
  drop('emp-17')
  const { child, end } = start()
  await until('the payment is executed', async () => (await ledgerOf(home)).length > 0)
  // The whole group, as a machine that stops.
  process.kill(-Number(child.pid), 'SIGKILL')
  await end
  await until('the last process of the group is gone, and the lock with it', isFree)
  expect(await run()).toMatchObject({ code: 0, stdout: '' })
  expect(names('paid')).toContain('emp-17.json')
  expect(await executions(home)).toEqual([1])
})

test('two runs at once: one goes its way, and every file is paid once', async () => {
  const { drop, run, names, home } = job()
  for (const key of ['emp-17', 'emp-18', 'emp-19']) drop(key, { amount: Number(key.slice(4)) })
  const ended = await Promise.all([run(), run(), run()])
  expect(ended.map(({ code }) => code)).toEqual([0, 0, 0])
  expect(names('payments')).toEqual([])
  expect(await executions(home)).toEqual([1, 1, 1])
})

test('a job that names no profile, or no folder, pays nothing and says so', async () => {
  const { home } = job()
  for (const env of [{}, { PAYDESK_PROFILE: 'sandbox' }]) {
    const argv = Object.keys(env).length === 0 ? [script, home] : [script]
    const child = spawn('/bin/sh', argv, { env: { ...env, PATH: '/bin' }, stdio: ['ignore', 'ignore', 'pipe'] })
    let said = ''
    child.stderr.on('data', (piece) => {
      said += piece
    })
    const code = await new Promise((resolve) => child.on('close', resolve))
    expect(code).not.toBe(0)
    expect(said).toMatch(/name the (profile|folder)/)
  }
})
