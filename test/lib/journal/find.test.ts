/** A name stands for what bears it as an id, and only else for what bears it as a key. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { matchName, nameIn } from '../../../src/lib/journal/find.ts'
import { intent } from '../../kit/store.ts'

const id = '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11'
const other = '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a99'
const idsOf = (typed: string, known: Parameters<typeof matchName>[0]) => {
  const { by, intents } = matchName(known, nameIn(typed))
  return [by, intents.map(({ journalId }) => journalId)]
}

describe('a name', () => {
  const own = intent({ journalId: 'j-000000000001', uniqueId: id, transactionId: '4711' })
  const refund = intent({ journalId: 'j-000000000002', uniqueId: other, body: `{"integratorOrderId":"${id}"}` })
  const keyed = intent({ journalId: 'j-000000000003', uniqueId: 'x', idempotencyKey: id })
  const numbered = intent({ journalId: 'j-000000000004', uniqueId: 'y', idempotencyKey: '4711' })
  const known = [numbered, keyed, refund, own]

  test.each([
    ['j-000000000003', 'id', [keyed]],
    ['J-000000000001', 'id', [own]],
    [id, 'id', [refund, own]],
    [id.toUpperCase(), 'id', [refund, own]],
    [other, 'id', [refund]],
    ['4711', 'id', [own]],
    [`key:${id}`, 'key', [keyed]],
    ['key:4711', 'key', [numbered]],
    [`id:${id}`, 'id', [refund, own]],
    ['id:y', 'id', [numbered]],
    ['key:y', null, []],
    ['z', null, []],
  ] as const)('%s stands by %s for its own', (typed, by, intents) => {
    expect(idsOf(typed, known)).toEqual([by, intents.map(({ journalId }) => journalId)])
  })

  test('that is an id of one intent never means one whose key reads alike', () => {
    const text = fc.constantFrom(id, other, '4711', 'a', 'b')
    const members = fc.record({ uniqueId: text, idempotencyKey: fc.option(text), transactionId: fc.option(text) })
    fc.assert(
      fc.property(fc.array(members), text, (list, typed) => {
        const intents = list.map((each, at) => intent({ ...each, journalId: `j-${at}` }))
        const bearing = intents.filter(({ uniqueId, transactionId }) => [uniqueId, transactionId].includes(typed))
        const { intents: found } = matchName(intents, nameIn(typed))
        if (bearing.length > 0) expect(found).toEqual(bearing)
        else expect(found).toEqual(intents.filter(({ idempotencyKey }) => idempotencyKey === typed))
      }),
    )
  })
})
