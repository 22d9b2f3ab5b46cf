/** The one document of a command in the form that was asked for, or whole where that form cannot hold it and it is owed. */
import { Failure } from '../failure.ts'
import type { Output } from './output/output.ts'
import type { RowForms } from './output/rows.ts'
import { idIn, warningsIn, withWarnings } from './output/warnings.ts'
import type { View } from './views/view.ts'

interface Drawing<Result> {
  readonly output: Output
  /** The result as it may be shown: without secrets, unless they were asked for. */
  readonly redacted: <Shown>(shown: Shown) => Shown
  readonly view: (result: Result) => View
  readonly rowForms: (result: Result) => RowForms | null
  /** Warnings that stand in the document besides its own. */
  readonly beside: readonly string[]
}

/** Null where it was shown as it was asked for, else why it was shown whole. To people its warnings are said, too. */
export async function showResult<Result>(
  result: Result,
  { output, redacted, view, rowForms, beside }: Drawing<Result>,
  isOwed: boolean,
): Promise<string | null> {
  const said = withWarnings(result, beside)
  const shown = redacted(said)
  const drawn = () => redacted(view(shown))
  let whole: string | null = null
  try {
    await output.document(shown, drawn(), false, rowForms(shown))
  } catch (error) {
    if (!isOwed || !(error instanceof Failure)) throw error
    whole = `${error.message}; the whole result is shown`
    await output.document(withWarnings(shown, [whole]), drawn(), true)
  }
  const warnings = new Set([...warningsIn(said), ...beside, ...(whole === null ? [] : [whole])])
  for (const warning of warnings) output.warn(warning, { key: null, id: idIn(said) })
  return whole
}
