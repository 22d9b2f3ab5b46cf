/** The callbacks of a sandbox: their content, their form, and their sender. */
import type { Clock } from '../../edge.ts'
import { type CallbackForm, setCallbackForm } from '../../store/sandbox/callbacks.ts'
import { readUpToDate } from '../clock/due.ts'
import type { Surroundings } from '../handler.ts'
import type { Room } from '../room.ts'
import { type Courier, type CourierSettings, startCourier } from './courier.ts'
import { type Callback, readCallbacks } from './look.ts'
import { tellCharge, tellPayment } from './queue.ts'

export const callbackForms = ['sealed', 'plain'] as const satisfies readonly CallbackForm[]

export interface CallbackSender {
  /** All of them, or those of one order. Throws Failure('not-found') for an order that there is not. */
  list(order?: string): Promise<Callback[]>
  /** From now on they are sealed, or plain JSON. Those that wait stay as they are. */
  setForm(form: CallbackForm): Promise<void>
  /** Sends what is due until it is closed. One at a time is enough; more would send things more often than once. */
  courier(settings: Omit<CourierSettings, 'clock'>): Courier
}

/** Callbacks as a room of the sandbox: integrators hear of payments and of charges. */
export const callbackRoom: Room = { on: { 'payment-ended': tellPayment, 'charge-ended': tellCharge } }

export function callbacksOf(around: () => Promise<Surroundings>, clock: Clock): CallbackSender {
  return {
    list: async (order) => await readUpToDate(await around(), (db) => readCallbacks(db, order)),
    setForm: async (form) => await (await around()).store.write((db) => setCallbackForm(db, form)),
    courier: (settings) => startCourier(around, { ...settings, clock }),
  }
}
