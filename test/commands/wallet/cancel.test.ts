import { expect, test } from 'vitest'
import { succeeds } from '../../kit/program.ts'
import { newTill, type Till } from '../../kit/world.ts'

const orderId = '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11'
const cancel = (till: Till, id: string, ...more: string[]) => till.run(['wallet', 'cancel', id, '--yes', ...more])
const statusOf = async (till: Till) => (await till.ledger()).map(({ status }) => status)

test('wallet cancel: an order that is not finalized is deleted', async () => {
  const till = newTill()
  const uniqueId = await till.created()
  const ended = await succeeds(cancel(till, uniqueId.toUpperCase()))
  expect(ended.json).toEqual({
    ...{
      outcome: 'accepted',
      operation: 'wallet.cancel',
      uniqueId,
      status: 'CANCELED',
      amount: null,
      currency: null,
    },
    journalHead: expect.stringMatching(/^\d+-[0-9a-f]{24}$/),
    journalId: expect.stringMatching(/^j-[0-9a-f]{12}$/),
    ...{ profile: 'sandbox', environment: 'sandbox', replayed: false, warnings: [] },
  })
  expect(await statusOf(till)).toEqual(['FAILED'])
})

test('wallet cancel: key, journal id and any uniqueId name the order, one of another machine, too', async () => {
  const till = newTill()
  const uniqueId = await till.created({ key: 'till-3:812' })
  expect((await cancel(till, 'till-3:812')).json).toMatchObject({ uniqueId })
  const { json } = await till.create({ 'unique-id': 'Receipt 813' })
  expect((await cancel(till, String(json.journalId))).json).toMatchObject({ uniqueId: 'Receipt 813' })
  await till.created({ 'unique-id': 'Receipt 814' })
  till.forget()
  expect((await cancel(till, 'Receipt 814')).json).toMatchObject({ uniqueId: 'Receipt 814' })
  expect(await statusOf(till)).toEqual(['FAILED', 'FAILED', 'FAILED'])
})

test('wallet cancel: a second run reads that it still is deleted, and replays the receipt', async () => {
  const till = newTill()
  const uniqueId = await till.created()
  const first = await cancel(till, uniqueId)
  const { journalHead } = first.json
  const second = (await cancel(till, uniqueId)).json
  // What the read shows is remembered with the creation of the order.
  expect({ ...second, journalHead }).toEqual({ ...first.json, replayed: true })
})

test('wallet cancel: a finalized order is 5, one that is over 0, and an unknown one 6', async () => {
  const till = newTill()
  const paid = await till.created()
  await till.finalize({ 'unique-id': paid })
  const over = await till.created()
  till.clock.skip(301_000)
  const ended = await cancel(till, paid)
  expect(ended).toMatchObject({ code: 5, stdout: '' })
  expect(ended.error).toMatchObject({ operation: 'wallet.cancel', uniqueId: paid, moneyMoved: 'no' })
  expect((await cancel(till, over)).json).toMatchObject({ outcome: 'exists', uniqueId: over, status: 'FAILED' })
  const nobody = await cancel(till, orderId)
  expect(nobody.error).toMatchObject({ name: 'not-found', exit: 6, service: { statusCode: 6045 } })
  expect(await statusOf(till)).toEqual(expect.arrayContaining(['SUCCESS', 'FAILED']))
})

test('wallet cancel: the refusal of a finalized order tells its status, and no field to correct', async () => {
  const till = newTill()
  const paid = await till.created()
  await till.finalize({ 'unique-id': paid })
  const refused = await cancel(till, paid)
  expect(refused.error).toMatchObject({
    message: expect.stringMatching(/6110.*the order is SUCCESS \(executed, .*\) and cannot be cancelled$/),
    status: 'SUCCESS',
    service: { statusCode: 6110 },
    hints: [],
  })
})

test('wallet cancel: --confirm takes the uniqueId; another phrase is 3, and no consent 2', async () => {
  const till = newTill()
  const uniqueId = await till.created()
  const run = (...more: string[]) => till.run(['wallet', 'cancel', uniqueId, ...more])
  expect(await run()).toMatchObject({ code: 2, stdout: '' })
  expect(await run('--confirm', 'GEL 25.00')).toMatchObject({ code: 3, stdout: '' })
  expect(await statusOf(till)).toEqual(['REGISTERED'])
  expect(await run('--confirm', uniqueId)).toMatchObject({ code: 0 })
})

test('wallet cancel: --dry-run and --curl show the sealed query, and nothing is sent', async () => {
  const till = newTill()
  const uniqueId = await till.created()
  const dry = await cancel(till, uniqueId, '--dry-run')
  expect(dry.json).toMatchObject({
    ...{ method: 'DELETE', body: null, payload: { uniqueId } },
    url: expect.stringMatching(/\/api\/v1\/third-party\/order\/delete\?identifier=[\w-]+&encryptedData=[\w%]+$/),
  })
  expect((await cancel(till, uniqueId, '--curl')).json.curl).toContain('curl -X DELETE')
  expect(await statusOf(till)).toEqual(['REGISTERED'])
})

test('wallet cancel: a blank id, and none, are refused (2)', async () => {
  const till = newTill()
  expect(await cancel(till, ' ')).toMatchObject({ code: 2, stdout: '' })
  expect(await till.run(['wallet', 'cancel', '--yes'])).toMatchObject({ code: 2, stdout: '' })
})
