/** A command line as text, in words; and variables, put in after the words are parted, so that no value becomes two. */

const word = /(?:[^\s'"\\]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+/gs
const piece = /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^'"\\]+)/gs

/** As a shell parts them, quotes and backslashes too, and nothing else of a shell. Null where a quote does not end. */
export function wordsOf(line: string): readonly string[] | null {
  if (line.replace(word, '').trim() !== '') return null
  return [...line.matchAll(word)].map(([whole]) =>
    [...whole.matchAll(piece)]
      .map(([, single, double, escaped, bare]) => single ?? double?.replace(/\\(["\\])/g, '$1') ?? escaped ?? bare)
      .join(''),
  )
}

const mention = /\$\{([^{}]*)\}/g

/** The names of the variables that stand in a value, at any depth. */
export function mentioned(value: unknown): readonly string[] {
  if (typeof value === 'string') return [...value.matchAll(mention)].map(([, name = '']) => name)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]) => [...mentioned(key), ...mentioned(member)])
}

export type Variables = ReadonlyMap<string, string>

/** The same value with its variables put in. An unknown name stays as it is written. */
export function filled<Value>(value: Value, variables: Variables): Value {
  const one = (text: string) => text.replace(mention, (whole, name: string) => variables.get(name) ?? whole)
  const deep = (part: unknown): unknown => {
    if (typeof part === 'string') return one(part)
    if (Array.isArray(part)) return part.map(deep)
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(Object.entries(part).map(([key, member]) => [one(key), deep(member)]))
  }
  return deep(value) as Value
}
