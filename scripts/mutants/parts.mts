const verdicts = ['accepted', 'contradicted', 'refused', 'turned-away'].map(
  (kind) => `test/safety/verdict-${kind}.test.ts`,
)

/**
 * The parts of the program that mutation testing covers: folders and files below `src/lib`, each with the folders or files of
 * its tests. Of these only files that stay in one process run (vitest.mutants.config.mts).
 */
export const parts = {
  contract: [
    ...['test/lib/contract', 'test/safety/not-executed.test.ts', 'test/safety/state-refusals.test.ts'],
    ...['order', 'refund', 'wallet'].map((of) => `test/safety/${of}-evidence.test.ts`),
    ...['cancellations', 'ended-orders', 'verdict-accepted'].map((of) => `test/safety/${of}.test.ts`),
  ],
  client: ['test/lib/client', 'test/lib/desk', ...verdicts],
  desk: ['test/lib/desk', 'test/commands/payout', 'test/commands/order', 'test/commands/wallet'],
  journal: ['test/lib/journal', 'test/commands/journal'],
  approvals: ['test/lib/approvals', 'test/commands/approval'],
  envelope: ['test/lib/envelope'],
  redact: ['test/lib/redact.test.ts'],
  spending: ['test/lib/spending.test.ts'],
} as const satisfies Record<string, readonly string[]>

/** The variable that carries the name of the part to the configuration of vitest. */
export const partVariable = 'PAYDESK_MUTANTS'

export function isPart(name: string): name is keyof typeof parts {
  return Object.hasOwn(parts, name)
}
