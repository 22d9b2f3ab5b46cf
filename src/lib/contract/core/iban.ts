/**
 * Georgian IBANs. Mod-97 is checked where the specification says "valid Georgian IBAN" (toIban) only
 * (service.md#payouts).
 */

const georgian = /^GE\d{2}[A-Z]{2}\d{16}$/

export const ibanPatternInWords = 'GE, 2 digits, 2 capital letters, 16 digits'

export function hasGeorgianPattern(text: string): boolean {
  return georgian.test(text)
}

/** ISO 13616: the whole modulo 97 is 1. Check digits are 98 minus a remainder, so 00, 01 and 99 are never issued. */
export function hasValidCheckDigits(iban: string): boolean {
  const given = iban.slice(2, 4)
  if (given < '02' || given > '98') return false
  const rearranged = iban.slice(4) + iban.slice(0, 4)
  const digits = rearranged.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))
  return BigInt(digits) % 97n === 1n
}

/** Two letters of a bank and 16 digits, with check digits. */
export function ibanOf(bank: string, account: string): string {
  // ISO 13616: 98 minus the remainder of the account, its country and two zeros behind it, letters as 10…35.
  const digits = `${bank}${account}GE00`.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))
  const check = 98n - (BigInt(digits) % 97n)
  return `GE${String(check).padStart(2, '0')}${bank}${account}`
}

/** As people type it: groups of four, small letters. */
export function tidyIban(typed: string): string {
  return typed.replace(/\s+/g, '').toUpperCase()
}

export function groupedIban(iban: string): string {
  return iban.replace(/(.{4})(?=.)/g, '$1 ')
}

/** An IBAN in groups of four; a registered receiver as it is. */
export function accountInWords(account: string): string {
  return hasGeorgianPattern(account) ? groupedIban(account) : account
}
