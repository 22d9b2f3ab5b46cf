import { Args } from '@oclif/core'
import { PaydeskCommand } from '../lib/cli/command.ts'
import { type ExitCode, exitCodes, exitCodesView } from '../lib/cli/exit-codes.ts'
import { type Described, describe } from '../lib/cli/flags/described.ts'
import { helpPageOf } from '../lib/cli/help/made.ts'
import { helpText } from '../lib/cli/program/answer.ts'
import { pageFor } from '../lib/cli/program/asked.ts'
import { wholeConfig } from '../lib/cli/program/config.ts'
import { listingOf } from '../lib/cli/program/listing.ts'
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
    const config = await wholeConfig(this.config)
    const described = describe(config, words)
    if (described === null) throw unknown(words)
    if (this.output.machine) return described
    const listing = listingOf(config)
    const page = pageFor(words, listing)
    if (page.kind === 'none') throw unknown(words)
    this.edge.stdout.write(helpText(helpPageOf(config, page.id), this.argv, listing, this.edge))
    return undefined
  }

  protected override view(result: Result): View {
    return exitCodesView(Array.isArray(result) ? result.filter((row) => 'code' in row) : [])
  }
}

function unknown(words: readonly string[]): Failure {
  return new Failure('usage', `there is no command and no topic "${words.join(' ')}"`, {
    hints: [hint`\`paydesk --help\` shows the commands; \`${paste('help', 'exit-codes')}\` is the other topic.`],
  })
}
