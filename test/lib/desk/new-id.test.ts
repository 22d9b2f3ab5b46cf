/** The flags that repeat a write, or make another one: the command must take them beside those that were typed. */
import { describe, expect, test } from 'vitest'
import { operations } from '../../../src/lib/contract/operations.ts'
import { anotherId, sameIdFlag } from '../../../src/lib/desk/new-id.ts'
import { newHome, paydesk } from '../../kit/program/paydesk.ts'
import { addSealedProfile } from '../../kit/service/sealed-by-hand.ts'

const uniqueId = '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11'
const writes = operations.flatMap((operation) => (operation.effect === 'write' ? [operation] : []))

describe('the same write again', () => {
  test('is named by the key where one was given: an id beside it would be refused', () => {
    for (const write of writes) expect(sameIdFlag(write, { businessKey: 'k', uniqueId })).toBe('the same --key')
  })

  test('is named by a flag of the command, and by none where the id is no flag', () => {
    const named = writes.map((write) => [write.name, sameIdFlag(write, { businessKey: null, uniqueId })])
    expect(Object.fromEntries(named)).toMatchObject({
      'payout.create': `--unique-id ${uniqueId}`,
      'order.create': `--integrator-order-id ${uniqueId}`,
      'wallet.create': `--unique-id ${uniqueId}`,
      'order.cancel': null,
      'order.complete': null,
      'order.refund': null,
      'wallet.cancel': null,
    })
  })
})

test('another one gets another key, or another id', () => {
  expect(anotherId({ businessKey: 'k' })).toBe('another --key')
  expect(anotherId({ businessKey: null })).toContain('another --unique-id')
})

describe('a write that never left this machine', () => {
  const hint = async (argv: readonly string[], home: string) => {
    const ended = await paydesk([...argv, '--timeout', '2s', '--json'], { home })
    expect(ended.code, ended.stderr).toBe(11)
    return String(ended.error.hints)
  }

  test('is run again with the key that it was given, and only then with its id', async () => {
    const home = newHome()
    await addSealedProfile(home, 'own', 'http://127.0.0.1:1')
    const wallet = [
      'wallet',
      'create',
      '-p',
      'own',
      '--uri',
      'https://pay.example/pay?qrType=DEFAULT&receiverType=USER&receiverId=1',
      '--yes',
    ]
    const keyed = await hint([...wallet, '--key', 'n3'], home)
    expect(keyed).toContain('the same --key keeps the id')
    expect(keyed).not.toContain('--unique-id')
    expect(await hint([...wallet, '--unique-id', uniqueId], home)).toContain(`--unique-id ${uniqueId} keeps the id`)
  })
})
