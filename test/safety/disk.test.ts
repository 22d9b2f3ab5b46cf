/** A journal that is damaged, and a disk on which the journal cannot be written: nothing is sent. */
import { spawn, spawnSync } from 'node:child_process'
import { cpSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test, vi } from 'vitest'
import { create } from '../kit/payment.ts'
import { builtPaydesk, cleanEnv, program } from '../kit/process.ts'
import { newHome, paydesk } from '../kit/program.ts'
import { temporaryDirectory } from '../kit/run/temporary.ts'
import { addHandProfile, serviceByHand } from '../kit/service.ts'
import { freePort, until } from '../kit/tools.ts'

// Processes of the built program, on a machine that may be busy with others.
vi.setConfig({ testTimeout: 120_000 })

const key = 'emp-17'

const changedLetter = (path: string) => {
  const bytes = readFileSync(path)
  const at = bytes.indexOf('GE29NB0000000101904917')
  expect(at).toBeGreaterThan(0)
  bytes[at + 21] = '8'.charCodeAt(0)
  writeFileSync(path, bytes)
}

const damages: readonly (readonly [string, (path: string) => void])[] = [
  ['overwritten from the start', (path) => writeFileSync(path, 'x'.repeat(statSync(path).size))],
  ['with a page of zeros', (path) => writeFileSync(path, Buffer.from(readFileSync(path)).fill(0, 4096, 8192))],
  ['cut in half', (path) => truncateSync(path, Math.floor(statSync(path).size / 2))],
  ['emptied', (path) => truncateSync(path, 0)],
  ['deleted beside its high-water mark', (path) => rmSync(path)],
  ['with one changed letter in the paid IBAN', changedLetter],
]

test('payout create, in this process and in the built program: damaged (1), nothing was sent, whatever the damage', async () => {
  const service = await serviceByHand()
  const whole = newHome()
  await addHandProfile(whole, service.url)
  // A process of its own: nothing of this one has the file open when it is copied.
  expect(await builtPaydesk(create({ profile: 'hand', key }), whole)).toMatchObject({ code: 0 })
  const sent = service.seen.length
  for (const [how, damage] of damages) {
    const home = join(temporaryDirectory('damaged'), 'home')
    cpSync(whole, home, { recursive: true })
    damage(join(home, 'journal', 'journal.db'))
    // The changed letter is found where the row is read: by the command of that row.
    const argv = create({ profile: 'hand', ...(damage === changedLetter ? { key } : {}) })
    for (const form of [[], ['--json']]) {
      const ended = await paydesk([...argv, ...form], { home })
      expect(ended.code, `${how}: ${ended.stderr}`).toBe(1)
      expect(ended.stdout).toBe('')
      expect(ended.stderr, how).toMatch(/nothing (more )?was sent/)
      expect(ended.stderr, how).toContain('damaged')
    }
    if (damage === changedLetter || how === 'cut in half') {
      const built = await builtPaydesk([...argv, '--json'], home)
      expect(built.code, `${how}: ${built.stderr}`).toBe(1)
    }
  }
  expect(service.seen).toHaveLength(sent)
})

test('payout create, PAYDESK_HOME below a file: unsent (11), and the hint keeps the home', async () => {
  const file = join(newHome(), 'file')
  writeFileSync(file, '')
  const service = await serviceByHand()
  const built = await builtPaydesk(create(), join(file, 'home'))
  const inThisProcess = await paydesk([...create(), '--json'], { home: join(file, 'home') })
  for (const ended of [built, inThisProcess]) {
    expect(ended.code, ended.stderr).toBe(11)
    expect(ended.stdout).toBe('')
    expect(ended.stderr).toContain('nothing was sent')
    // Another home would be another journal, which does not know what was paid.
    expect(ended.stderr).toContain('with the same PAYDESK_HOME')
    expect(ended.stderr).not.toMatch(/point PAYDESK_HOME/i)
  }
  expect(service.seen).toEqual([])
})

/** Runs the built program where no file may grow beyond so many blocks of 512 bytes: to a file, that is a full disk. */
function onFullDisk(
  home: string,
  argv: readonly string[],
  blocks: number,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn('sh', ['-c', 'ulimit -f "$0" && exec "$@"', String(blocks), process.execPath, program, ...argv], {
    env: cleanEnv(home, { NODE_COMPILE_CACHE: '', NODE_DISABLE_COMPILE_CACHE: '1' }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })))
}

