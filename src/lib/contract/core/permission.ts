/**
 * Permissions that the service must have given to an integrator before it may do or send something (A1 rule 1; B1;
 * service.md#permissions), each with the code for a lack of it.
 */

interface PermissionFacts {
  readonly code: number
  /** The permitted action, in words that follow "permission": "to save cards". */
  readonly words: string
}

export const permissions = {
  debtor: { code: 5047, words: 'to send debtor fields' },
  fromIban: { code: 5048, words: 'to choose the account that is debited' },
  create: { code: 6022, words: 'to create orders' },
  currencies: { code: 6025, words: 'to choose acquiring and distribution currency' },
  saveCard: { code: 6031, words: 'to save cards' },
  validUntil: { code: 6032, words: 'to give an order an expiry date' },
  provider: { code: 6033, words: 'to pre-select a provider' },
  redirect: { code: 6036, words: 'to give redirect addresses per order' },
  additional: { code: 6037, words: 'to send tips and other additional fields' },
  refund: { code: 6038, words: 'to refund orders' },
  callback: { code: 6056, words: 'to give a callback address per order' },
  split: { code: 6057, words: 'to split payments' },
  cardToken: { code: 6090, words: 'to charge saved cards' },
  plan: { code: 6111, words: 'to set up subscriptions' },
} as const satisfies Record<string, PermissionFacts>

export type Permission = keyof typeof permissions

export const permissionNames = Object.keys(permissions) as Permission[]

/** The permission that is lacking when this code comes. */
export function permissionOf(code: number): Permission | null {
  return permissionNames.find((name) => permissions[name].code === code) ?? null
}
