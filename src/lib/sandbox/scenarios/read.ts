/** A scenario from its text. Whatever is wrong with it is told at once, each with its line. */
import { dirname, resolve } from 'node:path'
import { type Document, isNode, LineCounter, parseDocument, visit } from 'yaml'
import type { z } from 'zod'
import { complaint, formless } from '../../contract/validate.ts'
import { Failure } from '../../failure.ts'
import { hint, paste } from '../../hint.ts'
import { orMeant } from '../../nearest.ts'
import { trespass } from './confine.ts'
import { type ScenarioText, type StepFields, scenarioRules } from './language.ts'
import { filled, mentioned } from './words.ts'

export interface ScenarioStep extends StepFields {
  readonly line: number
}

export interface Scenario extends Omit<ScenarioText, 'steps'> {
  readonly steps: readonly ScenarioStep[]
}

interface Trouble {
  readonly line: number
  readonly message: string
}

function unreadable(file: string, troubles: readonly Trouble[]): Failure {
  const sorted = troubles.toSorted((a, b) => a.line - b.line)
  const said = sorted.map(({ line, message }) => `line ${line}: ${message}`)
  return new Failure('usage', `${file} is no scenario: ${said.join('; ')}`, {
    hints: [hint`\`${paste('sandbox run', '--help')}\` shows what a scenario holds.`],
  })
}

type Path = readonly PropertyKey[]

interface Complained {
  readonly path: Path
  readonly message: string
}

const unknownKey = 'is not known here'

/** The innermost complaints: of a choice those of the branch that fits best. */
function issuesOf(issue: z.core.$ZodIssue, before: Path = []): Complained[] {
  const path = [...before, ...issue.path]
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const branches = issue.errors.map((errors) => errors.flatMap((each) => issuesOf(each, path)))
    const deepest = (branch: (typeof branches)[number]) => Math.max(...branch.map((each) => each.path.length))
    const best = branches.toSorted((a, b) => deepest(b) - deepest(a))[0] ?? []
    if (best.some((each) => each.path.length > path.length)) return best
    const told = issue.message === formless ? [...new Set(branches.flat().map((each) => each.message))] : []
    return [{ path, message: told.join(', or ') || issue.message }]
  }
  if (issue.code === 'invalid_key') return issue.issues.map(({ message }) => ({ path, message }))
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: [...path, key], message: unknownKey }))
  }
  return [{ path, message: issue.message }]
}

function within(path: Path): string {
  return path.map((part) => (typeof part === 'number' ? part + 1 : String(part))).join(' ')
}

/** Names that are used before anything gives them a value. */
function unknownNames({ variables = {}, steps }: ScenarioText): Complained[] {
  const known = new Set(Object.keys(variables))
  return steps.flatMap(({ save = {}, ...rest }, at) => {
    const missing = [...new Set(mentioned(rest))].filter((name) => !known.has(name))
    for (const name of Object.keys(save)) known.add(name)
    return missing.map((name) => ({ path: ['steps', at], message: `\${${name}} has no value yet` }))
  })
}

/** The place of the first alias without an anchor, else of the last alias. */
function placeOfAlias(document: Document): number {
  let at = 0
  visit(document, {
    Alias: (_key, alias) => {
      at = alias.range?.[0] ?? at
      return alias.resolve(document) ? undefined : visit.BREAK
    },
  })
  return at
}

/** Some YAML is refused only here: aliases of what is nowhere, or of so much that it would fill the memory. */
function contentOf(file: string, document: Document, lineAt: (offset: number) => number): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 })
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw unreadable(file, [{ line: lineAt(placeOfAlias(document)), message }])
  }
}

/** Commands that would leave the world of the scenario, by what is known of its variables before it begins. */
function trespasses({ variables = {}, steps }: ScenarioText, directory: string) {
  const known = new Map(Object.entries(variables))
  return steps.flatMap(({ run }, at) => {
    const why = run ? trespass(filled(run, known), directory) : null
    return why === null ? [] : [{ path: ['steps', at, 'run'], message: why }]
  })
}

/** The complaints about keys that are not known, each with the one that was meant. `known`: the keys that may stand there. */
async function meant(found: readonly Complained[], known: ReadonlyMap<string, readonly string[]>) {
  const told = found.map(async ({ path, message }) => {
    const key = String(path.at(-1))
    const names = message === unknownKey ? known.get(key) : undefined
    return { path, message: names ? `${message}${await orMeant(key, names)}` : message }
  })
  return Promise.all(told)
}

/** Collects the keys that an object may have where one of it is not known. */
function collecting(known: Map<string, readonly string[]>): z.core.$ZodErrorMap {
  return (issue) => {
    const { inst } = issue
    if (issue.code === 'unrecognized_keys' && inst && 'shape' in inst) {
      const names = Object.keys(inst.shape as object)
      for (const key of issue.keys as string[]) known.set(key, [...(known.get(key) ?? []), ...names])
    }
    return complaint(issue)
  }
}

/** Throws Failure('usage'). */
export async function readScenario(file: string, text: string): Promise<Scenario> {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const lineAt = (offset: number) => lines.linePos(offset).line
  if (document.errors.length > 0) {
    throw unreadable(
      file,
      document.errors.map(({ pos, message }) => ({ line: lineAt(pos[0]), message })),
    )
  }
  /** Of the innermost part of a path that is there. */
  const lineOf = (path: Path): number => {
    const node = path.length === 0 ? document.contents : document.getIn(path, true)
    if (isNode(node) && node.range) return lineAt(node.range[0])
    return path.length === 0 ? 1 : lineOf(path.slice(0, -1))
  }
  const placed = ({ path, message }: Complained) => ({
    line: lineOf(path),
    message: `${within(path)} ${message}`.trim(),
  })
  const known = new Map<string, readonly string[]>()
  const parsed = scenarioRules.safeParse(contentOf(file, document, lineAt), { error: collecting(known) })
  if (!parsed.success) {
    const complaints = await meant(
      parsed.error.issues.flatMap((issue) => issuesOf(issue)),
      known,
    )
    throw unreadable(file, complaints.map(placed))
  }
  const found = [...unknownNames(parsed.data), ...trespasses(parsed.data, dirname(resolve(file)))]
  if (found.length > 0) throw unreadable(file, found.map(placed))
  return { ...parsed.data, steps: parsed.data.steps.map((step, at) => ({ ...step, line: lineOf(['steps', at]) })) }
}
