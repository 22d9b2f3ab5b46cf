/**
 * oclif's configuration for a command that is known already: where the directories of this person are. The list of
 * commands, which takes longer to read than most commands to run, is read when one asks for it.
 */
import { platform } from 'node:os'
import { Config } from '@oclif/core'
import { type Edge, homeOfUser, standInForUser } from '../../edge.ts'
import type { Listing, ProgramParts } from './answer.ts'

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
    // Without a home directory those below it are relative, and places() refuses them.
    this.home = env.HOME || (this.windows && this.windowsHome()) || homeOfUser(undefined) || ''
    this.cacheDir = this.scopedEnvVar('CACHE_DIR') || this.macosCacheDir() || this.dir('cache')
    this.configDir = this.scopedEnvVar('CONFIG_DIR') || this.dir('config')
    this.dataDir = this.scopedEnvVar('DATA_DIR') || this.dir('data')
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
export function listingOf({ name, version, commandIDs }: Config): Listing {
  return { name, version, commands: commandIDs }
}
