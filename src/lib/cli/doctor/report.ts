/**
 * The report of doctor: its findings, as JSON and as people see them. Paths in it do not name the person whose home
 * they lie in.
 */
import { sep } from 'node:path'
import { homeOfUser } from '../../edge.ts'
import { Failure } from '../../failure.ts'
import { type Hint, hintInWords, type Naming } from '../../hint.ts'
import type { ResultOf } from '../../result.ts'
import { shellWord } from '../../text.ts'
import { momentInWords, type Zone } from '../output/time.ts'
import { type Labels, labelled, tableOf, type View } from '../output/view.ts'
import type { doctorResult } from '../result.ts'

/** A path as a word of a shell: "~/.local/share/paydesk/journal". */
export function pathWord(path: string): string {
  const home = homeOfUser(undefined) ?? ''
  const isBelow = home.length > 1 && path.startsWith(home + sep)
  return isBelow ? `~/${shellWord(path.slice(home.length + 1))}` : shellWord(path)
}

/** The text with every path in it shown so. */
function withShownPaths(text: string): string {
  const home = homeOfUser(undefined) ?? ''
  return home.length > 1 ? text.replaceAll(home + sep, '~/') : text
}

/** One finding of `doctor`. */
export type Report = ResultOf<typeof doctorResult>
type Finding = Report['findings'][number]

/** A finding before its advice is put into words. */
export interface OpenFinding extends Omit<Finding, 'next'> {
  readonly next: readonly Hint[]
}

export function finding(
  about: Finding['about'],
  verdict: Finding['verdict'],
  says: string,
  ...next: readonly Hint[]
): OpenFinding {
  return { about, verdict, says, next }
}

export function findingInWords({ says, next, ...finding }: OpenFinding, naming: Naming): Finding {
  return { ...finding, says: withShownPaths(says), next: next.map((each) => withShownPaths(hintInWords(each, naming))) }
}

/** A failure that was met while looking. */
export function failureFinding(
  about: Finding['about'],
  { message, facts }: Failure,
  verdict: Finding['verdict'] = 'bad',
): OpenFinding {
  return finding(about, verdict, message, ...(facts.hints ?? []))
}

/** What a check finds; a failure that it meets is a finding, too. */
export async function findingsOf(
  about: Finding['about'],
  check: () => Promise<readonly OpenFinding[]>,
): Promise<readonly OpenFinding[]> {
  try {
    return await check()
  } catch (error) {
    if (error instanceof Failure) return [failureFinding(about, error)]
    throw error
  }
}

const words: Readonly<Record<Finding['verdict'], string>> = {
  good: 'good',
  notice: 'notice',
  bad: 'BAD',
  unseen: 'not checked',
}

const labels: Labels<Report> = {
  paydesk: ({ version, node, system }) => `${version}, Node ${node.replace(/^v/, '')}, ${system}`,
  profile: ({ profile, environment }) => (profile === null ? 'none' : `${profile} (${environment})`),
  variables: ({ variables }) => variables.join(', ') || null,
}

const columns: Labels<NonNullable<Report['payments']>[number]> = {
  open: 'journalId',
  state: 'state',
  operation: 'operation',
  profile: 'profile',
  since: 'openedAt',
}

/** The report of `doctor` for people. */
export function reportView(report: Report, zone: Zone): View {
  const { healthy, at, findings, payments } = report
  const open = (payments ?? []).map((each) => ({ ...each, openedAt: momentInWords(each.openedAt, zone) }))
  const found = findings.flatMap(({ about, verdict, says, next }) => [
    [about, `${words[verdict]}: ${says}`] as const,
    ...next.map((each) => ['', `→ ${each}`] as const),
  ])
  return [
    {
      kind: 'facts',
      title: healthy ? 'Everything works' : 'Something is wrong',
      rows: [['at', momentInWords(at, zone)], ...labelled(report, labels)],
    },
    { kind: 'facts', rows: found },
    ...(open.length > 0 ? [tableOf(open, columns)] : []),
  ]
}
