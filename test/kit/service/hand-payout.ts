/** A home with a profile for a service by hand that pays out, on a clock that jumps. */
import { create, type Flags } from '../payment.ts'
import { hurriedClock, impatient } from '../program/hurried.ts'
import { type Ended, newHome, paydesk } from '../program/paydesk.ts'
import { handOrder } from './hand-desk.ts'
import { type Answering, addHandProfile, serviceByHand } from './service-by-hand.ts'

export interface HandPayout {
  readonly home: string
  /** `payout create` of GEL 12.50 under the id `handOrder`. */
  pay(more?: Flags): Promise<Ended>
  run(...argv: readonly string[]): Promise<Ended>
  /** The number of creates. */
  creates(): number
}

export async function handPayout(answering: Answering): Promise<HandPayout> {
  const service = await serviceByHand(answering)
  const home = newHome()
  await addHandProfile(home, service.url)
  const around = { home, clock: hurriedClock(), random: impatient }
  const given = { profile: 'hand', timeout: '10s', 'unique-id': handOrder }
  return {
    home,
    pay: (more = {}) => paydesk([...create({ ...given, ...more }), '--json'], around),
    run: (...argv) => paydesk([...argv, '-p', 'hand', '--json', '--timeout', '10s'], around),
    creates: () => service.creates.length,
  }
}
