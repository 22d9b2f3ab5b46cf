/** The second of two signals ends the built program at once, with the promised code and one true line about money. */
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { describe, expect, onTestFinished, test } from 'vitest'
import { hurriedClock, impatient } from '../kit/clock.ts'
import { create } from '../kit/payment.ts'
import { cleanEnv, isMissing, program, python, type Running, start } from '../kit/process.ts'
import { newHome, paydesk } from '../kit/program.ts'
import { type Answering, addHandProfile, type ServiceByHand, serviceByHand } from '../kit/service.ts'
import { until } from '../kit/tools.ts'

type Signal = 'SIGINT' | 'SIGTERM'
type Pair = readonly [first: Signal, second: Signal, code: number, name: string]

export const pairs: readonly Pair[] = [
  ['SIGINT', 'SIGINT', 130, 'interrupted'],
  ['SIGTERM', 'SIGTERM', 143, 'terminated'],
  ['SIGINT', 'SIGTERM', 130, 'interrupted'],
]

/** A person's signal, and then a machine's. */
export const mixedPair: Pair = ['SIGINT', 'SIGTERM', 130, 'interrupted']

/** Processes of the built program, on a machine that may be busy with others. */
const patience = { timeout: 120_000 }

/** Milliseconds. Without the second signal a writer would wait for the journal for a minute. */
const atOnce = 30_000

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

async function scene(answering: Answering) {
  const home = newHome()
  const service = await serviceByHand(answering)
  await addHandProfile(home, service.url)
  return { home, service, journal: join(home, 'journal', 'journal.db') }
}

const inThisProcess = (argv: readonly string[], home: string) =>
  paydesk(argv, { home, clock: hurriedClock(), random: impatient })

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

