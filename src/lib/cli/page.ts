/** The page of --html: where it goes, and its writing. */
import { resolve } from 'node:path'
import { Failure } from '../failure.ts'
import { hint } from '../hint.ts'
import { typedForm } from './flags/typed-line.ts'
import type { Invocation } from './invocation.ts'
import { toStdout, writeNewFiles } from './output/files.ts'

interface PageFlags {
  readonly html: boolean
  readonly out?: string | undefined
}

/** A page that was asked for; its path is null where it goes to stdout, and is the one document there. */
export interface PageTarget {
  readonly path: string | null
}

/** Where the page of --html goes; null where none was asked for. Throws usage (2). */
export function pageTarget({ html, out: given }: PageFlags, { line }: Invocation): PageTarget | null {
  const out = given === '-' ? undefined : given
  if (out !== undefined && !html) {
    throw new Failure('usage', '--out is for the HTML page', { hints: [hint`Add \`--html\`.`] })
  }
  if (html && out === undefined && typedForm(line) !== 'table') {
    throw new Failure('usage', '--html prints the page itself, so it has no other result', {
      hints: [hint`Omit \`--json\` or \`--output\`, or name a file with \`--out\`.`],
    })
  }
  return html ? { path: out ?? null } : null
}

/** Throws usage (2) where its file cannot be made. */
export async function writePage(invocation: Invocation, { path }: PageTarget, page: string): Promise<void> {
  if (path === null) await toStdout(invocation)(page)
  else writeNewFiles([{ path: resolve(path), text: page }])
}
