/**
 * Cited files that do not exist. Comments, strings and pages are read for paths that begin with a folder of the repository (or
 * with `design/` and `spec/`, which are not in it), comments and pages also for a source named from `src/lib` (`desk/run.ts`).
 * A citation may leave out the ending. "observed" with a number cites a page that is not in the repository, and always counts.
 */
import { dirname, join } from 'node:path/posix'
import { byLine, type Place } from './place.mts'
import type { Source } from './source.mts'

export type Exists = (path: string) => boolean

interface Passage {
  readonly text: string
  readonly start: number
  /** Written for people alone. */
  readonly isProse: boolean
  /** A part of a text that goes on with a value: a path at its end is half of one. */
  readonly goesOn: boolean
}

function passages({ path, text, comments, nodes }: Source): readonly Passage[] {
  if (path.endsWith('.md')) return [{ text, start: 0, isProse: true, goesOn: false }]
  const prose = comments.map((comment) => ({ ...comment, isProse: true, goesOn: false }))
  const strings = nodes.flatMap(({ node }) => {
    if (node.type === 'Literal' && typeof node.value === 'string')
      return [{ text: node.value, start: node.start, isProse: false, goesOn: false }]
    if (node.type !== 'TemplateElement') return []
    return [{ text: node.value.raw, start: node.start, isProse: false, goesOn: !node.tail }]
  })
  return [...prose, ...strings]
}

/** One that goes on with a star or a bracket names many files or none. */
const fromRoot = /(?<![\w./@-])(?:docs|design|spec|src|test|scripts|bin|schemas)\/[\w./-]*(?![\w./*{<$[(…-])/g
const fromLib = /(?<![\w./@-])[\w-]+(?:\/[\w-]+)*\/[\w.-]+\.m?ts(?![\w*])/g
const byNumber = /\bobserved \d+/g

const endings = ['', '.md', '.ts', '.mts', '.test.ts']
const homes = ['', 'src', 'src/lib', 'test']

function isThere(cited: string, from: string, exists: Exists): boolean {
  const places = [...homes, dirname(from)].map((home) => join(home, cited))
  return places.some((place) => endings.some((ending) => exists(`${place}${ending}`)))
}

interface Missing {
  readonly cited: string
  readonly index: number
}

function missingIn(passage: Passage, from: string, exists: Exists): readonly Missing[] {
  const { text, isProse, goesOn } = passage
  const paths = [...text.matchAll(fromRoot), ...(isProse ? text.matchAll(fromLib) : [])]
    .filter(({ 0: cited, index }) => !(goesOn && index + cited.length === text.length))
    .map(({ 0: cited, index }) => ({ cited: cited.replace(/[./-]+$/, ''), index }))
    .filter(({ cited }) => cited.includes('/') && !isThere(cited, from, exists))
  const numbered = [...text.matchAll(byNumber)].map(({ 0: cited, index }) => ({ cited, index }))
  return [...paths, ...numbered]
}

export function citations(sources: readonly Source[], exists: Exists): readonly Place[] {
  return byLine(
    sources.flatMap((source) =>
      passages(source).flatMap((passage) =>
        missingIn(passage, source.path, exists).map(({ cited, index }) => ({
          at: source.at(passage.start + index),
          what: cited,
        })),
      ),
    ),
  )
}
