/** Card fields as they stand on a card. The page's script does the same while one types: both read this file. */

/** Four and four; American Express: four, six, five. However much of the number is typed, and nothing that is no digit. */
function sizesOf(digits: string): readonly number[] {
  return /^3[47]/.test(digits) ? [4, 6, 5] : [4, 4, 4, 4, 3]
}

/** A number in groups. A text that is no number stays as it is. */
export function groupDigits(typed: string): string {
  if (!/^[\d\s-]*$/.test(typed)) return typed
  const digits = typed.replace(/\D/g, '')
  const groups: string[] = []
  let from = 0
  for (const size of sizesOf(digits)) {
    groups.push(digits.slice(from, from + size))
    from += size
  }
  groups.push(digits.slice(from))
  return groups.filter(Boolean).join(' ')
}

/** A date with its slash: 1249 becomes 12/49, 4/29 becomes 04/29. A text that is none stays as it is. */
export function addSlash(typed: string): string {
  if (!/^[\d\s/.-]*$/.test(typed)) return typed
  const short = /^\s*\d\s*[/.-]|^\s*[2-9]/.test(typed)
  const digits = `${short ? '0' : ''}${typed.replace(/\D/g, '')}`
  return digits.length > 2 ? `${digits.slice(0, 2)}/${digits.slice(2)}` : digits
}
