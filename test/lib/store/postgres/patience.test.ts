import { expect, test } from 'vitest'
import { realClock } from '../../../../src/lib/edge.ts'
import { openTeamStore } from '../../../../src/lib/store/postgres/open.ts'
import { notesSchema } from '../../../kit/notes.ts'
import { freePort } from '../../../kit/tools.ts'

test('all that waits for a server that is away may listen to one signal, without a warning on stderr', async () => {
  const warnings: Error[] = []
  const hear = (warning: Error) => warnings.push(warning)
  process.on('warning', hear)
  const { signal } = new AbortController()
  const address = `postgres://paydesk@127.0.0.1:${await freePort()}/away`
  const settings = { machine: realClock, patience: 500, signal }
  const opening = Array.from({ length: 20 }, () => openTeamStore(address, notesSchema, settings))
  const ends = await Promise.allSettled(opening)
  process.off('warning', hear)
  expect(ends.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 'rejected'))
  expect(warnings).toEqual([])
})
