/** Maps of the built program, made small: only lines of ours are found back. */
import { decode, encode, type SourceMapSegment } from '@jridgewell/sourcemap-codec'

interface BuiltMap {
  readonly sources: readonly string[]
  readonly mappings: string
}

/** The mappings of a map without names; of code that packages brought only where it begins. */
export function ownLines({ sources, mappings }: BuiltMap): string {
  const isPackage = sources.map((source) => source.includes('/node_modules/'))
  const lines = decode(mappings).map((line) => {
    const kept: SourceMapSegment[] = []
    for (const segment of line) {
      const [column, source, at, originalColumn] = segment
      if (source === undefined || at === undefined || originalColumn === undefined) kept.push([column])
      else if (!isPackage[source]) kept.push([column, source, at, originalColumn])
      else if (kept.at(-1)?.[1] !== source) kept.push([column, source, 0, 0])
    }
    return kept
  })
  return encode(lines)
}
