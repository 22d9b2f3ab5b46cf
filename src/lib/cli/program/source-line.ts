/** The line of the source that a defect comes from. The built program is found back by the maps beside it, read only now. */
import { existsSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { dirname, resolve } from 'node:path'

interface Place {
  readonly file: string
  readonly line: number
  readonly column: number
}

function inSource({ file, line, column }: Place): Place {
  if (!existsSync(`${file}.map`)) return { file, line, column }
  const map = new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')))
  const found = map.findEntry(line - 1, column - 1)
  if (!('originalSource' in found)) return { file, line, column }
  return {
    file: resolve(dirname(file), found.originalSource),
    line: found.originalLine + 1,
    column: found.originalColumn + 1,
  }
}

/** The frames of a stack that lie in a file, the innermost first. */
function framesOf(stack: string): readonly Place[] {
  const frames = stack.matchAll(/\(?(?:file:\/\/)?(\/[^():]+|[A-Z]:[^():]+):(\d+):(\d+)\)?$/gm)
  return [...frames].map(([, file = '', line, column]) => ({ file, line: Number(line), column: Number(column) }))
}

/** Such as `src/lib/desk/run.ts:88`; null where the stack does not lead there. */
export function sourceLine({ stack = '' }: Error): string | null {
  try {
    for (const frame of framesOf(stack)) {
      const { file, line } = inSource(frame)
      const own = /[\\/](src[\\/](?:lib|commands)[\\/].*)$/.exec(file)?.[1]
      if (own !== undefined) return `${own.replaceAll('\\', '/')}:${line}`
    }
  } catch {
    // A map that cannot be read takes nothing from what is told of the defect.
  }
  return null
}
