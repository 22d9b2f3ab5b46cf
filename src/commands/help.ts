import { Args, loadHelpClass } from '@oclif/core'
import { PaydeskCommand } from '../lib/command.ts'
import { type ExitCode, exitCodes } from '../lib/exit-codes.ts'
import { Failure } from '../lib/failure.ts'
import type { View } from '../lib/terminal/view.ts'

export default class Help extends PaydeskCommand<ExitCode[] | undefined> {
  static override summary = 'Explain a command, or the topic exit-codes.'
  static override strict = false
  static override examples = ['<%= config.bin %> help exit-codes', '<%= config.bin %> help payout create']

  static override args = {
    topic: Args.string({ description: 'exit-codes, or a command' }),
  }

  async run(): Promise<ExitCode[] | undefined> {
    const { argv } = await this.parse(Help)
    const words = argv.map(String)
    if (words.join(' ') === 'exit-codes') return exitCodes()
    await this.#showHelp(words)
    return undefined
  }

  protected override view(codes: ExitCode[] | undefined): View {
    if (codes === undefined) return []
    const rows = codes.map(({ code, name, means, moneyMoved }) => [code, name, means, moneyMoved])
    return [{ kind: 'table', head: ['code', 'name', 'meaning', 'money moved'], rows, empty: '' }]
  }

  async #showHelp(words: readonly string[]): Promise<void> {
    const name = words.join(' ')
    const known = name === '' || this.config.findCommand(words.join(':')) || this.config.findTopic(words.join(':'))
    if (!known) {
      throw new Failure('usage', `there is no command and no topic "${name}"`, {
        hints: ['`paydesk --help` shows the commands; `paydesk help exit-codes` is the other topic.'],
      })
    }
    const HelpClass = await loadHelpClass(this.config)
    const help = new HelpClass(this.config, this.config.pjson.oclif.helpOptions)
    await help.showHelp([...words])
  }
}
