/**
 * Georgian IBANs. The pattern is the specification's (A1); mod-97 is checked where it says "valid Georgian IBAN" (toIban)
 * and nowhere else (service.md#payouts).
 */

const georgian = /^GE\d{2}[A-Z]{2}\d{16}$/

export const ibanPatternInWords = 'GE, 2 digits, 2 capital letters, 16 digits'

/** True if the text has the form of a Georgian IBAN, without blanks and small letters. */
export function hasGeorgianPattern(text: string): boolean {
  return georgian.test(text)
}

/**
 * ISO 13616: the first four characters to the end, letters as 10…35, the whole modulo 97 is 1. Check digits are 98 minus a
 * remainder, so 00, 01 and 99 are never issued, although modulo 97 they look like 97, 98 and 02.
 */
export function hasValidCheckDigits(iban: string): boolean {
  const given = iban.slice(2, 4)
  if (given < '02' || given > '98') return false
  const rearranged = iban.slice(4) + iban.slice(0, 4)
  const digits = rearranged.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))
  return BigInt(digits) % 97n === 1n
}

/** The Georgian IBAN of an account, two letters of a bank and 16 digits, with its check digits. */
export function ibanOf(bank: string, account: string): string {
  // ISO 13616: 98 minus the remainder of the account, its country and two zeros behind it, letters as 10…35.
  const digits = `${bank}${account}GE00`.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))
  const check = 98n - (BigInt(digits) % 97n)
  return `GE${String(check).padStart(2, '0')}${bank}${account}`
}

/** An IBAN as people type it, in groups of four or in small letters, in the form the service takes. */
export function tidyIban(typed: string): string {
  return typed.replace(/\s+/g, '').toUpperCase()
}

/** An IBAN in groups of four, as people read it. */
export function groupedIban(iban: string): string {
  return iban.replace(/(.{4})(?=.)/g, '$1 ')
}

/** The account of a payee for people: an IBAN in groups, a registered receiver as it is. */
export function accountInWords(account: string): string {
  return hasGeorgianPattern(account) ? groupedIban(account) : account
}
