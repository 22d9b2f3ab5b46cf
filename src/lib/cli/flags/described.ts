/** Commands as data, for programs that ask for help in JSON. */
import type { Config } from '@oclif/core'
import type { ResultOf } from '../../result.ts'
import { globalGroup } from '../help/flag-rows.ts'
import { globalFlagsPage, globalFlagsSaid } from '../help/page.ts'
import type { describedResult } from '../result.ts'

export type Described = ResultOf<typeof describedResult>

type Loadable = Config['commands'][number]

const isGlobal = ({ helpGroup }: Loadable['flags'][string]) => helpGroup === globalGroup

function describeFlags(flags: Loadable['flags']): Described['flags'] {
  const shown = Object.values(flags).filter(({ hidden }) => !hidden)
  return shown.map((flag) => ({
    name: flag.name,
    char: flag.char ?? null,
    takesValue: flag.type === 'option',
    required: flag.required ?? false,
    repeats: flag.type === 'option' && flag.multiple === true,
    everywhere: isGlobal(flag),
    options: flag.type === 'option' ? (flag.options ?? null) : null,
    description: flag.description ?? null,
  }))
}

function describeCommand(command: Loadable, { bin }: Config): Described {
  const filled = (text: string) => text.replaceAll('<%= config.bin %>', bin)
  const examples = [command.examples ?? []].flat()
  return {
    command: command.id.replaceAll(':', ' '),
    summary: command.summary ?? null,
    description: command.description === undefined ? null : filled(command.description),
    args: Object.values(command.args ?? {}).map(({ name, required, options, description }) => ({
      name,
      required: required ?? false,
      options: options ?? null,
      description: description ?? null,
    })),
    flags: describeFlags(command.flags ?? {}),
    examples: examples.map((each) => filled(typeof each === 'string' ? each : each.command)),
  }
}

/** The flags that every command has, told as those of the help about them. */
function describeGlobal({ commands }: Config): Described {
  const all = commands.flatMap(({ flags }) => Object.entries(flags).filter(([, flag]) => isGlobal(flag)))
  return {
    command: `help ${globalFlagsPage}`,
    summary: globalFlagsSaid,
    description: null,
    args: [],
    flags: describeFlags(Object.fromEntries(all)),
    examples: [],
  }
}

/** The command of these words, or all commands below them; null if there are none. */
export function describe(config: Config, words: readonly string[]): Described | Described[] | null {
  const id = words.join(':')
  if (id === globalFlagsPage) return describeGlobal(config)
  const command = config.findCommand(id)
  if (command) return describeCommand(command, config)
  const below = config.commands.filter((each) => id === '' || each.id.startsWith(`${id}:`))
  const sorted = below.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  return sorted.length > 0 ? sorted.map((each) => describeCommand(each, config)) : null
}
