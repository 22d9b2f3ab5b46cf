import { Args } from '@oclif/core'
import { PaydeskCommand } from '../lib/cli/command.ts'
import { completionScripts, type Shell, shells } from '../lib/cli/completion/scripts.ts'
import { textView } from '../lib/cli/output/view.ts'
import type { Completion } from '../lib/cli/result.ts'

export default class CompletionCommand extends PaydeskCommand<Completion> {
  static override summary = 'Complete commands, flags, profiles and ids in your shell.'
  static override description =
    `Prints a script that your shell runs at its start. Profiles, plans and the newest journal ids are completed as
you type. Beside an id you see its amount, state and day, but no name and no account. Ids of a team's store
are not completed.`
  static override examples = [
    { description: 'bash, in ~/.bashrc:', command: 'eval "$(<%= config.bin %> completion bash)"' },
    { description: 'zsh, in ~/.zshrc behind compinit:', command: 'eval "$(<%= config.bin %> completion zsh)"' },
    { description: 'fish:', command: '<%= config.bin %> completion fish > ~/.config/fish/completions/paydesk.fish' },
    {
      description: 'PowerShell, in $PROFILE:',
      command: '<%= config.bin %> completion powershell | Out-String | Invoke-Expression',
    },
  ]

  static override args = {
    shell: Args.custom<Shell>({ options: [...shells] })({
      ignoreStdin: true,
      required: true,
      description: 'the shell',
    }),
  }

  static override readonly result = async () => (await import('../lib/cli/result.ts')).completionResult

  async run() {
    const { args } = await this.parse(CompletionCommand)
    return { shell: args.shell, script: completionScripts[args.shell] }
  }

  protected override readonly view = ({ script }: Completion) => textView(script)
}
