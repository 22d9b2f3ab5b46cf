/**
 * A second signal ends the built program at once, whatever it is at: with the promised code and one line that tells no lie
 * about money. The program is killed for real, at a service that never answers, and while another process has the journal.
 */
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { describe, expect, onTestFinished, test } from 'vitest'
import { create } from '../kit/payment.ts'
import { builtPaydesk, cleanEnv, program, type Running, start } from '../kit/program/built-paydesk.ts'
import { newHome } from '../kit/program/paydesk.ts'
import { isMissing, python } from '../kit/program/python.ts'
import { until } from '../kit/run/until.ts'
import { many, slice } from '../kit/run/whole.ts'
import {
  type Answering,
  addHandProfile,
  json,
  type ServiceByHand,
  serviceByHand,
} from '../kit/service/service-by-hand.ts'

const pairs = [
  ['SIGINT', 'SIGINT', 130, 'interrupted'],
  ['SIGTERM', 'SIGTERM', 143, 'terminated'],
  ['SIGINT', 'SIGTERM', 130, 'interrupted'],
] as const

type Signal = 'SIGINT' | 'SIGTERM'

/** Milliseconds: what a process needs to go, on a machine that has other things to do. A writer waits for a minute. */
const atOnce = 5_000

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

async function scene(answering: Answering) {
  const home = newHome()
  const service = await serviceByHand(answering)
  await addHandProfile(home, service.url)
  return { home, service, journal: join(home, 'journal', 'journal.db') }
}

/** Holds the write lock of the journal, as another process does that writes for long. */
function holdJournal(path: string): () => void {
  const database = new DatabaseSync(path, { timeout: 5_000 })
  database.exec('begin immediate')
  let held = true
  const free = () => {
    if (held) database.close()
    held = false
  }
  onTestFinished(free)
  return free
}

/** The first signal, a while in which it does not end, the second signal; and how long it took from there. */
async function stopTwice(
  { child, end }: Running,
  [first, second]: readonly [Signal, Signal, ...unknown[]],
  between = 300,
) {
  child.kill(first)
  await pause(between)
  const wasUp = child.exitCode === null && child.signalCode === null
  const since = performance.now()
  child.kill(second)
  return { ...(await end), wasUp, took: performance.now() - since }
}

/** True if the program has this file open; where the system does not tell, a pause has to do. */
async function hasOpen({ child }: Running, path: string): Promise<boolean> {
  const directory = `/proc/${child.pid}/fd`
  if (!existsSync('/proc/self/fd')) return pause(1_500).then(() => true)
  const links = existsSync(directory) ? readdirSync(directory) : []
  return links.some((link) => linkOf(join(directory, link)) === path)
}

/** Null where it is closed meanwhile. */
function linkOf(path: string): string | null {
  try {
    return readlinkSync(path)
  } catch {
    return null
  }
}

/** A second signal that comes while Node is clearing up ends it by itself, for a shell with the same code. */
const endsOf = (code: number) => [code, null]

/** The first of two signals; where both were on their way at once, the one that the system handed over first. */
function heardFirst([first, second, code, name]: readonly [Signal, Signal, number, string], exit: unknown) {
  const other = pairs.find((pair) => pair[0] === second && pair[1] === second)
  return first !== second && other && exit === other[2] ? { code: other[2], name: other[3] } : { code, name }
}

function lineOf(stderr: string): Record<string, unknown> {
  expect(stderr.trimEnd().split('\n'), stderr).toHaveLength(1)
  return (JSON.parse(stderr) as { error: Record<string, unknown> }).error
}

/** The one of the two that a person sends, and then the one that a machine does. */
const mixed = pairs.filter(([first, second]) => first !== second)