test.each([0, 32, 64])('payout create, a disk with room for a journal of %i blocks: unsent (11)', async (blocks) => {
  const home = newHome()
  const service = await serviceByHand()
  await addHandProfile(home, service.url)
  const ended = await onFullDisk(home, [...create({ profile: 'hand' }), '--json'], blocks)
  expect(ended.code, ended.stderr).toBe(11)
  expect([ended.stdout, service.creates]).toEqual(['', []])
})

test('payout create, a disk that fills up on the way: unsent (11), unknown and resumed (9), or done (0)', async () => {
  const home = newHome()
  const service = await serviceByHand()
  await addHandProfile(home, service.url)
  // A process of its own: this one would leave more beside the journal, and less room.
  expect(await builtPaydesk(create({ profile: 'hand', amount: '1' }), home)).toMatchObject({ code: 0 })
  const codes = new Set<number | null>()
  // A transaction may take a page more or less: several sizes lie where the answer can be lost.
  const sizes = [66, 400, 122, 132, 114, 142, 154, 106, 98, 90, 82, 74]
  for (const [step, blocks] of sizes.entries()) {
    if (codes.size === 3) break
    const before = service.creates.length
    const ended = await onFullDisk(home, [...create({ profile: 'hand', amount: `${step + 2}` }), '--json'], blocks)
    codes.add(ended.code)
    const sent = service.creates.length - before
    const what = `${blocks} blocks: ${ended.code} ${ended.stderr}`
    expect([0, 9, 11], what).toContain(ended.code)
    expect(sent, what).toBe(ended.code === 11 ? 0 : 1)
    if (ended.code === 9) {
      const resumed = await paydesk(['resume', '-p', 'hand', '--json'], { home })
      expect(resumed.code, what + resumed.stderr).toBe(0)
    }
  }
  const open = await paydesk(['journal', 'list', '--state', 'unknown', '--json'], { home })
  expect(open.stdout).toBe('[]\n')
  expect(codes, 'all three ends are reached').toEqual(new Set([11, 0, 9]))
})

// The size that files of another process may have is changed by util-linux alone.
const limitsFiles = spawnSync('prlimit', ['--version']).status === 0

test.skipIf(!limitsFiles)(
  'callback listen, a disk that is full again and again: 503 until there is room, nothing that was taken is lost',
  async () => {
    const [home, port] = [newHome(), await freePort()]
    const argv = [program, 'callback', 'listen', '--port', String(port), '--json', '-p', 'sandbox']
    // As on a full disk, a write that does not fit fails; the signal that comes with it is let go by.
    const command = `trap '' XFSZ; exec "$0" "$@"`
    const child = spawn('/bin/sh', ['-c', command, process.execPath, ...argv], { env: cleanEnv(home) })
    const lines: string[] = []
    createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
    const end = new Promise((resolve) => child.on('close', resolve))
    const room = (bytes: string) => spawnSync('prlimit', ['--pid', String(child.pid), `--fsize=${bytes}:unlimited`])
    const events = (name: string) => lines.filter((line) => line.startsWith(`{"event":"${name}"`))
    const send = async (n: number) => {
      const answer = await fetch(`http://127.0.0.1:${port}/callback`, { method: 'POST', body: JSON.stringify({ n }) })
      await answer.text()
      return answer.status
    }
    await until('it listens', async () => events('ready').length > 0)
    const statuses = [await send(0)]
    const log = join(home, 'callbacks', 'callbacks.db-wal')
    // Somewhere on the way a callback is stored, and what was found in it is not.
    for (let kilobytes = 0; kilobytes <= 64; kilobytes += 4) {
      room(String(statSync(log).size + kilobytes * 1024))
      statuses.push(await send(kilobytes))
      await new Promise(setImmediate)
      room('unlimited')
    }
    statuses.push(await send(99))
    const taken = statuses.filter((status) => status === 200).length
    expect(new Set(statuses)).toEqual(new Set([200, 503]))
    expect(statuses.at(-1)).toBe(200)
    await until('all that was taken is opened', async () => events('callback').length === taken)
    child.kill('SIGTERM')
    expect(await end).toBe(143)
  },
)
