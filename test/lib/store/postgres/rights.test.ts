/** Roles without rights: exit 4 with the GRANT to run, which is then enough. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { realClock } from '../../../../src/lib/edge.ts'
import type { Failure } from '../../../../src/lib/failure.ts'
import { hintInWords } from '../../../../src/lib/hint.ts'
import { openTeamStore } from '../../../../src/lib/store/postgres/open.ts'
import { type Notes, notesSchema, write } from '../../../kit/notes.ts'
import { postgresServer } from '../../../kit/postgres.ts'
import { password } from '../../../kit/run/postgres-server.ts'

const server = postgresServer()
const settings = { machine: realClock, patience: 2_000 }

/** A new role, and the address of a store for it. */
async function newRole() {
  const address = await server.newAddress()
  const role = `r${randomUUID().replaceAll('-', '')}`
  await server.run(address, `create role ${role} login password '${password}'`)
  return { address, role, own: address.replace('//paydesk@', `//${role}@`) }
}

const failureOf = (work: Promise<unknown>): Promise<Failure> =>
  work.then(
    () => {
      throw new Error('it was let in')
    },
    (failure: Failure) => failure,
  )

/** The statement of the advice. */
function grantIn({ kind, facts: { hints = [] } }: Failure): string {
  const words = hints.map((each) => hintInWords(each))
  expect([kind, words.length]).toEqual(['credentials', 1])
  return /^An administrator of the database runs: (.*);$/.exec(words[0] ?? '')?.[1] ?? ''
}

test('a role that may not make tables is told the grant for its schema, and has rights enough with it', async () => {
  const { address, role, own } = await newRole()
  const grant = grantIn(await failureOf(openTeamStore(own, notesSchema, settings)))
  expect(grant).toMatch(new RegExp(`^grant usage, create on schema "s\\w+" to "${role}"$`))
  await server.run(address, grant)
  const store = await openTeamStore<Notes>(own, notesSchema, settings)
  await write(store, 'mine')
  await store.close()
})

test('a role that may not write the tables of another one is told the grant for them', async () => {
  const { address, role, own } = await newRole()
  await (await openTeamStore<Notes>(address, notesSchema, settings)).close()
  const [{ current_schema: schema } = {}] = await server.run(address, 'select current_schema()')
  await server.run(address, `grant usage, create on schema ${schema} to ${role}`)
  const grant = grantIn(await failureOf(openTeamStore(own, notesSchema, settings)))
  expect(grant).toBe(`grant select, insert, update, delete on all tables in schema "${schema}" to "${role}"`)
  await server.run(address, grant)
  const store = await openTeamStore<Notes>(own, notesSchema, settings)
  await server.run(address, `revoke insert on notes from ${role}`)
  const later = await failureOf(write(store, 'mine'))
  expect([grantIn(later), later.message]).toEqual([grant, expect.stringContaining('nothing was sent')])
  await store.close()
})

test('a schema that is not there is made for the role', async () => {
  const { address, role } = await newRole()
  const elsewhere = address.replace(/search_path%3D\w+/, `search_path%3D${role}`)
  expect(grantIn(await failureOf(openTeamStore(elsewhere, notesSchema, settings)))).toBe(
    `create schema "${role}" authorization "paydesk"`,
  )
})

test('a role that may not connect is told the grant for the database', async () => {
  const { address, role, own } = await newRole()
  const [{ current_database: database } = {}] = await server.run(address, 'select current_database()')
  await server.run(address, `revoke connect on database ${database} from public`)
  const grant = grantIn(await failureOf(openTeamStore(own, notesSchema, settings)))
  await server.run(address, `grant connect on database ${database} to public`)
  expect(grant).toBe(`grant connect on database "${database}" to "${role}"`)
})
