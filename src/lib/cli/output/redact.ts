/**
 * The one redactor: everything that leaves a command passes through it. It hides the very secrets this run has seen, however
 * they are written, and on stderr what looks like a credential wherever it stands.
 */
import { isSecretMember, mapTexts, Secrets, shortestBeginning, shortestSecret } from '../../redact.ts'

const hidden = '[hidden]'

const patterns: readonly (readonly [RegExp, string])[] = [
  [/(authorization:\s*)(?:(bearer|basic)\s+)?\S+/gi, `$1$2 ${hidden}`],
  [/(bearer\s+)[A-Za-z0-9._~+/=-]{8,}/gi, `$1${hidden}`],
  [/((?:client_secret|access_token)=)[^&\s]+/gi, `$1${hidden}`],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, hidden],
  [/(\/\/[^/\s:@]+:)[^@\s/]+@/g, `$1${hidden}@`],
]

/** A member of JSON that holds a text. */
const member = /("([^"\\\s]{1,64})"\s*:\s*")((?:[^"\\]|\\.)*)/g

/** Of fewer letters a secret may stand in a sum or a status by accident: a result would be told wrong. */
const shortestInResult = 8

export class Redactor {
  readonly #secrets = new Set<string>()
  #everywhere: Secrets | null = null
  #inResults: Secrets | null = null

  /** Something that must not be seen from now on, whatever it stands in. */
  hide(secret: string): void {
    if (secret.length < shortestSecret || this.#secrets.has(secret)) return
    this.#secrets.add(secret)
    this.#everywhere = null
    this.#inResults = null
  }

  /** A line for people, or what is shown of a request: without secrets, and without what looks like one. */
  clean(text: string): string {
    this.#everywhere ??= new Secrets(this.#secrets)
    let cleaned = this.#everywhere.hide(text, hidden, shortestBeginning)
    for (const [pattern, instead] of patterns) cleaned = cleaned.replace(pattern, instead)
    return cleaned.replace(member, (whole, before: string, name: string) =>
      isSecretMember(name) ? `${before}${hidden}` : whole,
    )
  }

  /** The same of every text in what a program reads, so that it stays what it is. */
  cleanAll<Value>(value: Value): Value {
    return mapTexts(value, (text) => this.clean(text))
  }

  /** A result, without the secrets of this run: what looks like one may be what was asked for. */
  withoutSecrets<Value>(result: Value): Value {
    if (this.#secrets.size === 0) return result
    this.#inResults ??= new Secrets([...this.#secrets].filter(({ length }) => length >= shortestInResult))
    const secrets = this.#inResults
    return mapTexts(result, (text) => secrets.hide(text, hidden, shortestBeginning))
  }
}
