/**
 * Text in lines of at most so many columns, broken between words, and inside a word that is longer than a line. Two marks, which take no room, stand around what is underlined; behind a break it goes on.
 */

export const underlined = { from: '\uE000', to: '\uE001' } as const

const marks = /[\uE000\uE001]/g

/** Columns that a text takes. Help has no characters that take two, or none. */
export function widthOf(text: string): number {
  return text.replaceAll(marks, '').length
}

function append(rows: string[], text: string): void {
  rows.push((rows.pop() ?? '') + text)
}

/** A word that no line can hold: broken behind a bar or a stroke, and cut where a line ends only between them. */
function cut(rows: string[], word: string, columns: number): void {
  for (const part of word.split(/(?<=[|/,=&?])/)) {
    const room = columns - widthOf(rows.at(-1) ?? '')
    if (widthOf(part) <= room) append(rows, part)
    else if (widthOf(part) <= columns) rows.push(part)
    else cutAnywhere(rows, part, columns)
  }
}

function cutAnywhere(rows: string[], word: string, columns: number): void {
  for (const character of word) {
    const room = columns - widthOf(rows.at(-1) ?? '')
    if (widthOf(character) > room) rows.push(character)
    else append(rows, character)
  }
}

function add(rows: string[], word: string, columns: number): void {
  const [width, room] = [widthOf(word), columns - widthOf(rows.at(-1) ?? '')]
  if (width <= columns) {
    if (width > room && room < columns && width > 0) rows.push('')
    append(rows, word)
    return
  }
  // A new line, if the word then takes fewer of them.
  if (Math.floor((width - 1) / columns) < 1 + Math.floor((width - room - 1) / columns)) rows.push('')
  cut(rows, word, columns)
}

/** Every line with both of its marks. */
function marked(rows: readonly string[]): readonly string[] {
  let open = false
  return rows.map((row, at) => {
    const from = open ? underlined.from : ''
    const last = row.replaceAll(/[^\uE000\uE001]/g, '').at(-1)
    open = last === undefined ? open : last === underlined.from
    return `${from}${row}${open && at < rows.length - 1 ? underlined.to : ''}`
  })
}

function brokenLine(line: string, columns: number): string {
  if (line.trim() === '') return ''
  const rows = ['']
  for (const [at, word] of line.split(' ').entries()) {
    const row = (rows.pop() ?? '').trimStart()
    rows.push(at > 0 && widthOf(row) > 0 ? `${row} ` : row)
    add(rows, word, columns)
  }
  return marked(rows.map((row) => row.trimEnd())).join('\n')
}

export function wrapped(text: string, columns: number): string {
  return text
    .split('\n')
    .map((line) => brokenLine(line, columns))
    .join('\n')
}

/** The text further in; lines without a word stay empty. */
export function indented(text: string, columns: number): string {
  return text.replaceAll(/^(?!\s*$)/gm, ' '.repeat(columns))
}
