import { join } from 'node:path'
import { Flags } from '@oclif/core'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { writeNewFiles } from '../../lib/cli/output/files.ts'
import type { View } from '../../lib/cli/output/view.ts'
import { ownSandbox, worldExportView, worldView } from '../../lib/cli/sandbox.ts'
import { Failure } from '../../lib/failure.ts'
import type { ResultOf } from '../../lib/result.ts'
import type { worldExportResult } from '../../lib/sandbox/result.ts'
import type { WholeWorld } from '../../lib/sandbox/sandbox.ts'

type WorldExport = ResultOf<typeof worldExportResult>

export default class SandboxWorld extends PaydeskCommand<WholeWorld | WorldExport> {
  static override summary = "Show the sandbox's clients, keys, cards and balances."
  static override description =
    'The secrets work with this sandbox only and change with `sandbox reset`. Keys are printed with --json and --env, and written to files with --keys; the first call generates them in a few seconds.'
  static override examples = [
    '<%= config.bin %> sandbox world',
    'eval "$(<%= config.bin %> sandbox world --env sandbox)"',
    '<%= config.bin %> sandbox world --env sandbox-legacy --keys keys',
    "<%= config.bin %> sandbox world --json --query 'distributorClients[0].clientSecret'",
  ]

  static override flags = {
    env: Flags.string({
      description: 'print the settings of this client as export lines for a shell',
      helpValue: '<name>',
    }),
    keys: Flags.string({
      description: 'write keys to this directory, as PEM and single-line base64: those of --env, or all',
      helpValue: '<dir>',
    }),
  }

  static override readonly result = async () => {
    const { worldExportResult, worldResult } = await import('../../lib/sandbox/result.ts')
    return worldResult.or(worldExportResult)
  }

  async run(): Promise<WholeWorld | WorldExport> {
    const { flags } = await this.parse(SandboxWorld)
    const sandbox = await ownSandbox(this)
    // A new world makes some twenty RSA pairs: seconds, in which nothing else is seen.
    const slow = setTimeout(() => this.output.say('Making the keys of this world, once: this takes some seconds.'), 500)
    const world = await sandbox.wholeWorld().finally(() => clearTimeout(slow))
    if (flags.env === undefined && flags.keys === undefined) return world
    return await this.#exported(world, flags.env, flags.keys)
  }

  async #exported(world: WholeWorld, env: string | undefined, directory: string | undefined): Promise<WorldExport> {
    const { keyFilesOf, tenantNames, variablesOf } = await import('../../lib/sandbox/accounts/exports.ts')
    const { addressIn } = await import('../../lib/sandbox/server/builtin.ts')
    const { authorityFile } = await import('../../lib/sandbox/server/address.ts')
    const names = tenantNames(world)
    if (env !== undefined && !names.includes(env)) {
      throw new Failure('usage', `--env: the sandbox has no ${JSON.stringify(env)}; it has ${names.join(', ')}`)
    }
    const url = addressIn(this.places.sandbox)
    const authority = url.startsWith('https:') ? authorityFile(this.places.sandbox) : null
    const variables = env === undefined ? {} : variablesOf(world, env, { url, authority })
    if (directory === undefined) return { variables, files: [] }
    const keys = (env === undefined ? names : [env]).flatMap((name) => keyFilesOf(world, name))
    if (keys.length === 0) throw new Failure('usage', `--keys: ${env} seals nothing, so that it has no keys`)
    const files = keys.map(({ name, text }) => ({ path: join(directory, name), text }))
    writeNewFiles(files, true)
    return { variables, files: files.map(({ path }) => path) }
  }

  protected override view(result: WholeWorld | WorldExport): View {
    return 'files' in result ? worldExportView(result) : worldView(result)
  }
}
