import { expect, test } from 'vitest'
import { findSentElsewhere } from '../../../src/lib/batch/rows.ts'
import type { Intent } from '../../../src/lib/journal/intent.ts'
import { intent } from '../../kit/store.ts'

const { service, serviceId, environment, clientId } = intent({})
const profile = { service, serviceId, environment, clientId, name: 'acme' }

const row = {
  ...{ number: 2, unique_id: 'own', business_key: 'salary-11', content: 'c', request: '{}', payee: 'p' },
  ...{ amount_minor: '100', currency: 'GEL', source: '[]', payment: null },
  ...{ known_opened_at: null, known_changed_at: null },
}

function elsewhere(found: Partial<Intent>) {
  const list = async () => [intent({ idempotencyKey: row.business_key, state: 'accepted', ...found })]
  return findSentElsewhere({ journal: { list }, profile }, [row], new Map())
}

test('a payment under the same key and another id is in the way of a row', async () => {
  expect([...(await elsewhere({ uniqueId: 'other' })).values()]).toMatchObject([{ uniqueId: 'other' }])
})

test('so is one under its id at another service', async () => {
  const there = { service: 'https://there.example', serviceId: 'https://there.example' }
  expect((await elsewhere({ uniqueId: 'own', ...there })).size).toBe(1)
})

test('an intent of its own that was opened since its rows were read is not', async () => {
  expect((await elsewhere({ uniqueId: 'own' })).size).toBe(0)
})
