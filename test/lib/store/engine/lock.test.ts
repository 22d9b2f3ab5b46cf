import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { Failure } from '../../../../src/lib/failure.ts'
import { withLock } from '../../../../src/lib/store/engine/lock.ts'
import { temporaryDirectory } from '../../../kit/run/temporary.ts'

const holderScript = fileURLToPath(new URL('./hold-lock.ts', import.meta.url))

function place(): string {
  const directory = temporaryDirectory('lock')
  return join(directory, 'private', 'a.lock')
}

function started(path: string) {
  const child = spawn(process.execPath, ['--import', 'tsx', holderScript, path], { stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  let said = ''
  const heard = async (word: string) => {
    while (!said.includes(word)) said += String((await once(child.stdout, 'data'))[0])
  }
  return { child, heard }
}

/** Another process that holds the lock by the time this resolves. */
async function holder(path: string) {
  const { child, heard } = started(path)
  await heard('held')
  return child
}

async function failureOf(work: Promise<unknown>): Promise<Failure> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof Failure)) throw new Error(`no Failure but ${error}`)
  return error
}

const slow = { timeout: 30_000 }

test('a lock that another process holds is refused as locked when patience ends', slow, async () => {
  const path = place()
  await holder(path)
  const failure = await failureOf(withLock(path, async () => 'mine', { patience: 100 }))
  expect(failure.kind).toBe('locked')
  expect(failure.message).toContain(path)
})

test('a lock is had as soon as the other process lets go', slow, async () => {
  const path = place()
  const other = await holder(path)
  const mine = withLock(path, async () => 'mine')
  other.stdin.end()
  await expect(mine).resolves.toBe('mine')
})

test('a holder killed with kill -9 leaves no lock behind', slow, async () => {
  const path = place()
  const other = await holder(path)
  other.kill('SIGKILL')
  await once(other, 'exit')
  await expect(withLock(path, async () => 'mine', { patience: 1_000 })).resolves.toBe('mine')
})

test('within one process the work of a lock never overlaps', async () => {
  const path = place()
  let inside = 0
  let most = 0
  const work = async () => {
    inside += 1
    most = Math.max(most, inside)
    await wait(5)
    inside -= 1
  }
  await Promise.all(Array.from({ length: 8 }, () => withLock(path, work)))
  expect(most).toBe(1)
})

test('a waiter in the same process does not make it lose the lock to another process', slow, async () => {
  const path = place()
  let otherGotIn = false
  await withLock(path, async () => {
    expect((await failureOf(withLock(path, async () => undefined, { patience: 50 }))).kind).toBe('locked')
    const { heard } = started(path)
    await heard('ready')
    const other = heard('held').then(() => {
      otherGotIn = true
    })
    await Promise.race([other, wait(500)])
    expect(otherGotIn).toBe(false)
  })
})

test('work that fails gives the lock back and its error on', async () => {
  const path = place()
  const failing = withLock(path, async () => {
    throw new Error('spilled ink')
  })
  await expect(failing).rejects.toThrow('spilled ink')
  await expect(withLock(path, async () => 'mine', { patience: 0 })).resolves.toBe('mine')
})

test('a lock file is for its owner only and holds no data', async () => {
  const path = place()
  await withLock(path, async () => undefined)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700)
  expect(statSync(path).size).toBe(0)
})

test('a lock that cannot be made is unsent: nothing was changed', async () => {
  const path = place()
  await withLock(path, async () => undefined)
  const below = await failureOf(withLock(join(path, 'below.lock'), async () => undefined))
  expect(below.kind).toBe('unsent')
  writeFileSync(path, 'this is no database, and a long enough text to be taken for a damaged one'.repeat(20))
  const damaged = await failureOf(withLock(path, async () => undefined))
  expect(damaged.kind).toBe('unsent')
})
