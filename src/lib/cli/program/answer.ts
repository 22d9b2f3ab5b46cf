/**
 * Answers that were recorded when the program was built: its version and its help. Neither oclif nor a command is loaded for
 * them.
 */
import { platform } from 'node:os'
import type { Edge } from '../../edge.ts'
import { earlyLine } from '../flags/typed.ts'
import { drawnHelp } from '../help/draw.ts'
import type { HelpPage } from '../help/page.ts'
import { wantsColour } from '../output/wants-colour.ts'
import { agentOf } from './agent.ts'
import type { Asked } from './asked.ts'
import type { Listing, ProgramParts } from './program.ts'

const usualWidth = 80
const leastWidth = 40

function widthOf({ env, stdout }: Pick<Edge, 'env' | 'stdout'>): number {
  const given = Number.parseInt(env.OCLIF_COLUMNS ?? '', 10)
  if (given) return given
  return stdout.isTTY && stdout.columns ? Math.max(stdout.columns, leastWidth) : usualWidth
}

/** A page as the reader of stdout gets it. */
export function helpText(page: HelpPage, argv: readonly string[], listing: Listing, edge: Edge): string {
  const choice = earlyLine(argv).value('--color')
  const coloured = wantsColour(choice === 'always' || choice === 'never' ? choice : 'auto', edge.env, edge.stdout)
  const goesOn = platform() === 'win32' ? '^' : '\\'
  return drawnHelp(page, { width: widthOf(edge), coloured, agent: agentOf(listing), goesOn })
}

type Answered = Extract<Asked, { readonly kind: 'version' | 'help' }>

export function answerTo(asked: Answered, argv: readonly string[], program: ProgramParts, edge: Edge): string {
  return asked.kind === 'version' ? `${agentOf(program)}\n` : helpText(program.helpPage(asked.id), argv, program, edge)
}
