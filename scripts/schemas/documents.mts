/**
 * The JSON schemas of everything that `--json` prints, made from the results that the commands name: a file for each, named
 * after its command. A result of several commands says by `file` where it stands; a second document of one command does too.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { z } from 'zod'
import { toJSONSchema } from 'zod'
import { errorResult } from '../../src/lib/cli/result.ts'
import type { Published } from '../../src/lib/result.ts'
import { readable, written } from './readable.mts'

const below = join(import.meta.dirname, '../../src/commands')

export interface Documents {
  /** The text of every schema, by its file. */
  readonly texts: ReadonlyMap<string, string>
  /** The files of every command, by its path below src/commands; none where it names no result. */
  readonly filesOf: ReadonlyMap<string, readonly string[]>
}

interface Loaded {
  readonly default: { readonly result?: Published }
}

const inCommands = () =>
  readdirSync(below, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => path.replace(/\.ts$/, ''))
    .toSorted()

async function resultsOf(command: string): Promise<readonly z.ZodType[]> {
  const { default: loaded }: Loaded = await import(join(below, `${command}.ts`))
  return [(await loaded.result?.()) ?? []].flat()
}

const fileOf = (result: z.ZodType, command: string) => `${result.meta()?.file ?? command.replaceAll('/', '-')}.json`

function textOf(result: z.ZodType, command: string): string {
  const { $schema, ...rest } = toJSONSchema(result, { unrepresentable: 'any', override: readable })
  const title = `${command.replaceAll('/', ' ')} --json`
  return written({ $schema, title, ...rest })
}

/** Every schema there is: of the commands, and of the line that a failure prints. */
export async function documents(): Promise<Documents> {
  const texts = new Map([[fileOf(errorResult, ''), textOf(errorResult, '')]])
  const filesOf = new Map<string, readonly string[]>()
  for (const command of inCommands()) {
    const results = await resultsOf(command)
    for (const result of results) texts.set(fileOf(result, command), textOf(result, command))
    filesOf.set(
      command,
      results.map((result) => fileOf(result, command)),
    )
  }
  return { texts, filesOf }
}
