/** Figures in Prometheus' text form, read by the letter of its format. */

const line = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{([^}]*)\})? (-?\d+(?:\.\d+)?(?:e[+-]\d+)?|[+-]Inf|Nan)$/

/** The values by name and labels, as they are written: `paydesk_rows_total{outcome="accepted"}`. Throws for a line that is none. */
export function readFigures(text: string): ReadonlyMap<string, number> {
  const values = new Map<string, number>()
  const kinds = new Set<string>()
  for (const each of text.trimEnd().split('\n')) {
    const [, kind] = /^# TYPE (\S+) (?:counter|gauge|histogram)$/.exec(each) ?? []
    if (kind !== undefined) kinds.add(kind)
    if (each === '' || each.startsWith('# ')) continue
    const [, name = '', labels, value] = line.exec(each) ?? []
    if (name === '') throw new Error(`no line of Prometheus' text form: ${each}`)
    if (!kinds.has(name.replace(/_(bucket|sum|count)$/, '')) && !kinds.has(name)) throw new Error(`${name} has no type`)
    values.set(labels === undefined ? name : `${name}{${labels}}`, Number(value))
  }
  return values
}
