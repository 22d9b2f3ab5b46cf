/** Shared by the tests of the contract: an order that keeps every rule, and complaints as one line each. */

import { permissionNames } from '../../src/lib/contract/core/permission.ts'
import { type Circumstances, type Operation, violationInWords } from '../../src/lib/contract/operation.ts'
import { validate } from '../../src/lib/contract/validate.ts'

export const identity = '0f8fad5b-d9cb-469f-a165-70867728950e'
export const orderId = '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11'
export const receiverId = 'f47ac10b-58cc-4372-a567-0e02b2c3d479'
export const otherId = '7c9e6679-7425-40de-944b-e07fc1f90ae7'
export const iban = 'GE29NB0000000101904917'

/** Noon of 15 January 2030 in Tbilisi. */
export const noon = Date.UTC(2030, 0, 15, 8)

export const order = {
  amount: '12.50',
  receiverId,
  receiverType: 'BRANCH',
  integratorId: identity,
  integratorOrderId: orderId,
}

/** May do everything; the order type is not known. */
export const usual: Circumstances = { permits: new Set(permissionNames), orderType: null, now: noon }

/** Every violation as "field message [code]". */
export function complaints(
  operation: Operation,
  request: Readonly<Record<string, unknown>>,
  circumstances: Partial<Circumstances> = {},
): string[] {
  const checked = validate(operation, request, { ...usual, ...circumstances })
  return checked.ok ? [] : checked.violations.map((each) => `${violationInWords(each)} [${each.code}]`)
}
