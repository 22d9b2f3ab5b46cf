import { describe, expect, test } from 'vitest'
import { createOrder } from '../../../../src/lib/contract/order/order.ts'
import { providerFields, providersInUse } from '../../../../src/lib/contract/order/request.ts'
import { complaints, noon, order, otherId } from '../../../kit/contract.ts'

function wrongWith(changed: Record<string, unknown>): string[] {
  return complaints(createOrder, { ...order, ...changed })
}

const payer = { personalNumber: '01001000001', isForeign: 'false' }

describe('providers', () => {
  test.each(providerFields.flatMap((first, at) => providerFields.slice(at + 1).map((second) => [first, second])))(
    '%s and %s exclude each other',
    (first, second) => {
      expect(wrongWith({ [String(first)]: 'A', [String(second)]: 'B', ...payer })).toEqual([
        `${second} and ${first} exclude each other: give one provider at most [6034]`,
      ])
    },
  )

  test('four providers are three too many', () => {
    const all = Object.fromEntries(providerFields.map((name) => [name, 'A']))
    expect(wrongWith({ ...all, ...payer }).map((each) => each.slice(-6))).toEqual(['[6034]', '[6034]', '[6034]'])
  })

  test('saving a card needs a direct-link provider', () => {
    expect(wrongWith({ saveCard: 'true' })).toEqual(['directLinkProvider is required to save the card [6091]'])
    expect(wrongWith({ saveCard: 'true', directLinkProvider: 'BOG' })).toEqual([])
    expect(wrongWith({ saveCard: 'false' })).toEqual([])
  })

  test('an installment names the payer and says whether the payer is a foreigner', () => {
    const installmentPaymentProvider = 'CREDO'
    expect(wrongWith({ installmentPaymentProvider })).toEqual([
      'personalNumber is required together with an installment provider [6070]',
      'isForeign is required together with an installment provider [6049]',
    ])
    expect(wrongWith({ installmentPaymentProvider, ...payer })).toEqual([])
  })
})

describe('the personal number', () => {
  test.each(['123456789', '12345678901'])('%s is accepted', (personalNumber) => {
    expect(wrongWith({ personalNumber })).toEqual([])
  })

  test.each(['1234567890', '12345678', 'AB1234567', '123456789\n'])(
    '%j is accepted of a foreigner only',
    (personalNumber) => {
      const said = ['personalNumber must be 9 or 11 digits, unless isForeign is true [6049]']
      expect(wrongWith({ personalNumber })).toEqual(said)
      expect(wrongWith({ personalNumber, isForeign: 'false' })).toEqual(said)
      expect(wrongWith({ personalNumber, isForeign: 'true' })).toEqual([])
    },
  )

  test('an empty one is refused, of foreigners too', () => {
    expect(wrongWith({ personalNumber: '', isForeign: 'true' })).toEqual(['personalNumber must not be empty [6049]'])
    expect(wrongWith({ personalNumber: '' })).toEqual(['personalNumber must not be empty [6049]'])
  })
})

describe('validUntil', () => {
  test('must lie in the future, in Tbilisi time', () => {
    const said = ['validUntil must be in the future [6035]']
    expect(wrongWith({ validUntil: '2030-01-15 12:00:01' })).toEqual([])
    expect(wrongWith({ validUntil: '2030-01-15 12:00:00' })).toEqual(said)
    expect(wrongWith({ validUntil: '2030-01-15 08:00:01' })).toEqual(said)
  })

  test('may be ISO 8601 with a zone', () => {
    expect(wrongWith({ validUntil: '2030-01-15T08:00:01Z' })).toEqual([])
    expect(wrongWith({ validUntil: '2030-01-15T12:00:00+04:00' })).toEqual(['validUntil must be in the future [6035]'])
    expect(complaints(createOrder, { ...order, validUntil: '2030-01-15T08:00:01Z' }, { now: noon + 1000 })).toEqual([
      'validUntil must be in the future [6035]',
    ])
  })
})

describe('remarks', () => {
  const remarks = (changed: Record<string, unknown>) => createOrder.remarks({ ...order, ...changed })

  test.each(providerFields)('a code of %s that is not known is remarked on, a known one is not', (name) => {
    for (const code of providersInUse[name]) expect(remarks({ [name]: code })).toEqual([])
    expect(remarks({ [name]: 'NEW' })).toEqual([
      `${name} NEW is not among the codes known here (${providersInUse[name].join(', ')}); it is sent as it is`,
    ])
  })

  test('a code of another provider field is remarked on with the field that takes it', () => {
    expect(remarks({ directLinkProvider: 'LB' })).toEqual([
      'directLinkProvider LB is not among the codes known here (BOG, TBC, CREDO, DEFAULT), but among those of openBankingLinkProvider; it is sent as it is',
    ])
    expect(remarks({ cryptoPaymentProvider: 'CREDO' })[0]).toContain(
      'among those of directLinkProvider and openBankingLinkProvider and installmentPaymentProvider;',
    )
  })

  test('half a tip receiver is remarked on', () => {
    expect(remarks({ tipReceiverId: otherId })).toEqual([
      'tipReceiverId is given without tipReceiverType: the service may not know who gets the tip',
    ])
    expect(remarks({ tipReceiverType: 'USER' })).toEqual([
      'tipReceiverType is given without tipReceiverId: the service may not know who gets the tip',
    ])
    expect(remarks({ tipReceiverId: otherId, tipReceiverType: 'USER' })).toEqual([])
  })

  test('an ordinary order is not remarkable', () => {
    expect(remarks({})).toEqual([])
  })
})
