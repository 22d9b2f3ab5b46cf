/** The commands of the program, as oclif found them. */
import type { Config } from '@oclif/core'
import type { Listing } from './program.ts'

export function listingOf({ name, version, commands }: Config): Listing {
  const ids = commands.map(({ id, strict, args }) => [id, strict === false || Object.keys(args).length > 0] as const)
  return { name, version, commands: Object.fromEntries(ids) }
}
