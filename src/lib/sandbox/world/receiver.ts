/**
 * The registered receivers of orders, splits, tips and wallet orders: fixed, as the integrators are. Every one of them may be
 * named wherever its type fits; `use` names the purpose it was made for. Users who were registered (B4) join them.
 */
import { receiverDailyLimit, usualBank, usualLanguage } from '../../contract/assumed.ts'
import { minorUnits } from '../../contract/core/decimal.ts'
import { ibanOf } from '../../contract/core/iban.ts'
import type { SandboxReader } from '../../store/sandbox/schema.ts'
import { listReceivers, userExists } from '../../store/sandbox/world.ts'

export interface Receiver {
  readonly receiverId: string
  readonly receiverType: 'BRANCH' | 'USER'
  readonly name: string
  readonly use: 'orders' | 'tips' | 'wallet'
  readonly note: string
  /** The sum that wallet orders may bring it a day, in minor units. */
  readonly dailyLimit: bigint
  readonly blocked: boolean
  /** The bank of directLinkProvider DEFAULT; null where none is configured. */
  readonly defaultBank: string | null
  /** Of the checkout page, where the order names none. */
  readonly language: string
  /** True if its orders may bring a tip to others. */
  readonly takesTips: boolean
  /** The balance it brings along, per currency; null: all is paid out at once, so that there is nothing to refund from. */
  readonly opening: bigint | null
}

const units = (amount: string): bigint => minorUnits(amount) ?? 0n

const usualOpening = '1000.00'

interface Plan {
  readonly note?: string
  readonly limit?: string
  readonly blocked?: boolean
  readonly sweptAtOnce?: boolean
  readonly bank?: string | null
  readonly language?: string
  readonly tips?: boolean
}

function receiver(
  number: string,
  receiverType: Receiver['receiverType'],
  name: string,
  use: Receiver['use'],
  plan: Plan = {},
): Receiver {
  const { note = '', limit = receiverDailyLimit, blocked = false, sweptAtOnce = false, tips = true } = plan
  const { bank = usualBank, language = usualLanguage } = plan
  return {
    receiverId: `5a9db0c0-0${number}-4a11-8c11-000000000${number}`,
    receiverType,
    name,
    use,
    note,
    dailyLimit: units(limit),
    blocked,
    defaultBank: bank,
    language,
    takesTips: tips,
    opening: sweptAtOnce ? null : units(usualOpening),
  }
}

export const receivers: readonly Receiver[] = [
  receiver('301', 'BRANCH', 'Old Town Shop', 'orders'),
  receiver('302', 'BRANCH', 'Riverside Shop', 'orders', { note: 'the second recipient of a split' }),
  receiver('303', 'BRANCH', 'Station Shop', 'orders', {
    note: 'paid out at once: a refund finds its balance too low (6130)',
    sweptAtOnce: true,
  }),
  receiver('304', 'BRANCH', 'Closed Shop', 'orders', { note: 'blocked', blocked: true }),
  receiver('305', 'BRANCH', 'Airport Kiosk', 'orders', {
    note: 'no default bank (DEFAULT is 6093), and no tips (6030)',
    bank: null,
    tips: false,
  }),
  receiver('306', 'BRANCH', 'ხაზინა', 'orders', {
    note: 'its checkout page speaks Georgian',
    bank: 'TBC',
    language: 'KA',
  }),
  receiver('311', 'USER', 'Tamar Kapanadze', 'tips'),
  receiver('312', 'USER', 'Giorgi Lomidze', 'tips'),
  receiver('321', 'USER', 'ნინო ბერიძე', 'wallet'),
  receiver('322', 'BRANCH', 'Corner Bakery', 'wallet'),
  receiver('323', 'BRANCH', 'Night Market', 'wallet', { note: 'at its limit, always', limit: '0.00' }),
  receiver('324', 'USER', 'Levan Gelashvili', 'wallet', { note: 'at its limit, always', limit: '0.00' }),
  receiver('325', 'USER', 'Mariam Dolidze', 'wallet', {
    note: 'may receive 100.00 a day, counted from midnight at the service',
    limit: '100.00',
  }),
  receiver('326', 'USER', 'Irakli Maisuradze', 'wallet', {
    note: 'blocked: wallet orders are REJECTED',
    blocked: true,
  }),
]

/** Those who are rows and not fixed, the receivers of payouts and registered users, are receivers like any other. */
export function registered(receiverId: string, receiverType: Receiver['receiverType'], name: string): Receiver {
  return { ...receiver('000', receiverType, name, 'orders'), receiverId }
}

/** The account of a receiver, as recorded callbacks name one (service.md#seen-since): made of the digits of its id. */
export function accountOf(receiverId: string): string {
  return ibanOf('TB', receiverId.replace(/\D/g, '').slice(-16).padStart(16, '0'))
}

/** The sum that wallet orders may bring this one a day, in minor units. */
export function dailyLimitOf(receiverId: string): bigint {
  return receivers.find((each) => each.receiverId === receiverId)?.dailyLimit ?? units(receiverDailyLimit)
}

/** The receiver that is registered under this type and id, for whatever use; null if there is none. */
export async function findReceiver(db: SandboxReader, type: unknown, id: unknown): Promise<Receiver | null> {
  const sought = String(id).toLowerCase()
  const known = receivers.find((each) => each.receiverId === sought)
  if (known) return known.receiverType === type ? known : null
  const paidOutTo = (await listReceivers(db)).find((each) => each.receiver_id === sought)
  if (paidOutTo)
    return paidOutTo.receiver_type === type ? registered(sought, paidOutTo.receiver_type, paidOutTo.name) : null
  return type === 'USER' && (await userExists(db, sought)) ? registered(sought, 'USER', 'Registered user') : null
}
