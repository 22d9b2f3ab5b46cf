/** Headers that let a client in, by their names: those of sessions and of proxies among them. */
const ofSecrets = /auth(?!enticate$|or$|ority$)|cookie|token|secret|session|passw|credential|api[-_]?key|jwt/i

export function isSecretHeader(name: string): boolean {
  return ofSecrets.test(name)
}
