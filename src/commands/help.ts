import { Args, loadHelpClass } from '@oclif/core'
import { PaydeskCommand } from '../lib/cli/command.ts'
import { type ExitCode, exitCodes } from '../lib/cli/exit-codes.ts'
import { type Described, describe } from '../lib/cli/flags/described.ts'
import type { View } from '../lib/cli/views/view.ts'
import { Failure } from '../lib/failure.ts'
import { hint, paste } from '../lib/hint.ts'

type Result = ExitCode[] | Described | Described[] | undefined

export default class Help extends PaydeskCommand<Result> {
  static override summary = 'Explain a command, or the topic exit-codes.'
  static override strict = false
  static override examples = ['<%= config.bin %> help exit-codes', '<%= config.bin %> help payout create']

  static override args = {
    topic: Args.string({ ignoreStdin: true, description: 'exit-codes, or a command' }),
  }

  static override readonly result = async () => {
    const { exitCodesResult, helpResult } = await import('../lib/cli/result.ts')
    return [helpResult, exitCodesResult]
  }

  async run(): Promise<Result> {
    const { argv } = await this.parse(Help)
    const words = argv.map(String)
    if (words.join(' ') === 'exit-codes') return exitCodes()
    const described = describe(this.config, words)
    if (described === null) throw unknown(words)
    if (this.output.machine) return described
    const HelpClass = await loadHelpClass(this.config)
    await new HelpClass(this.config, this.config.pjson.oclif.helpOptions).showHelp(words)
    return undefined
  }

  protected override view(result: Result): View {
    const codes = Array.isArray(result) ? result.filter((row) => 'code' in row) : []
    const rows = codes.map(({ code, name, means, moneyMoved }) => [code, name, means, moneyMoved])
    return [{ kind: 'table', head: ['code', 'name', 'meaning', 'money moved'], rows, empty: '' }]
  }
}

function unknown(words: readonly string[]): Failure {
  return new Failure('usage', `there is no command and no topic "${words.join(' ')}"`, {
    hints: [hint`\`paydesk --help\` shows the commands; \`${paste('help', 'exit-codes')}\` is the other topic.`],
  })
}
