/** Numbers of cards, wherever a text holds one: letters and digits around it make it another number. */

/** 13 to 19 digits. 8 and 9: RuPay, UzCard, Napas, Troy and Humo. */
const likeACard = /(?<![\w.])(?:[2-6][ -]?\d|8[ -]?[126]|9[ -]?[78])(?:[ -]?\d){11,17}(?!\w|\.\d)/g

/** The check digit of card numbers (ISO/IEC 7812, Luhn). */
function isChecked(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, at) => {
    const doubled = Number(digit) * (at % 2 === 0 ? 1 : 2)
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return sum % 10 === 0
}

/** The text with the mask in the place of each number of a card. */
export function withoutCardNumbers(text: string, mask: string): string {
  return text.replace(likeACard, (found) => (isChecked(found.replace(/\D/g, '')) ? mask : found))
}
