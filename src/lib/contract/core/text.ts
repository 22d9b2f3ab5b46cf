/**
 * The alphabet of texts that reach a bank statement (specification A1: description, debtorName). "Letters" are A–Z, a–z;
 * Georgian letters are U+10D0–U+10FF (service.md#payouts). A blank is allowed in both fields. The complaint names the first
 * offending character and where it stands, because nobody finds a Cyrillic "а" by eye.
 */

const allowed = /[A-Za-z0-9\u10D0-\u10FF /\\\-?:().,'+]/u

export const alphabetInWords = "letters A–Z a–z, digits, Georgian letters, blank and / \\ - ? : ( ) . , ' +"

function name(character: string): string {
  const point = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
  return /[\p{C}\p{Z}\p{M}]/u.test(character) ? point : `"${character}" (${point})`
}

/** The complaint about the first character outside the alphabet, with its position counted from 1; null if there is none. */
export function alphabetComplaint(text: string): string | null {
  const characters = Array.from(text)
  const at = characters.findIndex((character) => !allowed.test(character))
  const offender = characters[at]
  if (offender === undefined) return null
  return `${name(offender)} at position ${at + 1} is not allowed; allowed are ${alphabetInWords}`
}
