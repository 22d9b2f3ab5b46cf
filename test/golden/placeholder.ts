// A golden text is compared piece by piece, because what varies (an id, a time, a token) may stand in the middle of a line.
// A typed placeholder catches a new value; a bare one must repeat a value that is known already, so that an echo is checked.

export type Values = Readonly<Record<string, string>>

export interface Comparison {
  readonly differences: readonly string[]
  readonly captured: Values
}

export interface Hole {
  readonly type: string
  readonly name: string
  readonly bare: boolean
  readonly optional: boolean
}

const HOLE = /\{\{(?:([a-z_]+):)?([A-Za-z_]\w*)(\?)?\}\}/g

const TYPES: Readonly<Record<string, string>> = {
  number: String.raw`-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?`,
  amount: String.raw`(?:0|[1-9]\d*)(?:\.\d{1,2})?`,
  text: String.raw`[\s\S]*`,
  local_datetime: String.raw`\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?`,
  access_token: String.raw`[A-Za-z0-9\-._~+/]+=*`,
  payout_status: 'INITIAL|PENDING|SUCCESS|REJECTED|FAILED|DELETED|INITIAL_INSUFFICIENT_BALANCE',
  iban: String.raw`GE\d{2}[A-Z]{2}\d{16}`,
}

function holeOf(type: string | undefined, name: string, optional: string | undefined): Hole {
  const own = type ?? (name in TYPES ? name : 'text')
  if (!(own in TYPES)) throw new Error(`the golden file uses {{${own}:${name}}}, but no type ${own} exists`)
  return { type: own, name, bare: type === undefined, optional: optional !== undefined }
}

export function wholeHole(golden: string): Hole | undefined {
  const found = [...golden.matchAll(HOLE)]
  const first = found[0]
  if (found.length !== 1 || first === undefined || first[0] !== golden) return undefined
  return holeOf(first[1], first[2] ?? '', first[3])
}

export function isTypeName(name: string): boolean {
  return name in TYPES
}

export function fillText(golden: string, lookUp: (name: string) => string): string {
  return golden.replace(HOLE, (_all, _type: string | undefined, name: string) => lookUp(name))
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)
}

export function matchText(golden: string, actual: string, known: Values, captured: Record<string, string>): boolean {
  const names: string[] = []
  let pattern = ''
  let end = 0
  for (const found of golden.matchAll(HOLE)) {
    const hole = holeOf(found[1], found[2] ?? '', found[3])
    const value = hole.bare ? known[hole.name] : undefined
    pattern += literal(golden.slice(end, found.index))
    end = found.index + found[0].length
    if (value === undefined) {
      names.push(hole.name)
      pattern += `(${TYPES[hole.type]})`
    } else {
      pattern += literal(value)
    }
  }
  const match = new RegExp(`^${pattern}${literal(golden.slice(end))}$`, 'u').exec(actual)
  if (match === null) return false
  names.forEach((name, at) => {
    captured[name] = match[at + 1] ?? ''
  })
  return true
}
