/** A recorded terminal as an SVG: lines appear at the moments at which they came, and a reader that plays nothing shows them all. */
import type { Recorded } from './record.mts'

const cell = { width: 8.4, height: 19 }
const margin = 18

const colours: Readonly<Record<string, string>> = {
  ...{
    '31': '#ff7b72',
    '32': '#7ee787',
    '33': '#e3b341',
    '34': '#79c0ff',
    '35': '#d2a8ff',
    '36': '#76e3ea',
    '90': '#8b949e',
  },
}

interface Piece {
  readonly text: string
  readonly column: number
  readonly style: string
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** The pieces of a line that look alike, each with its column. */
function piecesOf(line: string): readonly Piece[] {
  const pieces: Piece[] = []
  let column = 0
  let codes: readonly string[] = []
  for (const [, sequence, text = ''] of line.matchAll(
    new RegExp(`${String.fromCharCode(27)}\\[([\\d;]*)m|([^${String.fromCharCode(27)}]+)`, 'g'),
  )) {
    if (sequence !== undefined) {
      for (const code of sequence.split(';')) codes = ['', '0', '39', '22'].includes(code) ? [] : [...codes, code]
      continue
    }
    const fill = codes.map((code) => colours[code]).find(Boolean)
    const style = [
      fill && ` fill="${fill}"`,
      codes.includes('1') && ' font-weight="bold"',
      codes.includes('2') && ' opacity=".7"',
    ]
    if (text.trim() !== '') pieces.push({ text, column, style: style.filter(Boolean).join('') })
    column += [...text].length
  }
  return pieces
}

/** Seconds at the end before it begins anew. */
const rest = 12

export function drawn(recorded: readonly Recorded[], columns: number, said: string): string {
  const width = Math.ceil(columns * cell.width + 2 * margin)
  const height = recorded.length * cell.height + 2 * margin
  const last = Math.max(...recorded.map(({ at }) => at)) / 1000
  const total = Math.ceil(last + rest)
  const lines = recorded.map(({ line, at }, place) => {
    const y = margin + (place + 0.75) * cell.height
    const pieces = piecesOf(line).map(
      ({ text, column, style }) =>
        `<tspan x="${(margin + column * cell.width).toFixed(1)}"${style}>${escaped(text.trimEnd())}</tspan>`,
    )
    const isTyped = line.startsWith('$ ')
    const delay = (at / 1000).toFixed(2)
    return `<text y="${y.toFixed(1)}" class="line${isTyped ? ' typed' : ''}" style="animation-delay:${delay}s" xml:space="preserve">${pieces.join('')}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(said)}">
<style>
text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#c9d1d9}
.typed{fill:#fff;font-weight:bold}
.line{animation:show ${total}s backwards}
@keyframes show{from{opacity:0}2%{opacity:1}}
@media (prefers-reduced-motion:reduce){.line{animation:none}}
</style>
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
${lines.join('\n')}
</svg>
`
}

/** The lines of a drawing as text. */
export function textOf(svg: string): string {
  const lines = [...svg.matchAll(/<text [^>]*>(.*?)<\/text>/g)].map(([, inside = '']) => {
    let line = ''
    for (const [, x, text = ''] of inside.matchAll(/<tspan x="([\d.]+)"[^>]*>(.*?)<\/tspan>/g)) {
      const column = Math.round((Number(x) - margin) / cell.width)
      line = `${line.padEnd(column)}${text.replaceAll('&lt;', '<').replaceAll('&amp;', '&')}`
    }
    return line
  })
  return lines.join('\n')
}
