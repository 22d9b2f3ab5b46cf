/** Command lines of writes to a service by hand, about the order `handOrder`. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryDirectory } from '../run/temporary.ts'
import { foreignOrder, handOrder } from './hand-desk.ts'

const qrAddress =
  'https://pay.example/pay?qrType=DEFAULT&receiverType=USER&receiverId=5a9db0c0-0321-4a11-8c11-000000000321'

export const createWallet = ['wallet', 'create', '--unique-id', handOrder, '--uri', qrAddress, '--yes']

/** Of 25.00, with the checks of this machine. */
export const finalizeWallet = [
  ...['wallet', 'finalize', '--unique-id', handOrder, '--amount', '25', '--final-status', 'SUCCESS', '--yes'],
]

/** A charge of 12.50, with a card's token in a file of its own. */
export function chargeCard(): readonly string[] {
  const file = join(temporaryDirectory('card'), 'card.token')
  writeFileSync(file, '454d428e-4419-4cee-aa68-eae36cc82c81\n', { mode: 0o600 })
  return [
    ...['order', 'create', '--amount', '12.50', '--receiver-id', foreignOrder, '--integrator-order-id', handOrder],
    ...['--card-token-file', file, '--yes'],
  ]
}
