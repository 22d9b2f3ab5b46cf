/**
 * The traces that spreadsheets leave in cells: digits that are gone, numbers in the place of dates, sums with two meanings.
 * Nothing is mended: what the cell held before is not known.
 */

type Kind = 'sum' | 'date' | 'identity' | 'text'

const kinds: Readonly<Record<string, Kind>> = {
  amount: 'sum',
  birthDate: 'date',
  beneficiaryIdentityNumber: 'identity',
  debtorIdentityNumber: 'identity',
}

export function isSum(field: string): boolean {
  return kinds[field] === 'sum'
}

/** The words of a spreadsheet for a value that it could not make, English and German. */
const errorValue = /^#(?:REF!|VALUE!|NAME\?|DIV\/0!|NUM!|NULL!|SPILL!|CALC!|N\/A|BEZUG!|WERT!|ZAHL!|NV)$/i

const short = /^[+-]?\d(?:[.,]\d+)?E[+-]?\d+$/i

function anywhere(cell: string, kind: Kind): string | null {
  if (errorValue.test(cell)) return `${cell} is an error of the spreadsheet, and no value`
  if (/^#{3,}$/.test(cell)) return 'was saved from a column that was too narrow to show it'
  if (/^[=@]/.test(cell)) return 'is a formula, and not its value: save the values'
  // In a text, 1E5 can be a number of an invoice; a spreadsheet always writes the sign.
  if (short.test(cell) && (kind !== 'text' || cell.includes('+'))) {
    return `${cell} is the short form of a long number, whose digits are lost: format the column as text`
  }
  return null
}

/** A sum with separators, as it is to be written; in general words where its last three digits may be decimals or not: 1,250.000. */
function withoutSeparators(cell: string): string {
  const marks = cell.replace(/\d/g, '')
  const last = marks.slice(-1)
  const isWhole = /\D\d{3}$/.test(cell)
  if (isWhole && marks !== last.repeat(marks.length)) return 'write it without them, and with a dot before the decimals'
  const at = isWhole ? cell.length : cell.lastIndexOf(last)
  const decimals = isWhole ? '' : `.${cell.slice(at + 1)}`
  return `write it as ${cell.slice(0, at).replace(/\D/g, '')}${decimals}`
}

/** A sum that means one thing here and another there: 1,250 and 1.250. */
function sum(cell: string): string | null {
  if (/^[1-9]\d{0,2}[.,]\d{3}$/.test(cell)) {
    return `${cell} can mean ${cell.replace(/[.,]/, '')} and ${cell.replace(',', '.')}: write it without separators`
  }
  if (/^[1-9]\d{0,2}(?:[,.'’\u00A0\u202F ]\d{3})+(?:[.,]\d+)?$/.test(cell)) {
    return `${cell} has separators between its digits: ${withoutSeparators(cell)}`
  }
  if (/^\d+,\d+$/.test(cell)) return `${cell} has a comma before its decimals: write it as ${cell.replace(',', '.')}`
  if (/^\d+\.\d{6,}$/.test(cell)) return `${cell} was reckoned with floating point: round it to 2 decimals`
  return null
}

const only: Readonly<Record<Kind, (cell: string) => string | null>> = {
  sum,
  date: (cell) =>
    /^\d{4,5}(?:\.\d+)?$/.test(cell)
      ? `${cell} is a date as a spreadsheet counts its days: format the column as text, dd.MM.yyyy`
      : null,
  // Companies have 9 digits and persons 11.
  identity: (cell) =>
    /^(?:\d{8}|\d{10})$/.test(cell)
      ? `${cell} has ${cell.length} digits, 9 or 11 would be right: a zero before it was lost, or a digit`
      : null,
  text: () => null,
}

/**
 * The damage of a cell, in words that follow its place; null where there is none to see. `isNumber`: the file itself calls it
 * a number, so that a point in it has one meaning.
 */
export function damageOf(field: string, cell: string, isNumber: boolean): string | null {
  const kind = kinds[field] ?? 'text'
  if (isNumber && kind === 'sum' && !/\d{6}$/.test(cell)) return anywhere(cell, kind)
  return anywhere(cell, kind) ?? only[kind](cell)
}
