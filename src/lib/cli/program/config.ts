/**
 * * oclif's configuration for a command that is known already: where the directories of this person are. The list of
 * commands, which takes longer to read than most commands to run, is read when one asks for it.
 */
import { platform } from 'node:os'
import { Config } from '@oclif/core'
import { type Edge, standInForUser } from '../../edge.ts'
import { directoriesOf, type Listing, type ProgramParts } from './answer.ts'

class StartingConfig extends Config {
  constructor({ root, name, version }: ProgramParts, env: Edge['env']) {
    super({ root })
    this.root = root
    this.version = version
    this.name = name
    this.bin = name
    this.dirname = name
    this.topicSeparator = ' '
    this.platform = platform()
    this.windows = platform() === 'win32'
    Object.assign(this, directoriesOf(name, env))
  }

  /** Without plugins there are no hooks. */
  override async runHook() {
    return { successes: [], failures: [] }
  }
}

export function startingConfig(program: ProgramParts, { env }: Pick<Edge, 'env'>): Config {
  return program.config ?? new StartingConfig(program, env)
}

/** The same with all commands. */
export async function wholeConfig(config: Config): Promise<Config> {
  if (config.commands.length > 0) return config
  standInForUser()
  return await Config.load({ root: config.root })
}

/** The commands of the program, as oclif found them. */
export function listingOf({ name, version, commands }: Config): Listing {
  const ids = commands.map(({ id, strict, args }) => [id, strict === false || Object.keys(args).length > 0] as const)
  return { name, version, commands: Object.fromEntries(ids) }
}
