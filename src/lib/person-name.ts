/** Names of people and companies as people write them, and as they read them. */

/** True if two names read alike: capitals, blanks, dots, commas, letters that nobody sees and those that look alike make no other name. */
export function sameName(one: string, other: string): boolean {
  return plainName(one) === plainName(other)
}

/** Characters that take no room, or show nothing where they stand: zero-width ones, soft hyphens, fillers, marks of direction. */
const unseen = /[\p{Default_Ignorable_Code_Point}\p{Cf}\u2800]/gu

/** Small letters of other alphabets, each before the Latin letter that it passes for; `i`, `l` and `1` pass for each other, as do `o` and `0`. */
const lookalikes: ReadonlyMap<string, string> = new Map(
  [
    ...['аa', 'вb', 'еe', 'ѕs', 'іi', 'їi', 'јj', 'кk', 'мm', 'нh', 'һh', 'оo', 'рp', 'сc', 'тt', 'уy', 'үy', 'хx'],
    ...['ԁd', 'ԛq', 'ԝw', 'ӏi', 'αa', 'βb', 'εe', 'ιi', 'κk', 'νv', 'οo', 'ρp', 'τt', 'υu', 'χx'],
    ...['ყy', 'ჿo', 'ıi', 'ɩi', 'ɑa', 'ɡg', 'li', '1i', '0o'],
  ].map((pair) => [pair.slice(0, -1), pair.slice(-1)]),
)

/** The old Georgian alphabet, whose letters are those of the one that is written today. */
const [oldGeorgian, georgian] = [0x2d00, 0x10d0]

function asRead(letter: string): string {
  const point = letter.codePointAt(0) ?? 0
  const today = point >= oldGeorgian && point <= oldGeorgian + 0x25 ? point - oldGeorgian + georgian : point
  const read = String.fromCodePoint(today)
  return lookalikes.get(read) ?? read
}

export function plainName(name: string): string {
  const letters = name.normalize('NFKC').replace(unseen, '').toLowerCase()
  const words = Array.from(letters, asRead)
    .join('')
    .split(/[^\p{L}\p{M}\p{N}]+/u)
  // A name of symbols alone is no other one's.
  return words.filter(Boolean).join(' ') || name.trim()
}
