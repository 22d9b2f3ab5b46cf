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

/** The place at the end of a line of a stack: `at run (/opt/paydesk/dist/main.js:1:20)`. */
function placeIn(frame: string): Place | null {
  const end = /:(\d{1,9}):(\d{1,9})\)?$/.exec(frame)
  if (!end) return null
  const before = frame.slice(0, end.index)
  const file = before.slice(Math.max(before.lastIndexOf('(') + 1, before.indexOf('at ') + 3, 0))
  return { file: file.replace(/^file:\/\//, ''), line: Number(end[1]), column: Number(end[2]) }
}

/** The path from `src` on; null where it leads elsewhere. */
function fromSource(file: string): string | null {
  const path = file.replaceAll('\\', '/')
  const at = Math.max(path.lastIndexOf('/src/lib/'), path.lastIndexOf('/src/commands/'))
  return at < 0 ? null : path.slice(at + 1)
}

/** Such as `src/lib/desk/run.ts:88`, of the innermost frame in the program; null where the stack does not lead there. */
export function sourceLine({ stack = '' }: Error): string | null {
  try {
    for (const frame of stack.split('\n').map(placeIn)) {
      const place = frame && inSource(frame)
      const own = place && fromSource(place.file)
      if (place && own) return `${own}:${place.line}`
    }
  } catch {
    // A map that cannot be read takes nothing from what is told of the defect.
  }
  return null
}
