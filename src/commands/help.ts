import { Args } from '@oclif/core'
import { PaydeskCommand } from '../lib/cli/command.ts'
import {
  type ExitCode,
  type Explanation,
  exitCodes,
  exitCodesView,
  explanationView,
  meaningsOfWord,
  unknownWord,
} from '../lib/cli/help/explain.ts'
import { type Described, describe, helpPageOf } from '../lib/cli/help/pages.ts'
import type { View } from '../lib/cli/output/view.ts'
import { helpText } from '../lib/cli/program/answer.ts'
import { wholeConfig } from '../lib/cli/program/config.ts'
import { Failure } from '../lib/failure.ts'
import { hint, type Naming, paste } from '../lib/hint.ts'

type Result = ExitCode[] | Explanation[] | Described | Described[] | undefined

export default class Help extends PaydeskCommand<Result> {
  static override summary = 'Show the help of a command or topic, or explain a code or status.'
  static override strict = false
  static override examples = [
    '<%= config.bin %> help exit-codes',
    '<%= config.bin %> help flags',
    '<%= config.bin %> help payout create',
    '<%= config.bin %> help 5038',
  ]

  static override args = {
    topic: Args.string({
      ignoreStdin: true,
      description: 'flags, exit-codes, a command, or a code, status, state or exit code',
    }),
  }

  static override readonly result = async () => {
    const { exitCodesResult, explainedResult, helpResult } = await import('../lib/cli/result.ts')
    return [helpResult, exitCodesResult, explainedResult]
  }

  async run(): Promise<Result> {
    const { argv } = await this.parse(Help)
    const words = argv.map(String)
    if (words.join(' ') === 'exit-codes') return exitCodes()
    const config = await wholeConfig(this.config)
    const described = describe(config, words)
    if (described === null) return explained(words, this.naming, config.commandIDs)
    if (this.output.machine) return described
    this.edge.stdout.write(helpText(helpPageOf(config, words.join(':')), this.argv, config, this.edge))
    return undefined
  }

  protected override view(result: Result): View {
    const rows = Array.isArray(result) ? result : []
    const meanings = rows.filter((row) => 'word' in row)
    return meanings.length > 0 ? explanationView(meanings) : exitCodesView(rows.filter((row) => 'code' in row))
  }
}

/** Throws usage (2) for what is no word of the service or of paydesk either, not-found (6) for a number that is none. */
async function explained(words: readonly string[], naming: Naming, ids: readonly string[]): Promise<Explanation[]> {
  const [word = '', ...others] = words
  const found = others.length > 0 ? [] : meaningsOfWord(word, naming)
  if (found.length === 0) throw /^\d+$/.test(words.join(' ')) ? unknownWord(word) : await unknown(words, ids)
  return found
}

async function unknown(words: readonly string[], ids: readonly string[]): Promise<Failure> {
  const { nearestTopic } = await import('../lib/cli/usage/unknown-command.ts')
  const near = nearestTopic(words, ids)
  return new Failure('usage', `no command or topic is called "${words.join(' ')}"`, {
    hints: [
      ...(near === null ? [] : [near]),
      hint`\`paydesk --help\` lists the commands. Other topics: \`${paste('help', 'exit-codes')}\`, \`${paste('help', 'flags')}\`.`,
    ],
  })
}
