/** Files of people that give nothing yet: a pipe without a writer, a pipe whose writer is slow, a disk that does not answer. */
import { spawn, spawnSync } from 'node:child_process'
import { closeSync, constants, openSync, readdirSync, readlinkSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { cleanEnv, node, program, start } from '../kit/process.ts'
import { newHome } from '../kit/program.ts'

/** Processes of the built program, on a machine that may be busy with others. */
const patience = { timeout: 60_000 }
const soon = { timeout: 30_000 }

const onLinux = test.skipIf(process.platform !== 'linux')

function pipeIn(directory: string): string {
  const path = join(directory, 'pipe')
  expect(spawnSync('mkfifo', [path]).status).toBe(0)
  return path
}

/** Resolves when the process has opened the file. */
async function opened(pid: number | undefined, path: string): Promise<void> {
  const files = `/proc/${pid}/fd`
  const links = () => readdirSync(files).map((each) => readlinkSync(join(files, each)))
  await vi.waitFor(() => expect(links()).toContain(path), soon)
}

const reading: readonly (readonly [string, (path: string) => readonly string[]])[] = [
  ['batch check', (path) => ['batch', 'check', path, '-p', 'sandbox']],
  ['payout create --file', (path) => ['payout', 'create', '--file', path, '-p', 'sandbox', '--yes']],
  ['user register --file', (path) => ['user', 'register', '--file', path, '-p', 'sandbox', '--yes']],
  ['envelope inspect --file', (path) => ['envelope', 'inspect', '--file', path]],
]

const signals = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const

onLinux.each(reading.flatMap(([name, argv]) => signals.map((signal) => [name, ...signal, argv] as const)))(
  '%s, built program, of a pipe without a writer: %s ends it (%d)',
  patience,
  async (_name, signal, code, argv) => {
    const home = newHome()
    const path = pipeIn(home)
    const { child, end } = start(argv(path), home)
    await opened(child.pid, path)
    child.kill(signal)
    expect(await end).toMatchObject({ code, stderr: expect.stringContaining('sent') })
  },
)

onLinux.each(reading)(
  '%s, built program, of a pipe whose writer is slow: ^C ends it (130)',
  patience,
  async (_name, argv) => {
    const home = newHome()
    const path = pipeIn(home)
    const { child, end } = start(argv(path), home)
    await opened(child.pid, path)
    const writer = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK)
    writeSync(writer, '{"amount": "5",\n')
    child.kill('SIGINT')
    expect(await end).toMatchObject({ code: 130 })
    closeSync(writer)
  },
)

onLinux(
  'payout create --file, built program, of a pipe whose writer comes late: paid as it says (0)',
  patience,
  async () => {
    const home = newHome()
    const path = pipeIn(home)
    const { child, end } = start(['payout', 'create', '--file', path, '-p', 'sandbox', '--yes', '--json'], home)
    await opened(child.pid, path)
    const writer = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK)
    writeSync(writer, '{"amount": 5, "currency": "GEL", "beneficiaryName": "Nino",')
    writeSync(writer, '"toIban": "GE29NB0000000101904917", "description": "salary"}')
    closeSync(writer)
    expect(await end).toMatchObject({ code: 0, stdout: expect.stringContaining('"amount":5') })
  },
)

onLinux(
  'batch check, built program, a disk does not answer: the second ^C ends it, whatever a thread does',
  patience,
  async () => {
    const home = newHome()
    const [path, stuck] = [pipeIn(home), join(home, 'stuck')]
    expect(spawnSync('mkfifo', [stuck]).status).toBe(0)
    // A thread that opens a pipe without a writer waits as one does whose disk is away.
    const preload = join(home, 'stuck.cjs')
    writeFileSync(preload, `require('node:fs').open(${JSON.stringify(stuck)}, 'r', () => {})`)
    const argv = ['-r', preload, program, 'batch', 'check', path, '-p', 'sandbox']
    const child = spawn(node, argv, { env: cleanEnv(home), stdio: ['ignore', 'ignore', 'pipe'] })
    let said = ''
    child.stderr.on('data', (chunk) => {
      said += String(chunk)
    })
    const end = new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal })))
    await opened(child.pid, path)
    child.kill('SIGINT')
    await vi.waitFor(() => expect(said).toContain('stopped before anything was sent'), soon)
    child.kill('SIGINT')
    expect(await end).toEqual({ code: null, signal: 'SIGINT' })
  },
)
