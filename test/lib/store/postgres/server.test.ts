/** Servers that may not keep a store. */
import { expect, test } from 'vitest'
import { realClock } from '../../../../src/lib/edge.ts'
import { openTeamStore } from '../../../../src/lib/store/postgres/open.ts'
import { notesSchema } from '../../../kit/notes.ts'
import { ownPostgresServer } from '../../../kit/postgres.ts'

const server = ownPostgresServer({ fsync: 'off' })

test('a server that may lose commits is refused (2)', async () => {
  await expect(openTeamStore(await server.newAddress(), notesSchema, { machine: realClock })).rejects.toMatchObject({
    kind: 'usage',
    message: expect.stringContaining('may lose commits (fsync is off)'),
  })
})

test('a database that does not wait for the disk is refused (2), whoever asked for it', async () => {
  const address = await server.newAddress()
  await server.run(address, 'alter role paydesk set synchronous_commit = off')
  await expect(openTeamStore(address, notesSchema, { machine: realClock })).rejects.toMatchObject({
    kind: 'usage',
    message: expect.stringContaining('may lose commits'),
  })
})
