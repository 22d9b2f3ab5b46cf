/** The parts of the program that mutation testing covers, each with the tests that run in one process and may notice a mutant. */
export const parts = {
  contract: ['test/lib/contract/**'],
  wire: ['test/lib/wire/**', 'test/lib/desk/**'],
  desk: ['test/lib/desk/**'],
  journal: ['test/lib/journal/**', 'test/lib/spending/**'],
  envelope: ['test/lib/envelope/**'],
  redact: ['test/lib/redact/**'],
  spending: ['test/lib/spending/**'],
} as const satisfies Record<string, readonly string[]>

/** The variable that carries the name of the part to the configuration of vitest. */
export const partVariable = 'PAYDESK_MUTANTS'

export function isPart(name: string): name is keyof typeof parts {
  return Object.hasOwn(parts, name)
}
