import { PaydeskCommand } from '../lib/cli/command.ts'
import type { Described } from '../lib/cli/help/pages.ts'
import { tableOf } from '../lib/cli/output/view.ts'

export default class Commands extends PaydeskCommand<readonly Described[]> {
  static override summary = 'List every command with its arguments and flags.'
  static override description =
    'One line per command; --json has arguments and flags too, for editors, wrappers and script checks.'
  static override examples = [
    '<%= config.bin %> commands',
    '<%= config.bin %> commands --output csv --fields command,summary',
    "<%= config.bin %> commands --json --query '[?args[?required]].command'",
  ]

  static override readonly result = async () => (await import('../lib/cli/result.ts')).commandsResult

  async run(): Promise<readonly Described[]> {
    await this.parse(Commands)
    const { describe } = await import('../lib/cli/help/pages.ts')
    const { wholeConfig } = await import('../lib/cli/program/config.ts')
    return [describe(await wholeConfig(this.config), [])].flat().filter((each) => each !== null)
  }

  protected override readonly view = (commands: readonly Described[]) => [
    tableOf(commands, {
      command: ({ command, args }) => [command, ...args.map(argInWords)].join(' '),
      'what it does': 'summary',
    }),
  ]
}

function argInWords({ name, required }: Described['args'][number]): string {
  return required ? `<${name}>` : `[<${name}>]`
}
