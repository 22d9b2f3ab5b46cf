/**
 * The one redactor: everything that goes to stderr passes through it. It hides what looks like a credential wherever it
 * stands, and the very secrets this run has seen.
 */

const hidden = '[hidden]'

const patterns: readonly (readonly [RegExp, string])[] = [
  [/(authorization:\s*)(?:(bearer|basic)\s+)?\S+/gi, `$1$2 ${hidden}`],
  [/(bearer\s+)[A-Za-z0-9._~+/=-]{8,}/gi, `$1${hidden}`],
  [
    /("(?:client_secret|access_token|refresh_token|clientSecret|password|cardToken|token)"\s*:\s*")(?:[^"\\]|\\.)*/gi,
    `$1${hidden}`,
  ],
  [/((?:client_secret|access_token)=)[^&\s]+/gi, `$1${hidden}`],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, hidden],
  [/(\/\/[^/\s:@]+:)[^@\s/]+@/g, `$1${hidden}@`],
]

export class Redactor {
  readonly #secrets = new Set<string>()

  /** Something that must not be seen from now on, whatever it stands in. */
  hide(secret: string): void {
    if (secret.length < 4) return
    this.#secrets.add(secret)
    // In JSON text a quote or a backslash of it is written otherwise.
    this.#secrets.add(JSON.stringify(secret).slice(1, -1))
  }

  clean(text: string): string {
    let cleaned = text
    // The longest first: a secret inside a longer one would leave the rest of it.
    for (const secret of [...this.#secrets].toSorted((a, b) => b.length - a.length))
      cleaned = cleaned.replaceAll(secret, hidden)
    for (const [pattern, instead] of patterns) cleaned = cleaned.replace(pattern, instead)
    return cleaned
  }
}
