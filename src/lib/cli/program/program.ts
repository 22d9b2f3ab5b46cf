/** The program as bin/run.js finds it built, or bin/dev.js in its sources: what it has, and how to get at each. */
import type { Config } from '@oclif/core'
import type { Edge } from '../../edge.ts'
import type { CompletionTree } from '../completion/tree.ts'
import type { HelpPage } from '../help/page.ts'

/** The list of commands, without their code. */
export interface Listing {
  readonly name: string
  readonly version: string
  /** Of every command, such as `payout:create`, whether words that are no flags may follow it. */
  readonly commands: Readonly<Record<string, boolean>>
}

/** The class of a command, as far as it is started. */
export interface Startable {
  new (argv: string[], config: Config, edge?: Edge): { _run(): Promise<unknown> }
  id: string
}

export interface ProgramParts extends Listing {
  /** The directory of its package.json. */
  readonly root: string
  /** The help of a command or a topic; of the whole program where the id is empty. */
  readonly helpPage: (id: string) => HelpPage
  /** The words that a shell completes. */
  readonly completion: () => CompletionTree
  /** The module of a command. */
  readonly load: (id: string) => { readonly default: Startable }
  /** oclif's configuration with all commands; where there is none, it is made when it is asked for. */
  readonly config?: Config
}
