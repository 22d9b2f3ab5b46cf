import { expect, test } from 'vitest'
import { registerUser } from '../../../../src/lib/contract/user.ts'
import { writeJson } from '../../../../src/lib/json.ts'
import { qrOpen, shop } from '../../../kit/sandbox/integrator.ts'
import { desk } from '../../../kit/sandbox/stand.ts'

test('a payload is kept as it came, and its user is a receiver from then on', async () => {
  const { integrator, wallet, sandbox, pay, entry } = await desk()
  const us = await integrator()
  const heard = await us.send(registerUser, '{"name":"ნინო","limit":12.50,"tags":["a"],"big":9007199254740993}')
  expect(heard).toMatchObject({ http: 200 })
  const userId = String(heard.value.userId)
  const { users } = await sandbox.ledger()
  expect(users).toMatchObject([{ userId, integratorId: us.party.identifier }])
  expect(writeJson(users[0]?.payload)).toBe('{"name":"ნინო","limit":12.50,"tags":["a"],"big":9007199254740993}')
  const tipped = await us.created({ tipReceiverId: userId, tipReceiverType: 'USER' })
  await pay(tipped, { tip: '1' })
  expect(String((await entry(tipped)).splits[1]?.received)).toBe('1.00')
  const splitDetails = [
    { receiverType: 'BRANCH', receiverIdentifier: shop, amount: 10 },
    { receiverType: 'USER', receiverIdentifier: userId, amount: 2.5 },
  ]
  expect(await us.create({ splitDetails })).toMatchObject({ http: 200 })
  expect(await (await wallet()).create(qrOpen(userId))).toMatchObject({ value: { status: 'REGISTERED' } })
})

test('an empty payload registers a user too, and each registration is another', async () => {
  const us = await (await desk()).integrator()
  const ids = [await us.send(registerUser, {}), await us.send(registerUser, {})].map(({ value }) => value.userId)
  expect(new Set(ids).size).toBe(2)
})
