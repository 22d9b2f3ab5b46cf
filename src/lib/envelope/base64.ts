/**
 * Reads base64 in every damage it arrives with: blanks in the place of `+` from form decoding, lines from mailers and
 * OpenSSL, the URL-safe alphabet, no `=`, percent-encoding once too often (service.md#envelope). Writes are Node's exact
 * base64.
 */
export const base64Damages = [
  'percent-encoded',
  'line-wraps',
  'blanks-for-plus',
  'url-safe-alphabet',
  'padding-left-out',
] as const

export type Base64Damage = (typeof base64Damages)[number]

export interface ReadBase64 {
  readonly bytes: Buffer
  /** The damage that had to be mended. */
  readonly damage: readonly Base64Damage[]
}

/** Node decodes what it can and skips the rest: only a result of the full length proves that nothing was skipped. */
function exactly(text: string): Buffer | null {
  if (text.length % 4 !== 0) return null
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  const bytes = Buffer.from(text, 'base64')
  return bytes.length === (text.length / 4) * 3 - padding ? bytes : null
}

function percentDecoded(text: string): string {
  let decoded = text
  for (let times = 0; times < 3 && /%[0-9a-f]{2}/i.test(decoded); times += 1) {
    decoded = decoded.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  }
  return decoded
}

const whole = (text: string) => text.length % 4 === 0 && /^[\w+/-]*={0,2}$/.test(text)

/** Broken into lines of 64 or 76 whose ends became blanks, as an unquoted shell variable does it. */
function inColumns(text: string): boolean {
  const joined = text.trim()
  const width = joined.indexOf(' ')
  // Not one text for each of a million blanks.
  if (width !== 64 && width !== 76) return width === -1 && (joined.length === 64 || joined.length === 76)
  const lines = joined.split(' ')
  const last = lines.at(-1) ?? ''
  return lines.slice(0, -1).every((line) => line.length === width) && last.length <= width
}

interface Unblanked {
  readonly text: string
  readonly damage: readonly Base64Damage[]
}

function withoutBlanks(text: string): Unblanked {
  if (!text.includes(' ')) return { text, damage: [] }
  const dropped: Unblanked = { text: text.split(' ').join(''), damage: ['line-wraps'] }
  const pluses: Unblanked = { text: text.split(' ').join('+'), damage: ['blanks-for-plus'] }
  const inner: Unblanked = { text: text.trim().split(' ').join('+'), damage: ['blanks-for-plus'] }
  const candidates = inColumns(text) ? [dropped, pluses, inner] : [pluses, inner, dropped]
  return candidates.find((each) => whole(each.text)) ?? inner
}

/** Line breaks and tabs, as they are or escaped, go with the blanks around them; blanks alone may have been pluses. */
function withoutBreaks(text: string): string {
  if (!/\\[rnt]|[\r\n\t]/.test(text)) return text
  return text.replace(/(?: |\\[rnt]|[\r\n\t])+/g, (run) => (/[^ ]/.test(run) ? '' : run))
}

/** Reads base64 with whatever damage it has; null where it is none. Slower than `readBase64`, and tells of every damage. */
export function examineBase64(text: string): ReadBase64 | null {
  const decoded = percentDecoded(text)
  const joined = withoutBreaks(decoded)
  const { text: filled, damage } = withoutBlanks(joined)
  if (!/^[\w+/-]*={0,2}$/.test(filled)) return null
  const bare = filled.replace(/={1,2}$/, '')
  if (bare.length % 4 === 1) return null
  const bytes = Buffer.from(bare, 'base64')
  const found: readonly (readonly [boolean, Base64Damage])[] = [
    [decoded !== text, 'percent-encoded'],
    [joined !== decoded || damage.includes('line-wraps'), 'line-wraps'],
    [damage.includes('blanks-for-plus'), 'blanks-for-plus'],
    [/[_-]/.test(filled), 'url-safe-alphabet'],
    [filled.length % 4 !== 0, 'padding-left-out'],
  ]
  return { bytes, damage: found.filter(([there]) => there).map(([, name]) => name) }
}

/** The bytes of base64, mended where it must be; null where it is none. */
export function readBase64(text: string): Buffer | null {
  return exactly(text) ?? examineBase64(text)?.bytes ?? null
}
