/** A journal that cannot be trusted, and one that cannot be written. */
import { spawn } from 'node:child_process'
import { readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { create } from '../kit/payment.ts'
import { builtPaydesk, cleanEnv, program } from '../kit/program/built-paydesk.ts'
import { newHome, paydesk } from '../kit/program/paydesk.ts'
import { addHandProfile, serviceByHand } from '../kit/service/service-by-hand.ts'
import { ledgerOf, standingSandbox } from '../kit/world.ts'

// Processes of the built program, perhaps beside fifty others on two cores.
vi.setConfig({ testTimeout: 90_000 })

describe('a damaged journal is found and said (1), and nothing is sent', () => {
  const journal = (home: string) => join(home, 'journal', 'journal.db')

  const damages: readonly (readonly [string, (path: string) => void])[] = [
    ['overwritten from the start', (path) => writeFileSync(path, 'x'.repeat(statSync(path).size))],
    ['with a page of zeros', (path) => writeFileSync(path, Buffer.from(readFileSync(path)).fill(0, 4096, 8192))],
    ['cut in half', (path) => truncateSync(path, Math.floor(statSync(path).size / 2))],
    ['empty', (path) => truncateSync(path, 0)],
    ['deleted beside its mark', (path) => rmSync(path)],
  ]

  test.each(damages)('%s', async (_how, damage) => {
    const home = newHome()
    const { requests } = await standingSandbox(home)
    // A process of its own: nothing of this one has the file open when it is damaged.
    expect(await builtPaydesk(create({ amount: '1' }), home)).toMatchObject({ code: 0 })
    const before = requests.length
    damage(journal(home))
    for (const form of [[], ['--json']]) {
      const ended = await paydesk([...create({ amount: '3' }), ...form], { home })
      expect(ended.code, ended.stderr).toBe(1)
      expect(ended.stdout).toBe('')
      expect(ended.stderr).toContain('damaged')
      expect(ended.stderr).toContain('nothing was sent')
    }
    expect(requests).toHaveLength(before)
    expect((await builtPaydesk([...create({ amount: '4' }), '--json'], home)).code).toBe(1)
    expect(await ledgerOf(home)).toHaveLength(1)
  })

  test('one changed letter inside a cell', async () => {
    const home = newHome()
    const { requests } = await standingSandbox(home)
    const key = 'emp-17'
    const made = await builtPaydesk([...create({ key }), '--json'], home)
    const path = journal(home)
    const bytes = readFileSync(path)
    const at = bytes.indexOf('GE29NB0000000101904917')
    expect(at).toBeGreaterThan(0)
    bytes[at + 21] = '8'.charCodeAt(0)
    writeFileSync(path, bytes)
    const before = requests.length
    const ended = await paydesk([...create({ key }), '--json'], { home })
    expect(ended.code, `${made.stdout}${ended.stderr}`).toBe(1)
    expect(requests).toHaveLength(before)
  })
})

describe('a journal that cannot be written is 11, and nothing is sent', () => {
  test('PAYDESK_HOME below a file', async () => {
    const file = join(newHome(), 'file')
    writeFileSync(file, '')
    const service = await serviceByHand()
    for (const form of [[], ['--json']]) {
      const ended = await builtPaydesk([...create(), ...form], join(file, 'home'))
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
    const child = spawn(
      'sh',
      ['-c', 'ulimit -f "$0" && exec "$@"', String(blocks), process.execPath, program, ...argv],
      {
        env: cleanEnv(home, { NODE_COMPILE_CACHE: '', NODE_DISABLE_COMPILE_CACHE: '1' }),
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    )
    let [stdout, stderr] = ['', '']
    child.stdout.on('data', (chunk) => {
      stdout += chunk
    })
    child.stderr.on('data', (chunk) => {
      stderr += chunk
    })
    return new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })))
  }

  test.each([0, 8, 32, 64])('a disk with room for %i blocks: nothing is sent, and that is said', async (blocks) => {
    const home = newHome()
    const service = await serviceByHand()
    await addHandProfile(home, service.url)
    const ended = await onFullDisk(home, [...create({ profile: 'hand' }), '--json'], blocks)
    expect(ended.code, ended.stderr).toBe(11)
    expect([ended.stdout, service.creates]).toEqual(['', []])
  })

  test('a disk that fills up on the way: 11 with nothing sent, or 9 and resume, or done', async () => {
    const home = newHome()
    const service = await serviceByHand()
    await addHandProfile(home, service.url)
    expect(await builtPaydesk(create({ profile: 'hand', amount: '1' }), home)).toMatchObject({ code: 0 })
    const codes = new Set<number | null>()
    // A transaction may take a page more or less: several sizes lie where the answer can be lost.
    for (const [step, blocks] of [66, 114, 122, 132, 142, 154, 400].entries()) {
      const before = service.creates.length
      const ended = await onFullDisk(home, [...create({ profile: 'hand', amount: `${step + 2}` }), '--json'], blocks)
      codes.add(ended.code)
      const sent = service.creates.length - before
      const what = `${blocks} blocks: ${ended.code} ${ended.stderr}`
      expect([0, 9, 11], what).toContain(ended.code)
      expect(sent, what).toBe(ended.code === 11 ? 0 : 1)
      if (ended.code === 9) {
        const resumed = await builtPaydesk(['resume', '-p', 'hand', '--json'], home)
        expect(resumed.code, what + resumed.stderr).toBe(0)
      }
      const open = await builtPaydesk(['journal', 'list', '--state', 'unknown', '--json'], home)
      expect(open.stdout, what).toBe('[]\n')
    }
    expect(codes, 'all three ends are reached').toEqual(new Set([11, 9, 0]))
  })
})
