/** The addresses in payment QR codes (service.md#wallet): what one asks for, and those that the sandbox has printed. */
import { walletCurrency } from '../../contract/assumed.ts'
import { fromMinorUnits, JsonNumber, minorUnits } from '../../contract/core/decimal.ts'
import { largestSum } from '../world/money.ts'

/** The address that a wallet integrator read from a QR code. Amounts in minor units. */
export interface QrAddress {
  readonly receiverType: string
  readonly receiverId: string
  /** Fixed by the code or by the product it names; null: the payer chooses. */
  readonly amount: bigint | null
}

/** The products that a CUSTOM code may name. */
const products: Readonly<Record<string, string>> = { 'espresso-2': '7.50', 'monthly-pass': '40.00' }

/** Reads an address, or tells in words why it cannot be paid. */
export function readQrAddress(uri: string): QrAddress | string {
  if (!URL.canParse(uri)) return 'the QR address is no address'
  const asked = new URL(uri).searchParams
  const type = asked.get('qrType')
  const receiverType = asked.get('receiverType') ?? ''
  const receiverId = asked.get('receiverId') ?? ''
  if (receiverType === '' || receiverId === '') return 'the QR address names no receiver'
  if (type === 'DEFAULT') return { receiverType, receiverId, amount: null }
  if (type === 'REQUEST') {
    const amount = minorUnits(asked.get('amount') ?? '')
    if (amount === null || amount === 0n) return 'the QR address requests no amount'
    if (amount > largestSum) return 'the QR address requests too much'
    if (asked.get('currency') !== walletCurrency)
      return `the QR address requests another currency than ${walletCurrency}`
    return { receiverType, receiverId, amount }
  }
  if (type !== 'CUSTOM') return 'the QR address is of no known qrType'
  const product = asked.get('productId') ?? ''
  const price = Object.hasOwn(products, product) ? minorUnits(products[product] ?? '') : null
  return price === null ? 'the QR address names an unknown product' : { receiverType, receiverId, amount: price }
}

/** An address as `sandbox world` shows it. */
export interface PrintedQrAddress {
  readonly uri: string
  readonly amount: JsonNumber | null
  readonly what: string
}

const id = (number: string) => `5a9db0c0-0${number}-4a11-8c11-000000000${number}`

function printed(what: string, query: Readonly<Record<string, string>>): PrintedQrAddress {
  const uri = `https://pay.example/pay?${new URLSearchParams(query)}`
  const read = readQrAddress(uri)
  const amount = typeof read === 'string' || read.amount === null ? null : fromMinorUnits(read.amount)
  return { uri, amount: amount === null ? null : new JsonNumber(amount), what }
}

const toUser = (number: string) => ({ receiverType: 'USER', receiverId: id(number) })
const toBranch = (number: string) => ({ receiverType: 'BRANCH', receiverId: id(number) })

export const qrAddresses: readonly PrintedQrAddress[] = [
  printed('the payer chooses the amount', { qrType: 'DEFAULT', ...toUser('321') }),
  printed('the payer chooses the amount, to a branch', { qrType: 'DEFAULT', ...toBranch('322') }),
  printed('a requested amount', { qrType: 'REQUEST', ...toUser('321'), amount: '25.00', currency: 'GEL' }),
  printed('a product, its price known to the service', {
    qrType: 'CUSTOM',
    ...toBranch('322'),
    productId: 'espresso-2',
  }),
  printed('to a branch at its limit', { qrType: 'DEFAULT', ...toBranch('323') }),
  printed('to a user at its limit', { qrType: 'REQUEST', ...toUser('324'), amount: '5.00', currency: 'GEL' }),
  printed('to a user who may receive 100.00 a day', { qrType: 'DEFAULT', ...toUser('325') }),
  printed('to a blocked user: REJECTED', { qrType: 'DEFAULT', ...toUser('326') }),
  printed('to nobody: REJECTED', { qrType: 'DEFAULT', ...toUser('399') }),
]
