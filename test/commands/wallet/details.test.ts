import { expect, test } from 'vitest'
import { newHome, paydesk } from '../../kit/program.ts'
import { blockedUser, qrOpen } from '../../kit/sandbox/integrator.ts'
import { addSealedProfile, handIdentifier, type Said, sealedByHand } from '../../kit/service.ts'
import { addFault, newTill, open, random, type Till } from '../../kit/world.ts'

const orderId = '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11'
const details = (till: Till, id: string) => till.run(['wallet', 'details', id])

test('wallet details: a registered order and a paid one are shown', async () => {
  const till = newTill()
  const { json: created } = await till.create({ uri: open })
  const uniqueId = String(created.uniqueId)
  const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/)
  const common = {
    uniqueId,
    createdAt: moment,
    journalId: created.journalId,
    profile: 'sandbox',
    environment: 'sandbox',
  }
  const registered = await details(till, uniqueId.toUpperCase())
  expect(registered.json, registered.stderr).toEqual({
    ...common,
    status: 'REGISTERED',
    finalisedAt: null,
    warnings: [],
  })
  await till.finalize({ 'unique-id': uniqueId, amount: '12.5' })
  const paid = await details(till, uniqueId)
  expect(paid.json).toEqual({ ...common, amount: 12.5, status: 'SUCCESS', finalisedAt: moment, warnings: [] })
  expect(paid.stdout).toContain('"amount":12.50')
})

test('wallet details: FAILED is 0, for a rejected, a deleted and an expired order', async () => {
  const till = newTill()
  const rejected = await till.create({ uri: qrOpen(blockedUser) })
  const deleted = await till.created()
  await till.run(['wallet', 'cancel', deleted, '--yes'])
  const over = await till.created()
  till.clock.skip(300_000)
  for (const id of [String(rejected.error.uniqueId), deleted, over]) {
    expect((await details(till, id)).json).toMatchObject({ uniqueId: id, status: 'FAILED' })
  }
  const argv = ['wallet', 'details', over, '-p', 'sandbox']
  const words = await paydesk(argv, { home: till.home, clock: till.clock, random })
  expect(words.stdout).toMatch(/^status +FAILED \(rejected, deleted or not finalized in time, nothing moved\)$/m)
})

test('wallet details: key, journal id and uniqueId name the order', async () => {
  const till = newTill()
  const uniqueId = await till.created({ key: 'till-3:812' })
  const { json } = await till.finalize({ key: 'till-3:812' })
  for (const id of ['till-3:812', String(json.journalId), ` ${uniqueId} `]) {
    expect((await details(till, id)).json, id).toMatchObject({ uniqueId, status: 'SUCCESS' })
  }
})

test('wallet details: an order of another machine is shown without a journal id', async () => {
  const till = newTill()
  const uniqueId = await till.created()
  till.forget()
  expect((await details(till, uniqueId)).json).toMatchObject({ uniqueId, journalId: null })
})

test('wallet details: a write that the journal holds as unknown is warned about', async () => {
  const till = newTill()
  const uniqueId = await till.created()
  await addFault(till.home, { op: 'wallet.finalize', at: 'after', kind: 'reset', times: 2 })
  await addFault(till.home, { op: 'wallet.details', at: 'before', kind: 'html502', times: 5 })
  const { error } = await till.finalize({ 'unique-id': uniqueId })
  const ended = await details(till, uniqueId)
  expect(ended.json, ended.stderr).toMatchObject({ status: 'SUCCESS' })
  expect(ended.json.warnings).toEqual([
    `the journal holds its wallet.finalize as unknown: \`paydesk resume ${error.journalId}\``,
  ])
})

test('wallet details: an order whose creation is unknown, and that the service does not know, is 9 and names resume', async () => {
  const till = newTill()
  await addFault(till.home, { op: 'wallet.create', at: 'before', kind: 'reset' })
  const { code, error } = await till.create()
  expect(code).toBe(9)
  const ended = await details(till, String(error.uniqueId))
  expect(ended.code, ended.stderr).toBe(9)
  expect(ended.error).toMatchObject({ uniqueId: error.uniqueId, journalId: error.journalId, moneyMoved: 'unknown' })
  expect(ended.error.hints).toEqual([
    `Do not send it again. \`paydesk resume ${error.journalId}\` checks what happened.`,
  ])
})

test('wallet details: an unknown order is 6, an empty id 2, and a profile without a wallet 4', async () => {
  const till = newTill()
  const ended = await details(till, orderId)
  expect(ended).toMatchObject({ code: 6, stdout: '' })
  expect(ended.error).toMatchObject({ name: 'not-found', operation: 'wallet.details', uniqueId: orderId })
  expect(ended.error).toMatchObject({ service: { statusCode: 6045 }, moneyMoved: 'no' })
  expect(await till.run(['wallet', 'details'])).toMatchObject({ code: 2, stdout: '' })
  expect(await details(till, '')).toMatchObject({ code: 2, stdout: '' })
  expect(await details(newTill('sandbox-bare'), orderId)).toMatchObject({ code: 4, stdout: '' })
})

async function asked(said: Said) {
  const home = newHome()
  const service = await sealedByHand(() => said)
  await addSealedProfile(home, 'own', service.url)
  const ended = await paydesk(['wallet', 'details', orderId, '-p', 'own', '--json'], { home })
  return { ended, service }
}

test('wallet details: the query holds identifier and one block, and unknown members are shown', async () => {
  const value = {
    UniqueId: orderId,
    Amount: '7.10',
    Status: ' SUCCESS',
    CreatedAt: '2026-11-20 10:00',
    fee: { a: [1] },
  }
  const { ended, service } = await asked({ value })
  expect(ended.code, ended.stderr).toBe(0)
  expect(ended.json).toEqual({
    ...{ uniqueId: orderId, amount: 7.1, status: 'SUCCESS', createdAt: '2026-11-20 10:00', finalisedAt: null },
    ...{ fee: { a: [1] }, journalId: null, profile: 'own', environment: 'test', warnings: [] },
  })
  expect(ended.stdout).toContain('"amount":7.10')
  expect(service.calls).toMatchObject([
    { name: 'wallet.details', request: { identifier: handIdentifier, uniqueId: orderId } },
  ])
  const [seen] = service.seen
  expect([seen?.method, seen?.path, seen?.body]).toEqual(['GET', '/api/v1/third-party/order/details', ''])
  expect([...new URLSearchParams(seen?.query).keys()]).toEqual(['identifier', 'encryptedData'])
})
