// JSON is read here by hand: JSON.parse would round numbers, hide repeated keys, and refuse the placeholders of a golden body.

export type Json =
  | { readonly kind: 'object'; readonly members: readonly (readonly [string, Json])[] }
  | { readonly kind: 'array'; readonly items: readonly Json[] }
  | { readonly kind: 'string' | 'number' | 'word' | 'placeholder'; readonly text: string }

const TOKEN = new RegExp(
  String.raw`[ \t\r\n]*(?:` +
    [
      String.raw`(?<placeholder>\{\{(?:[a-z_]+:)?[A-Za-z_]\w*\??\}\})`,
      String.raw`(?<mark>[{}[\]:,])`,
      String.raw`(?<string>"(?:[^"\\]|\\.)*")`,
      String.raw`(?<number>-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.]))`,
      '(?<word>true|false|null)',
    ].join('|') +
    ')',
  'y',
)

interface Token {
  readonly kind: 'placeholder' | 'mark' | 'string' | 'number' | 'word'
  readonly text: string
}

function tokens(text: string): Token[] {
  const found: Token[] = []
  let at = 0
  while (text.slice(at).trim() !== '') {
    TOKEN.lastIndex = at
    const groups = TOKEN.exec(text)?.groups
    const hit = Object.entries(groups ?? {}).find(([, value]) => value !== undefined)
    if (hit === undefined) throw new Error(`not JSON at character ${at}: ${text.slice(at, at + 30)}`)
    found.push({ kind: hit[0] as Token['kind'], text: hit[1] as string })
    at = TOKEN.lastIndex
  }
  return found
}

export function parseJson(text: string): Json {
  const list = tokens(text)
  let at = 0
  const next = (): Token => {
    const token = list[at++]
    if (token === undefined) throw new Error('not JSON: the text ends too early')
    return token
  }
  const expect = (mark: string): void => {
    const token = next()
    if (token.kind !== 'mark' || token.text !== mark) throw new Error(`not JSON: ${mark} expected, ${token.text} found`)
  }
  const isMark = (mark: string): boolean => list[at]?.kind === 'mark' && list[at]?.text === mark
  const several = (close: string, one: () => void): void => {
    if (!isMark(close)) one()
    while (isMark(',')) {
      next()
      one()
    }
    expect(close)
  }
  const value = (): Json => {
    const token = next()
    if (token.kind === 'string') return { kind: 'string', text: JSON.parse(token.text) as string }
    if (token.kind !== 'mark') return { kind: token.kind, text: token.text }
    if (token.text === '{') {
      const members: [string, Json][] = []
      several('}', () => {
        const key = next()
        if (key.kind !== 'string') throw new Error(`not JSON: a key expected, ${key.text} found`)
        expect(':')
        members.push([JSON.parse(key.text) as string, value()])
      })
      return { kind: 'object', members }
    }
    if (token.text === '[') {
      const items: Json[] = []
      several(']', () => items.push(value()))
      return { kind: 'array', items }
    }
    throw new Error(`not JSON: a value expected, ${token.text} found`)
  }
  const whole = value()
  if (at !== list.length) throw new Error('not JSON: more text after the value')
  return whole
}

export function sameDecimal(one: string, other: string): boolean {
  return decimal(one) === decimal(other)
}

function decimal(text: string): string {
  const parts = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text)
  if (parts === null) return `not a number: ${text}`
  const fraction = (parts[3] ?? '').replace(/0+$/, '')
  const digits = `${parts[2] ?? ''}${fraction}`.replace(/^0+/, '')
  const bare = digits.replace(/0+$/, '')
  if (bare === '') return '0'
  const power = BigInt(parts[4] ?? '0') - BigInt(fraction.length) + BigInt(digits.length - bare.length)
  return `${parts[1] ?? ''}${bare}e${power}`
}