describe.each(slice(pairs, mixed))('%s, then %s', (...pair) => {
  const [, , code, name] = pair

  test('before anything is sent, while another has the journal: nothing was sent', async () => {
    const { home, service, journal } = await scene(() => undefined)
    await builtPaydesk(['journal', 'list'], home)
    holdJournal(journal)
    const running = start([...create({ profile: 'hand' }), '--json'], home)
    await until('it is signed in', async () => service.seen.length === 1)
    await pause(100)
    const ended = await stopTwice(running, pair)
    expect(ended).toMatchObject({ code, stdout: '' })
    expect(ended.took).toBeLessThan(atOnce)
    expect(lineOf(ended.stderr)).toMatchObject({ name, exit: code, moneyMoved: 'no', journalId: null })
    expect(service.creates).toEqual([])
  })

  test('the same with a --key, which another run may have sent since: nothing is denied', async () => {
    const { home, service, journal } = await scene(() => undefined)
    await builtPaydesk(['journal', 'list'], home)
    holdJournal(journal)
    const running = start([...create({ profile: 'hand', key: 'k-1' }), '--json'], home)
    await until('it is signed in', async () => service.seen.length === 1)
    await pause(100)
    const ended = await stopTwice(running, pair)
    expect(lineOf(ended.stderr)).toMatchObject({ name, exit: code, moneyMoved: 'unknown', journalId: null })
  })

  test('a conflict whose command comes again, while another has the journal: still unknown', async () => {
    const taken = json({ message: 'Duplicate', statusCode: 5017 }, 400)
    const { home, journal } = await scene(({ path }) => (path === '/api/distributor' ? taken : undefined))
    const again = [...create({ profile: 'hand', key: 'k-1' }), '--json']
    expect((await builtPaydesk(again, home)).code).toBe(7)
    holdJournal(journal)
    const running = start(again, home)
    await until('it has opened the journal', () => hasOpen(running, journal))
    await pause(1_000)
    const ended = await stopTwice(running, pair)
    expect(lineOf(ended.stderr)).toMatchObject({ name, exit: code, moneyMoved: 'unknown' })
    expect(ended.stderr).not.toContain('nothing was')
  })

  test.each([{ form: [] }, { form: ['--json'] }])(
    'in flight, the journal not to be written: unknown, and the line that resumes it ($form)',
    async ({ form }) => {
      const { home, service, journal } = await scene(({ path }) => (path === '/api/distributor' ? 'hang' : undefined))
      const running = start([...create({ profile: 'hand' }), ...form], home)
      await until('it is in flight', async () => service.creates.length === 1)
      const free = holdJournal(journal)
      const ended = await stopTwice(running, pair)
      expect(ended).toMatchObject({ wasUp: true, code, stdout: '' })
      expect(ended.took).toBeLessThan(atOnce)
      free()
      const [intent] = JSON.parse((await builtPaydesk(['journal', 'list', '--json'], home)).stdout)
      expect(intent.state).toBe('unknown')
      expect(ended.stderr).toContain(`paydesk resume ${intent.journalId}`)
      expect(ended.stderr).not.toContain('nothing was')
      if (form.length > 0) {
        const { journalId, uniqueId } = intent
        expect(lineOf(ended.stderr)).toMatchObject({ name, moneyMoved: 'unknown', journalId, uniqueId, exit: code })
      } else expect(ended.stderr).toMatch(new RegExp(`^${name}: `, 'm'))
      expect(service.creates).toHaveLength(1)
    },
  )

  test('a resume whose intent is open, while another has the journal: still unknown', async () => {
    const lost = await scene(({ path }) => (path === '/api/distributor' ? 'reset' : undefined))
    const first = await builtPaydesk([...create({ profile: 'hand', timeout: '1s' }), '--json'], lost.home)
    const { journalId } = lineOf(first.stderr)
    const seen = lost.service.seen.length
    holdJournal(lost.journal)
    const running = start(['resume', String(journalId), '--json'], lost.home)
    await until('it has opened the journal', () => hasOpen(running, lost.journal))
    const ended = await stopTwice(running, pair)
    expect(ended).toMatchObject({ wasUp: true, code, stdout: '' })
    expect(lineOf(ended.stderr)).toMatchObject({ name, moneyMoved: 'unknown', journalId })
    expect(ended.stderr).toContain(`paydesk resume ${journalId}`)
    expect(lost.service.creates.length, 'nothing more was sent').toBeLessThanOrEqual(seen)
  })

  test('while it waits for the end of what was accepted', async () => {
    const hangs: Answering = ({ path }) => (path === '/api/distributor/details' ? 'hang' : undefined)
    const { home, service, journal } = await scene(hangs)
    const running = start([...create({ profile: 'hand' }), '--wait', '--json'], home)
    await until('it reads', async () => service.seen.some(({ path }) => path === '/api/distributor/details'))
    holdJournal(journal)
    const ended = await stopTwice(running, pair, 2)
    const line = lineOf(ended.stderr)
    const heard = heardFirst(pair, line.exit)
    expect(endsOf(heard.code), ended.stderr).toContain(ended.code)
    expect(line).toMatchObject({ name: heard.name, moneyMoved: 'unknown', transactionId: '4711' })
    expect(ended.stderr).not.toContain('nothing was')
  })

  test('servers end by the first or the second, with one line', async () => {
    for (const argv of [
      ['sandbox', 'start', '--port', '0', '--json'],
      ['callback', 'listen', '--port', '0', '--json'],
    ]) {
      const running = start(argv, newHome())
      let out = ''
      running.child.stdout?.on('data', (piece) => {
        out += String(piece)
      })
      await until('it is ready', async () => out.includes('"ready"'))
      const ended = await stopTwice(running, pair, 2)
      const line = lineOf(ended.stderr)
      const heard = heardFirst(pair, line.exit)
      expect(endsOf(heard.code), `${argv.join(' ')}: ${ended.stderr}`).toContain(ended.code)
      expect(line).toMatchObject({ name: heard.name, moneyMoved: 'no' })
    }
  })
})

