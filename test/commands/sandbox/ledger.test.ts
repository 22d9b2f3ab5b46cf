import { expect, test } from 'vitest'
import { realClock, realRandom } from '../../../src/lib/edge.ts'
import { openSandbox } from '../../../src/lib/sandbox/sandbox.ts'
import { newHome, paydesk } from '../../kit/paydesk.ts'
import { callers, toIban } from '../../lib/sandbox/callers.ts'

test('an empty ledger is a document too', async () => {
  const home = newHome()
  const { code, json } = await paydesk(['sandbox', 'ledger', '--json'], { home })
  expect([code, json]).toEqual([0, { payouts: [], orders: [], walletOrders: [], cards: [] }])
  expect((await paydesk(['sandbox', 'ledger'], { home })).stdout).toContain('Nothing was paid')
})

test('what was executed is in the ledger, ids as text', async () => {
  const home = newHome()
  const sandbox = await openSandbox(`${home}/sandbox`, realClock, realRandom)
  const fields = toIban()
  await (await callers(sandbox)).byIban.create(fields)
  await sandbox.close()
  const { stdout, json } = await paydesk(['sandbox', 'ledger', '--json'], { home })
  expect(stdout).toContain('"amount":12.50')
  expect(json.payouts).toMatchObject([
    { uniqueId: fields.uniqueId, transactionId: '9007199254740993', currency: 'GEL', executions: 1 },
  ])
  expect((await paydesk(['sandbox', 'ledger'], { home })).stdout).toContain('GEL 12.50')
})
