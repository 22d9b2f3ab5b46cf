/** A receipt says what paydesk knows, whatever the service calls the members of its answer. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { doneOf } from '../../../src/lib/desk/receipts.ts'
import { readJson, writeJson } from '../../../src/lib/json.ts'
import { intent } from '../../kit/store.ts'

const canceled = intent({
  operation: 'order.cancel',
  state: 'accepted',
  status: 'CANCELED',
  body: '{"integratorOrderId":"id"}',
  payee: 'order id',
})

const own = {
  ...{ outcome: 'accepted', operation: 'order.cancel', integratorOrderId: 'id', status: 'CANCELED', currency: null },
  ...{
    journalId: 'j-1',
    journalHead: '7-0123456789abcdef01234567',
    profile: 'acme',
    environment: 'live',
    replayed: false,
  },
}

const never = [
  'moneyMoved',
  'error',
  'dryRun',
  'payee',
  'idUnknown',
  'sumConfirmed',
  'finalizeBy',
  'secondsLeft',
  'toJSON',
]
const names = [
  ...Object.keys(own),
  ...never,
  'warnings',
  'amount',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'note',
]

const receipt = (answer: string) =>
  doneOf(
    { intent: { ...canceled, answer }, replayed: false, warnings: [] },
    { journal: { head: own.journalHead }, naming: () => null },
  )

describe('a hostile answer', () => {
  test('overwrites nothing that is of paydesk, whatever it is called', () => {
    const value = fc.oneof(
      fc.string(),
      fc.boolean(),
      fc.constant(null),
      fc.dictionary(fc.constantFrom(...names), fc.string()),
    )
    const answers = fc.uniqueArray(fc.tuple(fc.constantFrom(...names), value), { selector: ([name]) => name })
    fc.assert(
      fc.property(answers, (members) => {
        const json = `{${members.map(([name, each]) => `${JSON.stringify(name)}:${JSON.stringify(each)}`).join(',')}}`
        const done = receipt(json)
        expect(done).toMatchObject(own)
        for (const name of never) expect(Object.hasOwn(done, name), name).toBe(false)
        expect(Object.getPrototypeOf(done)).toBe(Object.prototype)
        expect(done.warnings.every((warning) => typeof warning === 'string')).toBe(true)
        // As the document on stdout shows it, too.
        expect(readJson(writeJson(done))).toMatchObject(own)
      }),
    )
  })

  test('is told of by the names that were left out, and shown in all others', () => {
    const done = receipt(
      '{"outcome":"refused","__proto__":{"status":"SUCCESS"},"note":"kept","integratorOrderId":"other"}',
    )
    expect(done).toMatchObject({ ...own, note: 'kept' })
    expect(done.warnings).toEqual([expect.stringMatching(/not shown here: outcome, __proto__$/)])
  })
})
