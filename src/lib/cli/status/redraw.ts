/** A block on a terminal that is drawn over itself. */

import { stripVTControlCharacters } from 'node:util'
import type { Edge } from '../../edge.ts'
import { toldColumns } from '../drawing/columns.ts'

/** The cursor to the beginning of the line so many lines up, and everything below it cleared. */
const above = (lines: number) => `${lines === 0 ? '' : `\u001b[${lines}A`}\r\u001b[0J`

export class Redraw {
  readonly #stream: Edge['stdout']
  #lines = 0

  constructor(stream: Edge['stdout']) {
    this.#stream = stream
  }

  draw(text: string): void {
    const width = toldColumns(this.#stream) ?? 80
    this.#stream.write(`${above(this.#lines)}${text}\n`)
    const lengths = text.split('\n').map((line) => stripVTControlCharacters(line).length)
    this.#lines = lengths.reduce((sum, length) => sum + Math.max(1, Math.ceil(length / width)), 0)
  }
}
