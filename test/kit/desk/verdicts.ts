/** What a service says of the order `handOrder`, and what a command must come to. */
import { expect } from 'vitest'
import type { Ended } from '../program/paydesk.ts'
import { handOrder } from '../service/hand-desk.ts'
import type { Said } from '../service/sealed-by-hand.ts'

/** The answer never came: the connection ended. */
export const reset: Said = { plain: 'reset' }

/** Of an order, or of a wallet order. */
export const orderIn = (status: string, more: object = {}): Said => ({
  value: { integratorOrderId: handOrder, uniqueId: handOrder, status, ...more },
})

/** Neither done nor denied: a conflict (7) or unknown (9). */
export function mustBeUndecided(ended: Ended): void {
  expect([7, 9], ended.stdout + ended.stderr).toContain(ended.code)
  expect(ended.error.moneyMoved, ended.stderr).toBe('unknown')
}

export function mustBeUnknown(ended: Ended): void {
  expect(ended, ended.stdout + ended.stderr).toMatchObject({ code: 9, stdout: '', error: { moneyMoved: 'unknown' } })
}
