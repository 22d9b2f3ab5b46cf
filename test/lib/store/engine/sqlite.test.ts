import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { Failure } from '../../../../src/lib/failure.ts'
import type { Schema } from '../../../../src/lib/store/engine/store.ts'
import { commitsOf, notesIn, notesSchema, openNotes, readTwice, write } from '../../../kit/notes.ts'
import { temporaryDirectory } from '../../../kit/run/temporary.ts'

// Programs are started, which all that runs beside holds up.
vi.setConfig({ testTimeout: 60_000 })

const script = join(import.meta.dirname, 'use-store.ts')

function place(): string {
  const directory = temporaryDirectory('store')
  return join(directory, 'journal', 'journal.db')
}

/** Another process at the same store. */
function other(path: string, name: string, count: number, then: 'end' | 'wait' | 'die' | 'linger') {
  const argv = ['--import', 'tsx', script, path, name, String(count), then]
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  let said = ''
  child.stdout.on('data', (chunk) => {
    said += chunk
  })
  const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>
  const heard = async (word: string) => {
    while (!said.includes(word)) {
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(`it ended and said only "${said}"`)
      await Promise.race([once(child.stdout, 'data'), closed])
    }
  }
  return { child, heard, closed, said: () => said }
}

async function failureOf(work: Promise<unknown>): Promise<Failure> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof Failure)) throw new Error(`no Failure but ${error}`)
  return error
}

/** A store with so many notes, closed. */
async function written(path: string, count: number): Promise<void> {
  const store = await openNotes(path)
  for (let done = 1; done <= count; done += 1) await write(store, `${String(done).padStart(4, '0')} ${'x'.repeat(300)}`)
  await store.close()
}

/** A store whose process was killed after so many commits: all of them are in the WAL still. */
async function killed(path: string, count: number): Promise<void> {
  const { child, heard, closed } = other(path, 'child', count, 'wait')
  await heard(`done ${count}`)
  child.kill('SIGKILL')
  await closed
}

/** A copy of a closed store, to be harmed. */
function copied(source: string): string {
  const path = place()
  mkdirSync(join(path, '..'), { recursive: true })
  for (const end of ['', '-wal', '-mark']) if (existsSync(source + end)) copyFileSync(source + end, path + end)
  return path
}

async function expectDamaged(path: string): Promise<void> {
  const failure = await failureOf(openNotes(path))
  expect(failure.kind).toBe('bug')
  expect(failure.message).toMatch(new RegExp(`^the notebook ${path} is damaged: .*; nothing was sent$`, 's'))
  expect(failure.facts.moneyMoved).toBe('no')
}

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8)
}

describe('a store', () => {
  test('keeps its commits for the next process that opens it', async () => {
    const path = place()
    await written(path, 3)
    const store = await openNotes(path)
    expect(await notesIn(store)).toHaveLength(3)
    expect(await commitsOf(store)).toBe(3)
    expect(statSync(`${path}-mark`).size).toBe(3)
    await store.close()
  })

  test('is for its owner only, from the first byte, with all its files', async () => {
    const path = place()
    const before = process.umask(0)
    try {
      const store = await openNotes(path)
      await write(store, 'a')
      expect(['', '-wal', '-shm', '-mark'].map((end) => modeOf(path + end))).toEqual(['600', '600', '600', '600'])
      expect(modeOf(join(path, '..'))).toBe('700')
      rmSync(`${path}-mark`)
      await write(store, 'b')
      expect(modeOf(`${path}-mark`)).toBe('600')
      await store.close()
      chmodSync(path, 0o644)
      const again = await openNotes(path)
      await write(again, 'c')
      expect(['', '-wal', '-shm', '-mark'].map((end) => modeOf(path + end))).toEqual(['600', '600', '600', '600'])
      await again.close()
    } finally {
      process.umask(before)
    }
  })

  test('forgets what a failing transaction did, and goes on', async () => {
    const path = place()
    const store = await openNotes(path)
    const failing = store.write(async (db) => {
      await db.insertInto('notes').values({ text: 'lost' }).execute()
      throw new Error('spilled ink')
    })
    await expect(failing).rejects.toThrow('spilled ink')
    await write(store, 'kept')
    expect(await notesIn(store)).toEqual(['kept'])
    expect([await commitsOf(store), statSync(`${path}-mark`).size]).toEqual([1, 1])
    await store.close()
  })

  test('commits one by one what is asked of it at once, from two sides', async () => {
    const path = place()
    const stores = [await openNotes(path), await openNotes(path)]
    const sides = stores.flatMap((store, side) =>
      Array.from({ length: 10 }, (_, each) => write(store, `${side} ${each}`)),
    )
    await Promise.all(sides)
    for (const store of stores) expect(await notesIn(store)).toHaveLength(20)
    for (const store of stores) await store.close()
    expect(statSync(`${path}-mark`).size).toBe(20)
  })
})

