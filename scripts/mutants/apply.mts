/** A program with a rule broken: finds the one place that a change means, and writes the file anew. */
import { dirname, relative } from 'node:path/posix'
import type { ESTree } from 'rolldown/utils'
import { type Source, sourceOf } from '../house/source.mts'
import type { Change, Mutant } from './mutant.mts'
import { filled, type Held, matched, type Pattern, patternOf, sameCode } from './pattern.mts'
import { symbolsOf } from './symbol.mts'

/** Sources by their paths. */
export type Program = ReadonlyMap<string, Source>

interface Place {
  readonly source: Source
  readonly node: ESTree.Node
  readonly held: Held
}

function placesIn(source: Source, around: ESTree.Node, pattern: Pattern): readonly Place[] {
  return source.nodes.flatMap(({ node }) => {
    const held = node.start < around.start || node.end > around.end ? null : matched(pattern, node, source.text)
    return held ? [{ source, node, held }] : []
  })
}

interface Symbols {
  readonly source: Source
  readonly symbol: string
  readonly node: ESTree.Node
}

function homesOf(program: Program, symbol: string): readonly Symbols[] {
  const word = symbol.split('.').at(-1) ?? symbol
  return [...program.values()]
    .filter(({ text }) => text.includes(word))
    .flatMap((source) => symbolsOf(source).map((home) => ({ source, ...home })))
    .filter((home) => home.symbol === symbol)
}

/** Other places of the code: a hint for the author who moved it. */
function elsewhere(program: Program, pattern: Pattern): string {
  const symbols = [...program.values()].flatMap((source) => symbolsOf(source).map((home) => ({ source, ...home })))
  const found = symbols.flatMap(({ source, symbol, node }) =>
    placesIn(source, node, pattern).map((place) => `\n  ${symbol}  ${source.at(place.node.start)}`),
  )
  return found.length > 0 ? `. It stands in:${found.slice(0, 5).join('')}` : ''
}

/** Throws where the code does not stand in the symbol exactly once. */
function placeOf(program: Program, { in: symbol, find }: Change): Place {
  const homes = homesOf(program, symbol)
  const pattern = patternOf(find)
  const [place, ...more] = homes.flatMap(({ source, node }) => placesIn(source, node, pattern))
  if (!place) {
    const where = homes.length > 0 ? `${symbol} has no code` : `there is no symbol ${symbol}, to have code`
    throw new Error(`${where} like \`${find}\`${elsewhere(program, pattern)}`)
  }
  if (more.length > 0) throw new Error(`${symbol} has code like \`${find}\` ${more.length + 1} times`)
  return place
}

function importLine(program: Program, { path, nodes }: Source, wanted: string): string {
  const [name = '', from] = wanted.split(' from ')
  const isThere = nodes.some(({ node }) => node.type === 'ImportSpecifier' && node.local.name === name)
  if (isThere) return ''
  const home = from ?? homesOf(program, name)[0]?.source.path
  if (home === undefined) throw new Error(`nothing in the program is named ${name}`)
  if (home === path) return ''
  return `import { ${name} } from '${from ?? `./${relative(dirname(path), home)}`}'\n`
}

function changed(program: Program, change: Change): Source {
  const { source, node, held } = placeOf(program, change)
  const { text, path } = source
  const found = text.slice(node.start, node.end)
  const instead = filled(change.put, new Map([...held, ['$all', found]]))
  const lines = (change.imports ?? []).map((wanted) => importLine(program, source, wanted))
  const after = sourceOf(path, [...lines, text.slice(0, node.start), instead, text.slice(node.end)].join(''))
  if (sameCode(source, after)) throw new Error(`it changes nothing in ${change.in}`)
  return after
}

/** The files that a mutant changes, as they are with it. Throws where it does not apply, or leaves no TypeScript. */
export function broken(program: Program, { changes }: Pick<Mutant, 'changes'>): Program {
  const after = new Map<string, Source>()
  for (const change of changes) {
    const source = changed(new Map([...program, ...after]), change)
    after.set(source.path, source)
  }
  return after
}
