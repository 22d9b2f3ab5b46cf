/** The profiles that need no setting: each is a client of the built-in sandbox. */

export const builtIn = [
  'sandbox',
  'sandbox-receiver',
  'sandbox-bare',
  'sandbox-closed',
  'sandbox-treasury',
  'sandbox-traffic-fine',
  'sandbox-legacy',
  'sandbox-pkcs1',
  'sandbox-4096',
  'sandbox-full',
  'sandbox-poor',
] as const
export type BuiltIn = (typeof builtIn)[number]

export function isBuiltIn(name: string): name is BuiltIn {
  return (builtIn as readonly string[]).includes(name)
}