describe('the schema', () => {
  const second: Schema = {
    ...notesSchema,
    version: 2,
    migrations: [
      async (db) => {
        await db.schema.alterTable('notes').addColumn('colour', 'text').execute()
      },
    ],
  }

  test('migrates forwards and keeps what is there', async () => {
    const path = place()
    await written(path, 2)
    for (let times = 0; times < 2; times += 1) {
      const store = await openNotes(path, {}, second)
      expect(await notesIn(store)).toHaveLength(2)
      await store.close()
    }
  })

  test('of another version is refused with the line that sets it aside, and the file is left as it is', async () => {
    const path = place()
    const store = await openNotes(path, {}, second)
    await write(store, 'new')
    await store.close()
    const failure = await failureOf(openNotes(path))
    expect([failure.kind, failure.exit]).toEqual(['usage', 2])
    expect(failure.message).toBe(
      `the notebook ${path} was written by another version of paydesk (schema 2; this version reads 1)`,
    )
    const again = await openNotes(path, {}, second)
    expect(await notesIn(again)).toEqual(['new'])
    await again.close()
  })

  test('stays as it was when a step of it fails', async () => {
    const path = place()
    await written(path, 1)
    const failing: Schema = {
      ...second,
      version: 3,
      migrations: [
        ...(second.migrations ?? []),
        async () => {
          throw new Error('spilled ink')
        },
      ],
    }
    await expect(openNotes(path, {}, failing)).rejects.toThrow('spilled ink')
    const store = await openNotes(path)
    expect(await notesIn(store)).toHaveLength(1)
    await store.close()
  })

  test('is made once by eight processes that come at once, and none of their commits is lost or counted twice', async () => {
    const path = place()
    const all = Array.from({ length: 8 }, (_, each) => other(path, `process ${each}`, 5, 'end'))
    expect(await Promise.all(all.map(({ closed }) => closed))).toEqual(all.map(() => [0, null]))
    const store = await openNotes(path)
    expect(await notesIn(store)).toHaveLength(40)
    expect([await commitsOf(store), statSync(`${path}-mark`).size]).toEqual([40, 40])
    await store.close()
  })
})

describe('damage', () => {
  const harms: readonly (readonly [string, (path: string) => void])[] = [
    ['overwritten with garbage', (path) => writeFileSync(path, randomBytes(statSync(path).size))],
    ['overwritten with text', (path) => writeFileSync(path, 'this is no database\n'.repeat(500))],
    [
      'without its head',
      (path) => writeFileSync(path, Buffer.concat([Buffer.alloc(100), readFileSync(path).subarray(100)])),
    ],
    ['with a page of zeros', (path) => writeFileSync(path, readFileSync(path).fill(0, 4096 * 2, 4096 * 3))],
    ['truncated to half', (path) => truncateSync(path, Math.floor(statSync(path).size / 8192) * 4096)],
    ['truncated in the middle of a page', (path) => truncateSync(path, Math.floor(statSync(path).size / 2) + 100)],
    ['truncated to one page', (path) => truncateSync(path, 4096)],
    ['truncated to nothing', (path) => truncateSync(path, 0)],
    ['deleted', (path) => rmSync(path)],
  ]

  test('of a file is found and said, and never taken for a new file', async () => {
    const source = place()
    expect(await other(source, 'x'.repeat(300), 60, 'end').closed).toEqual([0, null])
    expect(statSync(source).size).toBeGreaterThan(4 * 4096)
    for (const [what, harm] of harms) {
      const path = copied(source)
      harm(path)
      const said = await failureOf(openNotes(path)).catch(() => null)
      expect([what, said?.kind, said?.facts.moneyMoved]).toEqual([what, 'bug', 'no'])
      expect(said?.message).toMatch(/^the notebook .* is damaged: .*; nothing was sent$/s)
      // Stays so: nothing mends it behind the back of its owner, who must look at it.
      expect((await failureOf(openNotes(path))).kind).toBe('bug')
    }
  })

  test('by an old copy put back is found by the commits it does not have', async () => {
    const path = place()
    expect(await other(path, 'old', 2, 'end').closed).toEqual([0, null])
    copyFileSync(path, `${path}.old`)
    expect(await other(path, 'new', 1, 'end').closed).toEqual([0, null])
    copyFileSync(`${path}.old`, path)
    const failure = await failureOf(openNotes(path))
    expect(failure.message).toContain('it holds 2 commits, but 3 were made')
  })

  test('a file without its mark is taken as it is, and marked anew', async () => {
    const path = place()
    await written(path, 3)
    rmSync(`${path}-mark`)
    await (await openNotes(path)).close()
    expect(statSync(`${path}-mark`).size).toBe(3)
  })
})

