/** Dates of the specification that carry no zone. They stay text: `new Date()` would give them the machine's zone. */

const dashed = /^(\d{4})-(\d{2})-(\d{2})$/
const dotted = /^(\d{2})\.(\d{2})\.(\d{4})$/

function daysIn(month: number, year: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}

function isRealDate(year: number, month: number, day: number): boolean {
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(month, year)
}

/** True if the text is a date of the calendar in the form dd.MM.yyyy (specification A1, birthDate). */
export function isRealDottedDate(text: string): boolean {
  const parts = dotted.exec(text)
  if (!parts) return false
  const [day, month, year] = parts.slice(1).map(Number) as [number, number, number]
  return isRealDate(year, month, day)
}

/** True if the text is a date of the calendar in the form yyyy-MM-dd (startDate). Two of them compare as texts. */
export function isRealDashedDate(text: string): boolean {
  const parts = dashed.exec(text)
  if (!parts) return false
  const [year, month, day] = parts.slice(1).map(Number) as [number, number, number]
  return isRealDate(year, month, day)
}
