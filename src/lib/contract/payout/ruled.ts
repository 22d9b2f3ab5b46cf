/** Operations that others may have to approve, by their names alone: looking for a rule loads no schema. */
export const ruledOperations: readonly string[] = ['payout.create', 'order.refund']

/** The operation of every row of a plan. */
export const plannedOperation = 'payout.create'

/** The operation that made the thing whose currency the sum of another one has. */
export const madeBy: Readonly<Record<string, string>> = { 'order.refund': 'order.create' }
