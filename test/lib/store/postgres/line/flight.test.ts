/** Statements that wait: rows of one table leave together, and nothing overtakes what it needs. */
import { CompiledQuery } from 'kysely'
import { expect, test } from 'vitest'
import { deferred, type WrittenRow } from '../../../../../src/lib/store/engine/template.ts'
import { leaving } from '../../../../../src/lib/store/postgres/pipeline.ts'

const intent = { table: 'intents', key: ['id'], rank: 0 }
const attempt = { table: 'attempts', key: ['intent_id', 'number'], rank: 1 }
const row = (of: Omit<WrittenRow, 'values' | 'isNew'>, isNew: boolean, values: WrittenRow['values']) =>
  deferred(CompiledQuery.raw('one row'), { ...of, isNew, values })
const opened = (id: string) => row(intent, true, { id, state: 'unknown' })
const tried = (id: string) => row(attempt, true, { intent_id: id, number: 1 })
const ended = (id: string, state = 'accepted') => row(intent, false, { state, id })

const rowsIn = (parameters: readonly unknown[]): unknown => JSON.parse(String(parameters[0]))

test('rows that are written alike are one statement, and what others refer to is there before them', () => {
  const all = leaving([tried('a'), opened('b'), tried('b'), opened('c'), tried('c')])
  expect(all.map(({ sql }) => sql)).toEqual([
    'insert into "intents" ("id", "state") select given."id", given."state" from json_populate_recordset(null::"intents", $1) as given',
    'insert into "attempts" ("intent_id", "number") select given."intent_id", given."number" from json_populate_recordset(null::"attempts", $1) as given',
  ])
  expect(all.map(({ parameters }) => rowsIn(parameters))).toEqual([
    ['b', 'c'].map((id) => ({ id, state: 'unknown' })),
    ['a', 'b', 'c'].map((id) => ({ intent_id: id, number: 1 })),
  ])
})

test('a change names the row by its key and writes the other columns', () => {
  const [one] = leaving([ended('a'), ended('b')])
  expect(one?.sql).toBe(
    'update "intents" as own set "state" = given."state" from json_populate_recordset(null::"intents", $1) as given where own."id" = given."id"',
  )
})

test('a row that is written twice is written in two statements, in their order', () => {
  const all = leaving([ended('z'), opened('a'), ended('a', 'refused'), ended('a')])
  expect(all.map(({ sql, parameters }) => [sql.split(' ')[0], rowsIn(parameters)])).toEqual([
    ['update', [{ state: 'accepted', id: 'z' }]],
    ['insert', [{ id: 'a', state: 'unknown' }]],
    ['update', [{ state: 'refused', id: 'a' }]],
    ['update', [{ state: 'accepted', id: 'a' }]],
  ])
})

test('a statement that stands by itself keeps its place', () => {
  const sum = deferred(CompiledQuery.raw('a sum'))
  const all = leaving([opened('a'), sum, opened('b')])
  expect(all.map(({ sql, of }) => [sql.split(' ')[0], of])).toEqual([
    ['insert', null],
    ['a', sum],
    ['insert', null],
  ])
})

test('half of a surrogate pair leaves as the sign for what cannot be shown, as on the wire', () => {
  const [one] = leaving([row(intent, true, { id: 'a', state: 'x\ud800y 🙂' })])
  expect(rowsIn(one?.parameters ?? [])).toEqual([{ id: 'a', state: 'x\ufffdy 🙂' }])
})
