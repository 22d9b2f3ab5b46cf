/** The built program killed for real, and a journal that cannot be trusted or written. */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { builtPaydesk, cleanEnv, program, start } from '../kit/built-paydesk.ts'
import { newHome, paydesk } from '../kit/paydesk.ts'
import { create } from '../kit/payment.ts'
import { addHandProfile, serviceByHand } from '../kit/service-by-hand.ts'
import { until } from '../kit/until.ts'
import { addFault, clearFaults, ledgerOf, standingSandbox } from '../kit/world.ts'

interface Entry {
  readonly journalId: string
  readonly uniqueId: string
  readonly state: string
}

const journalOf = async (home: string) =>
  (await paydesk(['journal', 'list', '--json'], { home })).json as unknown as readonly Entry[]

describe('kill -9 between intent and outcome', () => {
  test.each([
    { at: 'before', ledger: 0, outcome: 'accepted' },
    { at: 'after', ledger: 1, outcome: 'exists' },
  ] as const)(
    '$at the service has seen it: resume settles at once, executed exactly once',
    async ({ at, ledger, outcome }) => {
      const home = newHome()
      await standingSandbox(home)
      await addFault(home, { at, kind: 'hang' })
      const { child, end } = start([...create(), '--json'], home)
      await until('the intent is in the journal', async () => (await journalOf(home)).length === 1)
      if (ledger > 0) await until('the service executed it', async () => (await ledgerOf(home)).length === 1)
      else await until('the fault struck', async () => (await journalOf(home)).length === 1)
      await wait(100)
      child.kill('SIGKILL')
      expect(await end).toMatchObject({ signal: 'SIGKILL', stdout: '', stderr: '' })
      expect(await ledgerOf(home)).toHaveLength(ledger)
      const [intent] = await journalOf(home)
      expect(intent).toMatchObject({ state: 'unknown' })
      await clearFaults(home)
      const resumed = await builtPaydesk(['resume', '-p', 'sandbox', '--json'], home)
      expect(resumed.code, resumed.stderr).toBe(0)
      expect(JSON.parse(resumed.stdout)).toMatchObject([
        { outcome, journalId: intent?.journalId, uniqueId: intent?.uniqueId },
      ])
      expect(await ledgerOf(home)).toMatchObject([{ executions: 1, uniqueId: intent?.uniqueId }])
    },
  )

  test('with the sandbox inside the killed process, too', async () => {
    const home = newHome()
    await addFault(home, { at: 'after', kind: 'hang' })
    const { child, end } = start([...create({ key: 'emp-17' }), '--json'], home)
    await until('the service executed it', async () => (await ledgerOf(home)).length === 1)
    child.kill('SIGKILL')
    await end
    const again = await builtPaydesk([...create({ key: 'emp-17' }), '--json'], home)
    expect(again.code, again.stderr).toBe(0)
    expect(JSON.parse(again.stdout)).toMatchObject({ outcome: 'exists' })
    expect(await ledgerOf(home)).toMatchObject([{ executions: 1 }])
  })

  test('at the sign-in: nothing was intended, nothing is open, nothing was executed', async () => {
    const home = newHome()
    const { requests } = await standingSandbox(home)
    await addFault(home, { op: 'auth.token', at: 'after', kind: 'hang' })
    const { child, end } = start(create(), home)
    await until('the journal exists', () => existsSync(join(home, 'journal', 'journal.db')))
    await wait(300)
    child.kill('SIGKILL')
    await end
    expect(await journalOf(home)).toEqual([])
    expect(await builtPaydesk(['resume', '-p', 'sandbox', '--json'], home)).toMatchObject({ code: 0, stdout: '[]\n' })
    expect(await ledgerOf(home)).toEqual([])
    expect(requests).not.toContain('POST /api/distributor')
  })

  test('while it waits for the next repeat', async () => {
    const home = newHome()
    await standingSandbox(home)
    await addFault(home, { at: 'after', kind: '429', times: 9 })
    const { child, end } = start(create(), home)
    await until(
      'it says that it repeats',
      () =>
        new Promise((resolve) => {
          child.stderr?.once('data', () => resolve(true))
        }),
    )
    await until('the service executed it', async () => (await ledgerOf(home)).length === 1)
    await wait(200)
    child.kill('SIGKILL')
    await end
    await clearFaults(home)
    const [intent] = await journalOf(home)
    const again = await builtPaydesk([...create({ 'unique-id': String(intent?.uniqueId) }), '--json'], home)
    expect(again.code, again.stderr).toBe(0)
    expect(await ledgerOf(home)).toMatchObject([{ executions: 1 }])
  })

  test('at any moment: what the service executed, the journal knows, and resume settles it', async () => {
    const home = newHome()
    await standingSandbox(home)
    await builtPaydesk(create({ amount: '1' }), home)
    const whole = Date.now()
    await builtPaydesk(create({ amount: '2' }), home)
    const usual = Date.now() - whole
    const moments = Array.from({ length: 10 }, (_, step) => usual * (0.4 + step * 0.06))
    for (const [step, moment] of moments.entries()) {
      const { child, end } = start(create({ amount: `${step + 3}` }), home)
      await wait(moment)
      child.kill('SIGKILL')
      await end
    }
    const resumed = await builtPaydesk(['resume', '-p', 'sandbox', '--json'], home)
    expect(resumed.code, resumed.stderr).toBe(0)
    const [executed, intents] = [await ledgerOf(home), await journalOf(home)]
    expect(executed.map(({ uniqueId }) => uniqueId).toSorted()).toEqual(
      intents.map(({ uniqueId }) => uniqueId).toSorted(),
    )
    expect(executed.every(({ executions }) => executions === 1)).toBe(true)
    expect(intents.every(({ state }) => state === 'accepted' || state === 'exists')).toBe(true)
  })
})

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
    for (const amount of ['1', '2']) expect(await builtPaydesk(create({ amount }), home)).toMatchObject({ code: 0 })
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
    expect(await ledgerOf(home)).toHaveLength(2)
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

  test('a disk without room: nothing is sent', async () => {
    const home = newHome()
    const service = await serviceByHand()
    await addHandProfile(home, service.url)
    for (const blocks of [0, 8, 32, 64]) {
      const ended = await onFullDisk(home, [...create({ profile: 'hand' }), '--json'], blocks)
      expect(ended.code, ended.stderr).not.toBe(0)
      expect(ended.stdout).toBe('')
      expect(service.creates).toEqual([])
    }
  })

  // The engine rolls back by itself, kysely's rollback then fails and hides why; and `all()` throws errors without a code.
  test.fails('a disk without room is told as 11', async () => {
    const home = newHome()
    const service = await serviceByHand()
    await addHandProfile(home, service.url)
    for (const blocks of [0, 8, 32, 64]) {
      const ended = await onFullDisk(home, [...create({ profile: 'hand' }), '--json'], blocks)
      expect(ended.code, `${blocks} ${ended.stderr}`).toBe(11)
    }
  })

  test.fails('a disk that fills up on the way: 11 with nothing sent, or 9 and resume, or done', async () => {
    const home = newHome()
    const service = await serviceByHand()
    await addHandProfile(home, service.url)
    expect(await builtPaydesk(create({ profile: 'hand', amount: '1' }), home)).toMatchObject({ code: 0 })
    const codes = new Set<number | null>()
    for (const [step, blocks] of [66, 82, 98, 114, 130, 400].entries()) {
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
    expect([...codes], 'both ends of the scale are reached').toEqual(expect.arrayContaining([11, 0]))
  })
})
