// Only what a golden file writes is significant, except for keys: a key more or a key less in a body is a difference,
// because an answer with an extra field is another contract.

import { type Json, parseJson, sameDecimal } from './json-text.ts'
import { header, type Message, parseMessage } from './message.ts'
import { type Comparison, isTypeName, matchText, type Values, wholeHole } from './placeholder.ts'

interface Pass {
  readonly known: Values
  readonly captured: Record<string, string>
  readonly differences: string[]
}

export function compareAnswer(golden: Buffer, raw: Buffer, values: Values): Comparison {
  const known = Object.fromEntries(Object.entries(values).filter(([name]) => !isTypeName(name)))
  return compareMessages(golden, raw, known, (start) => start.split(' ').slice(0, 2).join(' '))
}

export function compareRequest(golden: Buffer, raw: Buffer, values: Values): Comparison {
  return compareMessages(golden, raw, values, (start) => start)
}

function compareMessages(
  golden: Buffer,
  raw: Buffer,
  known: Values,
  significant: (start: string) => string,
): Comparison {
  const want = parseMessage(golden)
  if (want.faults.length > 0) throw new Error(`the golden file is damaged: ${want.faults.join('; ')}`)
  const got = parseMessage(raw)
  const pass: Pass = { known, captured: {}, differences: [...got.faults] }
  text(pass, 'start line', significant(want.start), significant(got.start))
  for (const [name, value] of want.headers) compareHeader(pass, name, value, got)
  compareBody(pass, want.body, got.body)
  return { differences: pass.differences, captured: pass.captured }
}

function compareHeader(pass: Pass, name: string, golden: string, got: Message): void {
  const key = name.toLowerCase()
  const value = header(got, name)
  if (key === 'content-length') {
    if (value === undefined && header(got, 'transfer-encoding') === undefined && got.bodyBytes > 0)
      pass.differences.push('header Content-Length: missing')
  } else if (value === undefined) pass.differences.push(`header ${name}: missing`)
  else if (key === 'content-type') text(pass, `header ${name}`, mediaType(golden), mediaType(value))
  else text(pass, `header ${name}`, golden, value)
}

function mediaType(contentType: string): string {
  return (contentType.split(';')[0] ?? '').trim().toLowerCase()
}

function compareBody(pass: Pass, golden: string, actual: string): void {
  const want = readable(golden)
  if (want === undefined) {
    text(pass, 'body', golden, actual)
    return
  }
  try {
    compareJson(pass, 'body', want, parseJson(actual))
  } catch (error) {
    pass.differences.push(`body: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function readable(golden: string): Json | undefined {
  try {
    return parseJson(golden)
  } catch {
    return undefined
  }
}

function compareJson(pass: Pass, at: string, want: Json, got: Json): void {
  if (want.kind === 'placeholder') comparePlaceholder(pass, at, want.text, got)
  else if (want.kind === 'object' && got.kind === 'object') compareMembers(pass, at, want.members, got.members)
  else if (want.kind === 'array' && got.kind === 'array') compareItems(pass, at, want.items, got.items)
  else if (want.kind === 'string' && got.kind === 'string') text(pass, at, want.text, got.text)
  else if (want.kind === 'number' && got.kind === 'number' && sameDecimal(want.text, got.text)) return
  else if (want.kind === 'word' && got.kind === 'word' && want.text === got.text) return
  else pass.differences.push(`${at}: ${show(want)} expected, ${show(got)} received`)
}

function compareItems(pass: Pass, at: string, want: readonly Json[], got: readonly Json[]): void {
  if (want.length !== got.length) pass.differences.push(`${at}: ${want.length} items expected, ${got.length} received`)
  want.forEach((item, index) => {
    const other = got[index]
    if (other !== undefined) compareJson(pass, `${at}[${index}]`, item, other)
  })
}

function compareMembers(
  pass: Pass,
  at: string,
  want: readonly (readonly [string, Json])[],
  got: readonly (readonly [string, Json])[],
): void {
  const received = new Map(got)
  const wanted = new Set(want.map(([key]) => key))
  if (received.size !== got.length) pass.differences.push(`${at}: a key is written twice`)
  for (const [key, value] of want) {
    const other = received.get(key)
    if (other !== undefined) compareJson(pass, `${at}.${key}`, value, other)
    else if (!mayBeAbsent(value)) pass.differences.push(`${at}.${key}: missing`)
  }
  for (const [key, value] of got)
    if (!wanted.has(key)) pass.differences.push(`${at}.${key}: not expected, ${show(value)} received`)
}

function mayBeAbsent(value: Json): boolean {
  return (value.kind === 'placeholder' || value.kind === 'string') && wholeHole(value.text)?.optional === true
}

function comparePlaceholder(pass: Pass, at: string, golden: string, got: Json): void {
  const hole = wholeHole(golden)
  const value = hole?.bare === true ? pass.known[hole.name] : undefined
  if (got.kind !== 'number') pass.differences.push(`${at}: a number (${golden}) expected, ${show(got)} received`)
  else if (value === undefined) text(pass, at, golden, got.text)
  else if (!sameDecimal(value, got.text))
    pass.differences.push(`${at}: ${value} (${golden}) expected, ${got.text} received`)
}

function text(pass: Pass, at: string, golden: string, actual: string): void {
  if (matchText(golden, actual, pass.known, pass.captured)) return
  const value = pass.known[wholeHole(golden)?.name ?? '']
  pass.differences.push(
    `${at}: ${JSON.stringify(golden)}${value === undefined ? '' : ` = ${JSON.stringify(value)}`} expected, ${JSON.stringify(actual)} received`,
  )
}

function show(value: Json): string {
  if (value.kind === 'object') return 'an object'
  if (value.kind === 'array') return 'an array'
  return value.kind === 'string' ? JSON.stringify(value.text) : value.text
}
