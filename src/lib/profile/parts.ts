/**
 * The parts of a profile: payouts (area A), orders with cards, subscriptions and users (B and D), the wallet (C). Each has an
 * address and an identity of its own, and a profile may hold any of them.
 */
export const parts = ['payouts', 'orders', 'wallet'] as const
export type Part = (typeof parts)[number]
