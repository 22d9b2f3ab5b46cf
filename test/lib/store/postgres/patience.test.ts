import { expect, test } from 'vitest'
import { realClock } from '../../../../src/lib/edge.ts'
import { connectTimeout, retryWhileAway } from '../../../../src/lib/store/postgres/faults.ts'
import { openTeamStore } from '../../../../src/lib/store/postgres/open.ts'
import { steppingClock } from '../../../kit/clock.ts'
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

test('the wait for a server is told from its beginning to its end, and a host that never answers is waited for no longer', async () => {
  const told: string[] = []
  const away = () => {
    told.push('away')
    return () => void told.push('over')
  }
  const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
  const clock = steppingClock()
  let tries = 0
  const answers = await retryWhileAway(
    async () => {
      tries += 1
      if (tries < 4) throw refused
      return tries
    },
    { patience: 1_000, clock, away },
  )
  expect([answers, told]).toEqual([4, ['away', 'over']])
  const before = clock.passed()
  const timedOut = new Error('Connection terminated due to connection timeout')
  const silent = async () => {
    await clock.sleep(connectTimeout)
    throw timedOut
  }
  await expect(retryWhileAway(silent, { patience: 25_000, clock, away })).rejects.toBe(timedOut)
  expect([clock.passed() - before < 31_000, told]).toEqual([true, ['away', 'over', 'away', 'over']])
})
