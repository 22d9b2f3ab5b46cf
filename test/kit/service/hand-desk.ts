/** A home with a profile for a sealed service by hand, for orders and for the wallet, on a clock that jumps. */
import { hurriedClock, impatient } from '../program/hurried.ts'
import { type Ended, newHome, paydesk } from '../program/paydesk.ts'
import { addSealedProfile, type Said, type SealedByHand, type SealedCall, sealedByHand } from './sealed-by-hand.ts'

export const handOrder = '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11'
export const foreignOrder = '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a99'
const integrator = '0f8fad5b-d9cb-469f-a165-70867728950e'
const scheme = 'oaep-sha256'

export interface HandDesk extends Pick<SealedByHand, 'calls' | 'stop'> {
  readonly home: string
  run(...argv: readonly string[]): Promise<Ended>
  /** Lets time pass for the desk. */
  skip(milliseconds: number): void
  /** The machine starts anew; or the home goes on, on another machine of that name, which has been up for so many milliseconds. */
  startAnew(machine?: string, up?: number): void
  /** Sets the clock of the desk ahead, or back: no time passes. */
  set(milliseconds: number): void
  /** The number of requests of an operation. */
  count(operation: string): number
}

/** No definite answer of any kind. */
export const broken: Said = { plain: { status: 502, body: '<html>Bad Gateway</html>' } }

export async function handDesk(answering: (call: SealedCall) => Said | Promise<Said>): Promise<HandDesk> {
  const service = await sealedByHand(answering, scheme)
  const home = newHome()
  await addSealedProfile(home, 'hand', service.url, { 'integrator-id': integrator, 'wallet-scheme': 'aes' })
  const clock = hurriedClock()
  const around = { home, clock, random: impatient }
  return {
    ...{ home, calls: service.calls, stop: service.stop, skip: clock.skip, set: clock.set, startAnew: clock.startAnew },
    run: (...argv) => paydesk([...argv, '-p', 'hand', '--json', '--timeout', '10s'], around),
    count: (operation) => service.calls.filter(({ name }) => name === operation).length,
  }
}
