/** A person's own key of a payment: `--key`, a column of a file, an EndToEndId. The same key is the same payment. */

export const businessKeyInWords =
  '1 to 200 characters, without blanks at its ends, line breaks and characters that nobody sees (Unicode NFC)'

/** False for a key that reads like another one: a stray blank, a soft hyphen, an é in two characters would be another payment. */
export function isBusinessKey(key: string): boolean {
  return (
    /^[^\s\p{C}\p{Zl}\p{Zp}](?:[^\p{C}\p{Zl}\p{Zp}]{0,198}[^\s\p{C}\p{Zl}\p{Zp}])?$/u.test(key) &&
    key === key.normalize('NFC')
  )
}
