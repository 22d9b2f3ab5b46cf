/** Places that others may write, told by their owner and their mode. */
import { geteuid } from 'node:process'
import { expect, test } from 'vitest'
import { othersMayWrite } from '../../src/lib/readable-file.ts'

test.skipIf(geteuid === undefined)('only this user and root are believed, and only where nobody else may write', () => {
  const own = geteuid?.() ?? 0
  for (const uid of [own, 0]) {
    for (const mode of [0o100600, 0o100644, 0o40755]) expect(othersMayWrite({ uid, mode })).toBeNull()
    for (const mode of [0o100620, 0o100602, 0o40770, 0o41777]) expect(othersMayWrite({ uid, mode })).toBe('mode')
  }
  expect(othersMayWrite({ uid: own + 4711, mode: 0o100600 })).toBe('owner')
})
