/** Commands as data, for programs that ask for help in JSON. */
import type { Config } from '@oclif/core'
import type { ResultOf } from '../../result.ts'
import type { describedResult } from '../result.ts'

export type Described = ResultOf<typeof describedResult>

type Loadable = Config['commands'][number]

function describeCommand(command: Loadable): Described {
  return {
    command: command.id.replaceAll(':', ' '),
    summary: command.summary ?? null,
    description: command.description ?? null,
    args: Object.values(command.args ?? {}).map(({ name, required, description }) => ({
      name,
      required: required ?? false,
      description: description ?? null,
    })),
    flags: Object.values(command.flags ?? {}).map((flag) => ({
      name: flag.name,
      char: flag.char ?? null,
      takesValue: flag.type === 'option',
      required: flag.required ?? false,
      options: flag.type === 'option' ? (flag.options ?? null) : null,
      description: flag.description ?? null,
    })),
  }
}

/** The command of these words, or all commands below them; null if there are none. */
export function describe(config: Config, words: readonly string[]): Described | Described[] | null {
  const id = words.join(':')
  const command = config.findCommand(id)
  if (command) return describeCommand(command)
  const below = config.commands.filter((each) => id === '' || each.id.startsWith(`${id}:`))
  const sorted = below.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  return sorted.length > 0 ? sorted.map(describeCommand) : null
}