describe('a process that was killed', () => {
  test('loses none of its commits', async () => {
    const path = place()
    await killed(path, 5)
    expect(existsSync(`${path}-wal`)).toBe(true)
    const store = await openNotes(path)
    expect(await notesIn(store)).toHaveLength(5)
    await store.close()
  })

  const harms: readonly (readonly [string, (wal: string) => void])[] = [
    ['deleted', (wal) => rmSync(wal)],
    ['truncated to nothing', (wal) => truncateSync(wal, 0)],
    ['truncated to its head', (wal) => truncateSync(wal, 32)],
    ['truncated to half', (wal) => truncateSync(wal, Math.floor(statSync(wal).size / 2))],
    ['one byte short', (wal) => truncateSync(wal, statSync(wal).size - 1)],
    ['overwritten with garbage', (wal) => writeFileSync(wal, randomBytes(statSync(wal).size))],
    [
      'with one bit turned',
      (wal) => {
        const bytes = readFileSync(wal)
        const at = bytes.length - 2_000
        bytes[at] = (bytes[at] ?? 0) ^ 1
        writeFileSync(wal, bytes)
      },
    ],
  ]

  test('whose WAL is harmed afterwards has lost something, and that is said', async () => {
    const source = place()
    await killed(source, 5)
    for (const [what, harm] of harms) {
      const path = copied(source)
      harm(`${path}-wal`)
      const failure = await failureOf(openNotes(path))
      expect([what, failure.kind, /is damaged: /.test(failure.message)]).toEqual([what, 'bug', true])
    }
  })

  test('between its commit and the mark has committed, and the mark catches up', async () => {
    const path = place()
    const { closed } = other(path, 'child', 3, 'die')
    expect(await closed).toEqual([null, 'SIGKILL'])
    expect(statSync(`${path}-mark`).size).toBe(2)
    const store = await openNotes(path)
    expect(await notesIn(store)).toEqual(['child 1', 'child 2', 'child 3'])
    expect(statSync(`${path}-mark`).size).toBe(3)
    await store.close()
    const copy = copied(path)
    rmSync(`${copy}-wal`)
    await expectDamaged(copy)
  })
})

test('a read sees the store as it was at one moment, whatever others commit meanwhile', async () => {
  const path = place()
  const [store, other] = [await openNotes(path), await openNotes(path)]
  await write(store, 'first')
  expect(await readTwice(store, other)).toEqual([['first'], ['first']])
  expect(await notesIn(store)).toEqual(['first', 'meanwhile'])
  await store.close()
  await other.close()
})

test('a process that is slow between its commit and the mark makes no other believe in commits that never were', async () => {
  const path = place()
  const { heard, closed } = other(path, 'child', 2, 'linger')
  await heard('committed')
  const meanwhile = await openNotes(path)
  expect(await notesIn(meanwhile)).toEqual(['child 1', 'child 2'])
  writeFileSync(`${path}-go`, '')
  expect(await closed).toEqual([0, null])
  expect(statSync(`${path}-mark`).size).toBe(2)
  await write(meanwhile, 'mine')
  await meanwhile.close()
  const store = await openNotes(path)
  expect([await commitsOf(store), statSync(`${path}-mark`).size]).toEqual([3, 3])
  await store.close()
})

test('a commit waits until the disk has it, keys of other tables hold, and the WAL is on', async () => {
  const store = await openNotes(place())
  const pragma = (name: string) => store.read(async (db) => (await sql.raw(`pragma ${name}`).execute(db)).rows)
  expect(await pragma('synchronous'), 'FULL is 2').toEqual([{ synchronous: 2 }])
  expect(await pragma('foreign_keys')).toEqual([{ foreign_keys: 1 }])
  expect(await pragma('journal_mode')).toEqual([{ journal_mode: 'wal' }])
  await store.close()
})