/** The first signal, a while in which the program does not end, the second signal; and how long it took from there. */
async function stopTwice({ child, end }: Running, [first, second]: Pair, between = 300) {
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
function heardFirst([first, second, code, name]: Pair, exit: unknown) {
  const other = pairs.find((pair) => pair[0] === second && pair[1] === second)
  return first !== second && other && exit === other[2] ? { code: other[2], name: other[3] } : { code, name }
}

function lineOf(stderr: string): Record<string, unknown> {
  expect(stderr.trimEnd().split('\n'), stderr).toHaveLength(1)
  return (JSON.parse(stderr) as { error: Record<string, unknown> }).error
}

const plain: readonly string[] = []
const asJson: readonly string[] = ['--json']

/** `forms`: with --json, without, or both, where the payout is in flight. */
export function twoSignals(pair: Pair, forms: readonly (readonly string[])[]): void {
  const [first, second, code, name] = pair
  const signals = `${first}, then ${second}`

  test(`payout create, ${signals}, journal locked before sending: nothing was sent (${code})`, patience, async () => {
    const { home, service, journal } = await scene(() => undefined)
    await inThisProcess(['journal', 'list'], home)
    holdJournal(journal)
    const running = start([...create({ profile: 'hand' }), '--json'], home)
    await until('it is signed in', () => service.seen.length === 1)
    const ended = await stopTwice(running, pair)
    expect(ended).toMatchObject({ code, stdout: '' })
    expect(ended.took).toBeLessThan(atOnce)
    expect(lineOf(ended.stderr)).toMatchObject({ name, exit: code, moneyMoved: 'no', journalId: null })
    expect(service.creates).toEqual([])
  })

  test(
    `payout create --key, ${signals}, journal locked before sending: an earlier run may have sent it, unknown (${code})`,
    patience,
    async () => {
      const { home, service, journal } = await scene(() => undefined)
      await inThisProcess(['journal', 'list'], home)
      holdJournal(journal)
      const running = start([...create({ profile: 'hand', key: 'k-1' }), '--json'], home)
      await until('it is signed in', () => service.seen.length === 1)
      const ended = await stopTwice(running, pair)
      expect(lineOf(ended.stderr)).toMatchObject({ name, exit: code, moneyMoved: 'unknown', journalId: null })
    },
  )

  test.each(forms.map((form) => [form.join(' ') || 'in words', form] as const))(
    `payout create, ${signals}, in flight with the journal locked: unknown, and the line names the resume (${code}; %s)`,
    patience,
    async (_, form) => {
      const { home, service, journal } = await scene(({ path }) => (path === '/api/distributor' ? 'hang' : undefined))
      const running = start([...create({ profile: 'hand' }), ...form], home)
      await until('it is in flight', () => service.creates.length === 1)
      const free = holdJournal(journal)
      const ended = await stopTwice(running, pair)
      expect(ended).toMatchObject({ wasUp: true, code, stdout: '' })
      expect(ended.took).toBeLessThan(atOnce)
      free()
      const [intent] = JSON.parse((await inThisProcess(['journal', 'list', '--json'], home)).stdout)
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

  test(
    `resume, ${signals}, journal locked: the intent stays unknown, nothing more is sent (${code})`,
    patience,
    async () => {
      const lost = await scene(({ path }) => (path === '/api/distributor' ? 'reset' : undefined))
      const made = await inThisProcess([...create({ profile: 'hand', timeout: '10s' }), '--json'], lost.home)
      expect(made.code, made.stderr).toBe(9)
      const { journalId } = made.error
      const sent = lost.service.creates.length
      holdJournal(lost.journal)
      const running = start(['resume', String(journalId), '--json'], lost.home)
      await until('it has opened the journal', () => hasOpen(running, lost.journal))
      const ended = await stopTwice(running, pair)
      expect(ended).toMatchObject({ wasUp: true, code, stdout: '' })
      expect(lineOf(ended.stderr)).toMatchObject({ name, moneyMoved: 'unknown', journalId })
      expect(ended.stderr).toContain(`paydesk resume ${journalId}`)
      expect(lost.service.creates).toHaveLength(sent)
    },
  )

  test(
    `payout create --wait, ${signals}, while it reads the status: unknown, with the transaction (${code})`,
    patience,
    async () => {
      const hangs: Answering = ({ path }) => (path === '/api/distributor/details' ? 'hang' : undefined)
      const { home, service, journal } = await scene(hangs)
      const running = start([...create({ profile: 'hand' }), '--wait', '--json'], home)
      await until('it reads', () => service.seen.some(({ path }) => path === '/api/distributor/details'))
      holdJournal(journal)
      const ended = await stopTwice(running, pair, 2)
      const line = lineOf(ended.stderr)
      const heard = heardFirst(pair, line.exit)
      expect(endsOf(heard.code), ended.stderr).toContain(ended.code)
      expect(line).toMatchObject({ name: heard.name, moneyMoved: 'unknown', transactionId: '4711' })
      expect(ended.stderr).not.toContain('nothing was')
    },
  )

  test.each(['sandbox start', 'callback listen'])(
    `%s, ${signals}: it ends with one line, nothing moved (${code})`,
    patience,
    async (server) => {
      const running = start([...server.split(' '), '--port', '0', '--json'], newHome())
      let out = ''
      running.child.stdout?.on('data', (piece) => {
        out += String(piece)
      })
      await until('it is ready', () => out.includes('"ready"'))
      const ended = await stopTwice(running, pair, 2)
      const line = lineOf(ended.stderr)
      const heard = heardFirst(pair, line.exit)
      expect(endsOf(heard.code), ended.stderr).toContain(ended.code)
      expect(line).toMatchObject({ name: heard.name, moneyMoved: 'no' })
    },
  )
}

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

/** At so many moments, from long before the payout is sent until it is in flight for sure. */
export function twoSignalsAtAnyMoment(moments: number): void {
  const title = `payout create, two signals at ${moments} moments of its start: the code, one line, and unknown once it was sent`
  test(title, { timeout: 240_000 }, async () => {
    const { home, service } = await scene(({ path }) => (path === '/api/distributor' ? 'hang' : undefined))
    const usual = await timeToSend(home, service)
    let withCode = 0
    for (const step of Array(moments).keys()) {
      const at = usual * (0.4 + step / moments)
      const [before, heard] = [service.creates.length, service.seen.length]
      const running = start([...create({ profile: 'hand' }), '--json'], home)
      // The last one is in flight, however busy the machine is.
      if (step === moments - 1) await until('it is in flight', () => service.creates.length > before)
      else await pause(at)
      const ended = await stopTwice(running, pairs[step % 3] ?? mixedPair, step % 3)
      const sent = service.creates.length - before
      // Node itself was not up yet: nothing of paydesk had run.
      if (ended.code === null && ended.stderr === '' && service.seen.length === heard) continue
      withCode += 1
      expect([130, 143], `${Math.round(at)} ms: ${ended.signal} ${ended.stderr}`).toContain(ended.code)
      const { moneyMoved, journalId } = lineOf(ended.stderr)
      if (sent > 0) expect([moneyMoved, journalId]).toEqual(['unknown', expect.stringMatching(/^j-/)])
    }
    expect(withCode, 'the program was up when it was stopped').toBeGreaterThan(0)
    const listed = (await inThisProcess(['journal', 'list', '--json'], home)).stdout
    const unknown = (JSON.parse(listed) as { state: string }[]).filter(({ state }) => state === 'unknown')
    expect(unknown.length).toBeGreaterThanOrEqual(service.creates.length)
  })
}

/** A terminal of its own, which node cannot make by itself. */
const terminal = `
import os, pty, select, signal, sys, time
pid, fd = pty.fork()
if pid == 0:
    os.execvp(sys.argv[2], sys.argv[2:])
seen = b''
sent = 0
end = time.time() + 100
while time.time() < end:
    ready, _, _ = select.select([fd], [], [], 0.05)
    if ready:
        try:
            piece = os.read(fd, 65536)
        except OSError:
            break
        if not piece: break
        seen += piece
    if b'Who is paid' in seen and sent < 3:
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

/** `key`: ^C as it is typed. */
export function twoSignalsAtAQuestion(...hows: readonly ('key' | Signal)[]): void {
  describe.skipIf(isMissing('import pty', 'two signals at a question'))('payout create at a terminal', () => {
    test.each(hows)(
      'payout create at a question, %s three times: it ends with the code and one line',
      patience,
      async (how) => {
        const [code, name] = how === 'SIGTERM' ? [143, 'terminated'] : [130, 'interrupted']
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
        expect(screen).toContain('Who is paid')
        expect(ended, screen).toBe(code)
        expect(screen).toContain(`${name}:`)
      },
    )
  })
}

export const everyForm = [plain, asJson]
export const jsonForm = [asJson]
