/** Names of payees as people write them. */

/** True if two names read alike: capitals, blanks, dots and commas make no other name. */
export function sameName(one: string, other: string): boolean {
  return plainName(one) === plainName(other)
}

export function plainName(name: string): string {
  const words = name
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
  return words.filter(Boolean).join(' ')
}
