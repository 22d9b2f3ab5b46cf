/** The currencies of a payout (specification A1). */
export const currencies = ['GEL', 'USD', 'EUR'] as const
export type Currency = (typeof currencies)[number]
