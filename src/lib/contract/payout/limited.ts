/** The operations that a profile may limit, by their names alone: counting them in the journal loads no schema. */
export const limitedOperations: readonly string[] = ['payout.create']