/** Milliseconds from the start of the program until its payout is in flight, on this machine as it is now. */
async function timeToSend(home: string, service: Pick<ServiceByHand, 'creates'>): Promise<number> {
  const began = performance.now()
  const { child, end } = start([...create({ profile: 'hand' }), '--json'], home)
  await until('it is in flight', () => service.creates.length === 1)
  const took = performance.now() - began
  child.kill('SIGKILL')
  await end
  return took
}

test('two signals at any moment: the code, one line, and the truth about money', { timeout: 120_000 }, async () => {
  const { home, service } = await scene(({ path }) => (path === '/api/distributor' ? 'hang' : undefined))
  const usual = await timeToSend(home, service)
  let withCode = 0
  for (const step of Array(many(20, 10)).keys()) {
    const at = usual * (0.4 + step / many(20, 10))
    const [before, heard] = [service.creates.length, service.seen.length]
    const running = start([...create({ profile: 'hand' }), '--json'], home)
    await pause(at)
    const ended = await stopTwice(running, pairs[step % 3] ?? pairs[0], step % 3)
    const sent = service.creates.length - before
    // Node itself was not up yet: nothing of paydesk had run.
    if (ended.code === null && ended.stderr === '' && service.seen.length === heard) continue
    withCode += 1
    expect([130, 143], `${Math.round(at)} ms: ${ended.signal} ${ended.stderr}`).toContain(ended.code)
    const { moneyMoved, journalId } = lineOf(ended.stderr)
    if (sent > 0) expect([moneyMoved, journalId]).toEqual(['unknown', expect.stringMatching(/^j-/)])
  }
  expect(withCode, 'the program was up when it was stopped').toBeGreaterThan(1)
  const listed = JSON.parse((await builtPaydesk(['journal', 'list', '--json'], home)).stdout) as { state: string }[]
  expect(listed.filter(({ state }) => state === 'unknown').length).toBeGreaterThanOrEqual(service.creates.length)
})

/** A terminal of its own, which node cannot make by itself. */
const terminal = `
import os, pty, select, signal, sys, time
pid, fd = pty.fork()
if pid == 0:
    os.execvp(sys.argv[2], sys.argv[2:])
seen = b''
sent = 0
end = time.time() + 20
while time.time() < end:
    ready, _, _ = select.select([fd], [], [], 0.05)
    if ready:
        try:
            piece = os.read(fd, 65536)
        except OSError:
            break
        if not piece: break
        seen += piece
    if b'How much' in seen and sent < 3:
        time.sleep(0.1 if sent == 0 else 0.01)
        try:
            if sys.argv[1] == 'key': os.write(fd, b'\\x03')
            else: os.kill(pid, getattr(signal, sys.argv[1]))
        except (OSError, ProcessLookupError): pass
        sent += 1
_, status = os.waitpid(pid, 0)
sys.stdout.buffer.write(seen)
sys.stdout.flush()
sys.exit(os.waitstatus_to_exitcode(status) if os.WIFEXITED(status) else 99)
`

test.skipIf(isMissing('import pty', 'two signals at a question')).each([
  ['key', 130, 'interrupted'],
  ['SIGINT', 130, 'interrupted'],
  ['SIGTERM', 143, 'terminated'],
] as const)('twice %s at a question ends with the code and the line', async (how, code, name) => {
  const argv = ['-c', terminal, how, process.execPath, program, 'payout', 'create', '-p', 'sandbox']
  const child = spawn(python, argv, {
    env: cleanEnv(newHome(), { TERM: 'xterm' }),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let screen = ''
  child.stdout.on('data', (piece) => {
    screen += String(piece)
  })
  const ended = await new Promise((resolve) => child.on('close', resolve))
  expect(screen).toContain('How much')
  expect(ended, screen).toBe(code)
  expect(screen).toContain(`${name}:`)
})
