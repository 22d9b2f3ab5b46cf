/** Permissions of an integrator (A1 rule 1; B1; service.md#permissions), each with the code for a lack of it. */

export interface PermissionFacts {
  readonly code: number
  /** Follows "permission": "to save cards". */
  readonly words: string
  /** Of areas B to D: the name of the code, and what can be done without the permission. */
  readonly name?: string
  readonly otherwise?: string
}

export const permissions = {
  debtor: { code: 5047, words: 'to send debtor fields' },
  fromIban: { code: 5048, words: 'to choose the account that is debited' },
  create: {
    code: 6022,
    words: 'to create orders',
    name: 'create orders',
    otherwise: 'Check --integrator-id of the profile',
  },
  currencies: {
    code: 6025,
    words: 'to choose acquiring and distribution currency',
    name: 'multi-currency',
    otherwise: 'Leave --acquiring-currency and --distribution-currency out',
  },
  saveCard: { code: 6031, words: 'to save cards', name: 'save card', otherwise: 'Leave --save-card out' },
  validUntil: {
    code: 6032,
    words: 'to give an order an expiry date',
    name: 'expiry date',
    otherwise: 'Leave --valid-until out',
  },
  provider: {
    code: 6033,
    words: 'to pre-select a provider',
    name: 'direct link',
    otherwise: 'Leave the provider out: the payer then chooses at checkout',
  },
  redirect: {
    code: 6036,
    words: 'to give redirect addresses per order',
    name: 'redirect address per order',
    otherwise: 'Leave --success-redirect-uri and --fail-redirect-uri out',
  },
  additional: {
    code: 6037,
    words: 'to send tips and other additional fields',
    name: 'additional fields',
    otherwise: 'Leave --tip-receiver-id and --tip-receiver-type out',
  },
  refund: {
    code: 6038,
    words: 'to refund orders',
    name: 'refund',
    otherwise: 'Have an operator of the service refund the order',
  },
  callback: {
    code: 6056,
    words: 'to give a callback address per order',
    name: 'callback address per order',
    otherwise: 'Leave --callback-uri out',
  },
  split: { code: 6057, words: 'to split payments', name: 'split', otherwise: 'Leave --split out' },
  cardToken: {
    code: 6090,
    words: 'to charge saved cards',
    name: 'pay with saved card',
    otherwise: 'Leave --card-token-file and --card-from-order out: the payer then enters the card',
  },
  plan: { code: 6111, words: 'to set up subscriptions', name: 'subscription', otherwise: 'Leave --plan out' },
} as const satisfies Record<string, PermissionFacts>

export type Permission = keyof typeof permissions

export const permissionNames = Object.keys(permissions) as Permission[]

export function permissionOf(code: number): Permission | null {
  return permissionNames.find((name) => permissions[name].code === code) ?? null
}
