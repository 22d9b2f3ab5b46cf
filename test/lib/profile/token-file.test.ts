import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tokenFiles } from '../../../src/lib/profile/token-file.ts'
import { drawer, put } from '../../kit/profile.ts'

const start = 1_000_000

function files(directory = join(drawer(), 'tokens')) {
  const time = { now: start }
  const tokens = tokenFiles(directory, { now: () => time.now })
  return { tokens, time, directory }
}

test('a token is found again by its key, by another process too', async () => {
  const { tokens, directory } = files()
  await tokens.write('a', 'token-a', start, start + 60_000)
  expect(await tokens.read('a')).toEqual({ token: 'token-a', goodUntil: start + 60_000 })
  expect(await tokens.read('b')).toBeNull()
  expect(await tokenFiles(directory, { now: () => start }).read('a')).toEqual({
    token: 'token-a',
    goodUntil: start + 60_000,
  })
})

test('a token that has ended, or that the clock says comes from the future, is none', async () => {
  const { tokens, time } = files()
  await tokens.write('a', 'token', start, start + 1_000)
  time.now = start + 1_000
  expect(await tokens.read('a')).toBeNull()
  time.now = start - 1
  expect(await tokens.read('a')).toBeNull()
  time.now = start
  expect(await tokens.read('a')).not.toBeNull()
})

test('a token that is forgotten is gone, twice as well', async () => {
  const { tokens, directory } = files()
  await tokens.write('a', 'token', start, start + 1_000)
  await tokens.forget('a')
  await tokens.forget('a')
  expect(await tokens.read('a')).toBeNull()
  expect(readdirSync(directory)).toEqual([])
})

test('a damaged file is no token, whatever is in it', async () => {
  const { tokens, directory } = files()
  await tokens.write('a', 'token', start, start + 1_000)
  const [name = ''] = readdirSync(directory)
  const about = { obtainedAt: start, goodUntil: start + 1_000 }
  const damaged = ['', '{', 'null', '[]', '{"token":"x"}', JSON.stringify({ ...about, token: 'a\r\nb' })]
  for (const text of [...damaged, JSON.stringify({ ...about, token: '' }), JSON.stringify({ ...about, token: 1 })]) {
    writeFileSync(join(directory, name), text)
    expect(await tokens.read('a')).toBeNull()
  }
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.string(), fc.json()), async (text) => {
      writeFileSync(join(directory, name), text)
      expect(await tokens.read('a')).toBeNull()
    }),
    { numRuns: 50 },
  )
})

test('a place that cannot be written keeps no token and stops no command', async () => {
  const { tokens } = files(join(put(drawer(), 'file', ''), 'tokens'))
  await tokens.write('a', 'token', start, start + 1_000)
  expect(await tokens.read('a')).toBeNull()
  await tokens.forget('a')
})

test('writers of the same token at once leave one whole file', async () => {
  const { tokens, directory } = files()
  mkdirSync(directory)
  await Promise.all(Array.from({ length: 20 }, (_, index) => tokens.write('a', `token-${index}`, start, start + 1_000)))
  expect((await tokens.read('a'))?.token).toMatch(/^token-\d+$/)
  expect(readdirSync(directory)).toHaveLength(1)
})
