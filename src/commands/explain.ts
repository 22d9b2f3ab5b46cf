import { PaydeskCommand } from '../lib/cli/command.ts'
import { named } from '../lib/cli/flags/shared.ts'
import { type Explanation, explanationView, meaningsOfWord, unknownWord } from '../lib/cli/help/explain.ts'

export default class Explain extends PaydeskCommand<Explanation[]> {
  static override summary = 'Explain a code, status, state or exit code: did money move, and what next?'
  static override description =
    'Takes codes and statuses of the service, states of the journal, and exit codes by number or name.'
  static override examples = [
    '<%= config.bin %> explain 5038',
    '<%= config.bin %> explain REJECTED',
    '<%= config.bin %> explain 9 --json',
  ]

  static override args = { word: named('a code, a status, a state or an exit code') }

  static override readonly result = async () => (await import('../lib/cli/result.ts')).explainedResult

  async run() {
    const { args } = await this.parse(Explain)
    const found = meaningsOfWord(args.word, this.naming)
    if (found.length === 0) throw unknownWord(args.word)
    return found
  }

  protected override readonly view = explanationView
}
