import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { desk } from '../../../kit/sandbox/stand.ts'

describe('the order of the checks', () => {
  test('identity, then the permission for the operation, then the payload, then the state', async () => {
    const { integrator } = await desk()
    const bare = await integrator('sandbox-bare')
    const refund = (fields: object) => bare.refund(randomUUID(), 0, { ...fields })
    expect(await refund({ integratorId: randomUUID() })).toMatchObject({ code: 6004 })
    expect(await refund({})).toMatchObject({ code: 6038 })
    expect(await bare.complete(randomUUID(), 0)).toMatchObject({ code: 6068 })
    expect(await bare.complete(randomUUID(), 1)).toMatchObject({ code: 6005 })
  })

  test('a field that is wrong, then one that is not permitted, then fields that do not go together', async () => {
    const { integrator } = await desk()
    const bare = await integrator('sandbox-bare')
    const forbidden = { saveCard: true }
    expect(await bare.create({ ...forbidden, language: 'FR' })).toMatchObject({ code: 6049 })
    expect(await bare.create(forbidden)).toMatchObject({ code: 6031, group: 3 })
    expect(await bare.create({ installmentPaymentProvider: 'CREDO' })).toMatchObject({ code: 6033 })
  })
})
