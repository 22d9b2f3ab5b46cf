/**
 * oclif's configuration for a command that is known already. It says where the directories of this person are; the list of
 * commands, which takes longer to read than most commands to run, is left out until one asks for it.
 */
import { Config, type Interfaces } from '@oclif/core'
import type { ProgramParts } from './program.ts'

/** The program as the only plugin of itself, with nothing listed. */
function unlisted({ root, name, version }: ProgramParts): Interfaces.Plugin {
  return {
    ...{ _base: '', alias: name, isRoot: true, moduleType: 'commonjs', type: 'core', valid: true, hasManifest: false },
    ...{ name, version, root, options: { root }, commandsDir: undefined, hooks: {} },
    ...{ commandIDs: [], commands: [], topics: [] },
    pjson: { name, version, oclif: { bin: name, topicSeparator: ' ' } },
    load: async () => undefined,
    findCommand: () => Promise.reject(new Error('nothing is listed')),
  }
}

export async function startingConfig(program: ProgramParts): Promise<Config> {
  const { root, name } = program
  return program.config ?? (await Config.load({ root, plugins: new Map([[name, unlisted(program)]]) }))
}

/** The same with all commands. */
export async function wholeConfig(config: Config): Promise<Config> {
  return config.commands.length > 0 ? config : await Config.load({ root: config.root })
}
