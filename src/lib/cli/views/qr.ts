/** QR codes of half blocks: a character holds two modules, one above the other. */
import type { ChalkInstance } from 'chalk'

/** Readers want a bright frame of four modules; most are content with one. */
const frame = 4

/** The modules of a text. The encoder is loaded only for this. */
export async function qrModules(text: string): Promise<readonly (readonly boolean[])[]> {
  const { encode } = await import('uqr')
  return encode(text, { border: 0, ecc: 'L' }).data
}

const blocks = [' ', '▄', '▀', '█'] as const

/** The letter for two modules, one above the other, where `upper` and `lower` say which of them are drawn. */
function block(upper: boolean, lower: boolean): string {
  return blocks[(upper ? 2 : 0) + (lower ? 1 : 0)] ?? ' '
}

/**
 * The code for a terminal, black on white whatever its colours are. Without colours the bright modules are drawn: most
 * terminals are dark. A code that would be cut off is none, so a narrow terminal gets a sentence.
 */
export function qrCode(modules: readonly (readonly boolean[])[], width: number, ink: ChalkInstance): string {
  const size = modules.length
  const around = Math.min(frame, Math.floor((width - size) / 2))
  if (around < 1) return `The terminal is too narrow for the QR code: it needs ${size + 2} columns.`
  const dark = (row: number, column: number) => modules[row - around]?.[column - around] ?? false
  const whole = size + 2 * around
  const coloured = ink.level > 0
  const lines: string[] = []
  for (let row = 0; row < whole; row += 2) {
    let line = ''
    for (let column = 0; column < whole; column += 1) {
      const [upper, lower] = [dark(row, column), dark(row + 1, column)]
      // Below the last row there is nothing to be drawn.
      line += coloured ? block(upper, lower) : block(!upper, !lower && row + 1 < whole)
    }
    lines.push(coloured ? ink.black.bgWhiteBright(line) : line)
  }
  return lines.join('\n')
}
