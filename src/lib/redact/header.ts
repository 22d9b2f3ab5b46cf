/** Headers whose values let somebody in, by what their names say: those of sessions and of proxies among them. */
const ofSecrets = /auth(?!enticate$|or$|ority$)|cookie|token|secret|session|passw|credential|api[-_]?key|jwt/i

export function isSecretHeader(name: string): boolean {
  return ofSecrets.test(name)
}