describe('a place that cannot be written', () => {
  test('a full disk is unsent, what was begun is not there, and the store can still be read', async () => {
    const path = place()
    await written(path, 3)
    const store = await openNotes(path, { maxPages: Math.ceil(statSync(path).size / 4096) })
    const failure = await failureOf(write(store, 'x'.repeat(100_000)))
    expect([failure.kind, failure.exit]).toEqual(['unsent', 11])
    expect(failure.message).toMatch(/^the notebook .* cannot be written: .*full.*; nothing was sent$/)
    expect(await notesIn(store)).toHaveLength(3)
    expect([await commitsOf(store), statSync(`${path}-mark`).size]).toEqual([3, 3])
    await store.close()
  })

  test('a disk that is full from the start is unsent', async () => {
    expect((await failureOf(openNotes(place(), { maxPages: 1 }))).kind).toBe('unsent')
  })

  test('a path below a file and a directory in the place of the file are unsent', async () => {
    const path = place()
    await written(path, 1)
    expect((await failureOf(openNotes(join(path, 'below.db')))).kind).toBe('unsent')
    expect((await failureOf(openNotes(join(path, '..')))).kind).toBe('unsent')
  })

  test('a network file system is refused by name, before SQLite touches the file', async () => {
    const path = place()
    const failure = await failureOf(openNotes(path, { fileSystemType: () => 0x6969 }))
    expect([failure.kind, failure.exit]).toEqual(['usage', 2])
    expect(failure.message).toBe(`the notebook ${path} is on a network file system (NFS), where locks are not reliable`)
    expect(existsSync(`${path}-wal`)).toBe(false)
    expect(statSync(path).size).toBe(0)
  })
})

const shared = { sharesCommits: true } as const

test('writes that wait at the same time are durable with one commit; alone each has its own', async () => {
  const path = place()
  const store = await openNotes(path, shared)
  await Promise.all(['a', 'b', 'c'].map((text) => write(store, text)))
  expect([await notesIn(store), await commitsOf(store)]).toEqual([['a', 'b', 'c'], 1])
  await write(store, 'd')
  expect([await commitsOf(store), statSync(`${path}-mark`).size]).toEqual([2, 2])
  // Another connection sees what was told.
  expect(await notesIn(await openNotes(path))).toHaveLength(4)
})

test('each sees what those before it wrote, and one that fails is undone alone', async () => {
  const store = await openNotes(place(), shared)
  const count = () =>
    store.write(async (db) => {
      await db.insertInto('notes').values({ text: 'counted' }).execute()
      return (await db.selectFrom('notes').select('text').execute()).length
    })
  const failing = store.write(async (db) => {
    await db.insertInto('notes').values({ text: 'undone' }).execute()
    throw new Error('changed my mind')
  })
  const outcomes = await Promise.allSettled([count(), failing, count(), count()])
  expect(outcomes.map((each) => (each.status === 'fulfilled' ? each.value : each.reason.message))).toEqual([
    ...[1, 'changed my mind', 2, 3],
  ])
  expect(await notesIn(store)).toEqual(['counted', 'counted', 'counted'])
})

test('one that fails alone commits nothing', async () => {
  const store = await openNotes(place(), shared)
  await expect(store.write(async () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await commitsOf(store)).toBe(0)
  await write(store, 'after')
  expect(await commitsOf(store)).toBe(1)
})

test('a disk that fills up in the middle: every writer is told, and none has written', async () => {
  const path = place()
  const before = await openNotes(path)
  await write(before, 'first')
  await before.close()
  const store = await openNotes(path, { ...shared, maxPages: Math.ceil(statSync(path).size / 4096) })
  const outcomes = await Promise.allSettled([write(store, 'a'), write(store, 'x'.repeat(100_000)), write(store, 'b')])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  for (const each of outcomes) if (each.status === 'rejected') expect(each.reason.kind).toBe('unsent')
  expect([await notesIn(store), await commitsOf(store)]).toEqual([['first'], 1])
})

test('many rounds of many, by two connections of one process, lose and double nothing', async () => {
  const path = place()
  const stores = [await openNotes(path, shared), await openNotes(path, shared)]
  const texts = Array.from({ length: 200 }, (_, at) => `note ${String(at).padStart(3, '0')}`)
  await Promise.all(texts.map((text, at) => write(stores[at % 2] as (typeof stores)[0], text)))
  const [one] = stores
  if (!one) throw new Error('no store')
  expect(await notesIn(one)).toEqual(texts)
  expect(statSync(`${path}-mark`).size).toBe(await commitsOf(one))
})
