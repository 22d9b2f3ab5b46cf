/** Elements of XML as text. A name comes from this program, a value from anywhere. */

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Line ends and tabs as numbers: a parser would make blanks of them. Other control characters cannot stand in XML at all. */
function escaped(value: string): string {
  return value.replace(/[&<>"\t\r\n]|\p{Cc}|[\uFFFE\uFFFF]|\p{Cs}/gu, (each) => {
    if (/[\t\r\n]/.test(each)) return `&#${each.charCodeAt(0)};`
    return escapes[each] ?? '\uFFFD'
  })
}

/** An element with a value; nothing where there is none. */
export function leaf(name: string, value: string | null, attributes: Readonly<Record<string, string>> = {}): string {
  if (value === null) return ''
  const given = Object.entries(attributes).map(([key, each]) => ` ${key}="${escaped(each)}"`)
  return `<${name}${given.join('')}>${escaped(value)}</${name}>`
}

/** An element with elements inside; nothing where there are none. */
export function node(name: string, ...inside: readonly string[]): string {
  const text = inside.join('')
  return text === '' ? '' : `<${name}>${text}</${name}>`
}
