/** The characters behind the escapes of JSON, of addresses and of HTML. */

const [backslash, percent, ampersand] = [0x5c, 0x25, 0x26]

/** HTML's names of ASCII letters that are no letters. */
const entities: Readonly<Record<string, string>> = {
  ...{
    Tab: '\t',
    NewLine: '\n',
    excl: '!',
    quot: '"',
    QUOT: '"',
    num: '#',
    dollar: '$',
    percnt: '%',
    amp: '&',
    AMP: '&',
  },
  ...{
    apos: "'",
    lpar: '(',
    rpar: ')',
    ast: '*',
    midast: '*',
    plus: '+',
    comma: ',',
    period: '.',
    sol: '/',
    colon: ':',
  },
  ...{ semi: ';', lt: '<', LT: '<', equals: '=', gt: '>', GT: '>', quest: '?', commat: '@', lsqb: '[', lbrack: '[' },
  ...{ bsol: '\\', rsqb: ']', rbrack: ']', Hat: '^', lowbar: '_', UnderBar: '_', grave: '`', lcub: '{', lbrace: '{' },
  ...{ verbar: '|', vert: '|', rcub: '}', rbrace: '}', nbsp: ' ', hyphen: '-', dash: '-' },
}

/** Letters behind a backslash that stand for something else. */
const behindBackslash: ReadonlyMap<number, number> = new Map(
  ['n\n', 'r\r', 't\t', 'b\b', 'f\f', 'v\v'].map((pair) => [pair.charCodeAt(0), pair.charCodeAt(1)]),
)

const longestEntity = 12

/** A code point and how many letters stand for it, in one number: made for every mark of a text, objects would be slow. */
const packed = (point: number, length: number) => length * 0x20_00_00 + point
export const nothing = 0

/** The value of so many hexadecimal digits; -1 where one is none. */
function hexAt(codes: Uint16Array, at: number, digits: number): number {
  let value = 0
  for (let next = at; next < at + digits; next += 1) {
    const code = codes[next] ?? 0
    const small = code | 0x20
    if (code >= 0x30 && code <= 0x39) value = value * 16 + code - 0x30
    else if (small >= 0x61 && small <= 0x66) value = value * 16 + small - 0x57
    else return -1
  }
  return value
}

const [letterU, letterX] = [0x75, 0x78]

function afterBackslash(codes: Uint16Array, at: number): number {
  const next = codes[at + 1]
  if (next === undefined) return nothing
  if (next === letterU || next === letterX) {
    const digits = next === letterU ? 4 : 2
    const point = hexAt(codes, at + 2, digits)
    if (point >= 0) return packed(point, 2 + digits)
  }
  return packed(behindBackslash.get(next) ?? next, 2)
}

function afterPercent(codes: Uint16Array, at: number): number {
  const byte = hexAt(codes, at + 1, 2)
  if (byte >= 0) return packed(byte, 3)
  const unit = codes[at + 1] === letterU ? hexAt(codes, at + 2, 4) : -1
  return unit >= 0 ? packed(unit, 6) : nothing
}

function afterAmpersand(codes: Uint16Array, at: number): number {
  const next = codes[at + 1] ?? 0
  if (next !== 0x23 && ((next | 0x20) < 0x61 || (next | 0x20) > 0x7a)) return nothing
  const piece = String.fromCharCode(...codes.subarray(at, at + longestEntity))
  const found = /^&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8})(?=;));?/i.exec(piece)
  if (!found) return nothing
  const [whole, decimal, hex, name] = found
  if (name !== undefined) {
    const letter = Object.hasOwn(entities, name) ? entities[name] : undefined
    return letter === undefined ? nothing : packed(letter.charCodeAt(0), whole.length)
  }
  const point = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
  return point > 0x10_ff_ff ? nothing : packed(point, whole.length)
}

/** The escape that begins there, with its length; `nothing` where none does. */
export function escapeAt(codes: Uint16Array, at: number): number {
  const mark = codes[at]
  if (mark === backslash) return afterBackslash(codes, at)
  return mark === percent ? afterPercent(codes, at) : afterAmpersand(codes, at)
}

/** The code point of what was found. */
export const pointOf = (found: number) => found & 0x1f_ff_ff
/** The number of letters that it takes. */
export const lengthOf = (found: number) => Math.floor(found / 0x20_00_00)

/** The letters that escapes begin with: those of JSON, of addresses, of HTML. */
export const escapes = [backslash, percent, ampersand] as const
