/**
 * How a run is to write: the form of its result, and one colour policy (--color, NO_COLOR, CLICOLOR_FORCE, TERM=dumb, and whether
 * a terminal shows it; chalk ignores NO_COLOR). A file of its own, because `--help` needs it and little more.
 */

/** Forms of rows in columns, for spreadsheets: only rows fit into them. */
const sheetForms = ['csv'] as const
export type SheetForm = (typeof sheetForms)[number]

export const forms = ['table', 'json', 'ndjson', ...sheetForms] as const
export type Form = (typeof forms)[number]

export function isSheetForm(form: string | undefined): form is SheetForm {
  return sheetForms.some((each) => each === form)
}

export interface OutputForm {
  readonly form: Form
  readonly fields: readonly string[] | null
  readonly query: string | null
  /** True if a text that --query finds is printed as it is. */
  readonly isRaw: boolean
  /** True for --output table: then a list is a table in a pipe, too. */
  readonly asksForTable: boolean
  readonly colour: ColourChoice
  readonly quiet: boolean
  /** The key that the command line names, for the lines of a log. */
  readonly key: string | null
}

export type ColourChoice = 'auto' | 'always' | 'never'

export interface Screen {
  readonly isTTY?: boolean
}

export function wantsColour(
  choice: ColourChoice,
  env: Readonly<Record<string, string | undefined>>,
  stream: Screen,
): boolean {
  if (choice !== 'auto') return choice === 'always'
  if (env.NO_COLOR) return false
  if (env.CLICOLOR_FORCE && env.CLICOLOR_FORCE !== '0') return true
  return Boolean(stream.isTTY) && env.TERM !== 'dumb'
}
