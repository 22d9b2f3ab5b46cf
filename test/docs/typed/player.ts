/** Types a page as its reader would, from top to bottom. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { isOtherProgram } from '../../kit/process.ts'
import { freePort } from '../../kit/tools.ts'
import { type TypedEnd, typeIn } from './command-lines.ts'
import { root } from './page.ts'
import { Stage, type Staying } from './stage.ts'

type Words = Readonly<Record<string, string>>

export interface LinePlay {
  /** Words of the line, and what is typed in their place. */
  readonly instead?: Words
  /** Brings about what the line needs and the page does not show; its words come before the others. */
  readonly before?: (stage: Stage) => Promise<Words | undefined>
  /** Where the test cannot end as the page says. */
  readonly code?: number
  /** True where it is not typed: a test beside this one does it. */
  readonly isSkipped?: boolean
}

export interface PagePlay {
  /** Sets the page up; its words hold for all lines. */
  readonly set?: (stage: Stage) => Promise<Words>
  readonly lines?: Readonly<Record<string, LinePlay>>
}

interface Typed {
  readonly line: string
  readonly code: number
  readonly shown: readonly string[]
}

type Step = { readonly file: string; readonly text: string } | Typed

const blocks = /^( *)```([^\n]*)\n([\s\S]*?)^ *```$/gm

/** The lines of a block with the codes that their remarks tell; a remark on a line of its own is none. */
function linesOf(block: string): readonly Omit<Typed, 'shown'>[] {
  const lines = block.replaceAll('\\\n', ' ').split('\n')
  return lines.flatMap((line) => {
    const [, code = '0'] = /\s# exit (\d+)/.exec(line) ?? []
    const bare = line
      .replace(/(^|\s+)#\s.*$/, '')
      .replace(/\s+/g, ' ')
      .trim()
    return bare === '' ? [] : [{ line: bare, code: Number(code) }]
  })
}

export function stepsOf(page: string): readonly Step[] {
  const found = [...page.matchAll(blocks)].map(([, indent = '', kind = '', text = '']) => ({
    kind,
    text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  }))
  return found.flatMap(({ kind, text }, at): readonly Step[] => {
    const [language, file] = kind.split(' ')
    if (file !== undefined) return [{ file, text }]
    if (language === 'bash') return [{ line: text, code: 0, shown: [] }]
    if (language !== 'sh') return []
    const next = found[at + 1]
    const shown = next?.kind === '' ? next.text.split('\n').filter((line) => line.trim() !== '' && line !== '…') : []
    const lines = linesOf(text)
    return lines.map((each, place) => ({ ...each, shown: place === lines.length - 1 ? shown : [] }))
  })
}

const ids = /\b(?:(?:j|b|a|cb|r)-[0-9a-f]{12}\b|ed25519:[\w-]{43})/g
const kindOf = (id: string) => /^\w+/.exec(id)?.[0]

const changing: readonly (readonly [RegExp, string])[] = [
  [/^\S+T\S+[+-]\d\d:\d\d (?:key=\S+ )?(?:id=\S+ )?/, ''],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '<uuid>'],
  [/\b\d+-[0-9a-f]{24}\b/g, '<head>'],
  [/\b[0-9a-f]{64}\b/g, '<fingerprint>'],
  [/\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?(?:[+-]\d\d:\d\d|Z)?/g, '<time>'],
  [/\(UTC[+-]\d\d:\d\d\)/g, '<zone>'],
  [/127\.0\.0\.1:\d+/g, '<address>'],
  [/\s+/g, ' '],
]

export const steady = (line: string) =>
  changing.reduce((text, [from, to]) => text.replace(from, to), line.replace(ids, '<id>')).trim()

/** How many words of a line another one has, too. */
function alike(line: string, other: string): number {
  const words = new Set(steady(other).split(' '))
  return steady(line)
    .split(' ')
    .filter((word) => words.has(word)).length
}

const stays = /^paydesk (sandbox start|callback listen|team dashboard|worker start)\b(?!.*--help)/

export class PagePlayer {
  readonly #stage = new Stage()
  /** Ids of the page, and those that stand for them here. */
  readonly #ids = new Map<string, string>()
  /** Addresses of the page, and those of the servers that it has started. */
  readonly #servers = new Map<string, { readonly to: string; readonly staying: Staying }>()
  readonly #path: string
  readonly #play: PagePlay
  readonly #seen = new Set<string>()
  #newest: string[] = []
  #words: Words = {}

  constructor(path: string, play: PagePlay = {}) {
    this.#path = path
    this.#play = play
    this.#stage.variables = {}
  }

  /** Types every line; `PAYDESK_RENEW_PAGES=1` writes lines of output that have changed into the page. */
  async run(): Promise<number> {
    const path = join(root, this.#path)
    let page = readFileSync(path, 'utf8')
    const stale = Object.keys(this.#play.lines ?? {}).filter(
      (line) => !stepsOf(page).some((step) => 'line' in step && step.line === line),
    )
    expect(stale, `${this.#path} has these lines no more`).toEqual([])
    let typed = 0
    try {
      this.#words = (await this.#play.set?.(this.#stage)) ?? {}
      for (const step of stepsOf(page)) {
        if ('file' in step) this.#stage.put(step.file, this.#inOwnWords(step.text, {}))
        else {
          for (const [was, is] of await this.#type(step)) page = page.replace(was, () => is)
          typed += 1
        }
      }
    } finally {
      await this.#stage.clear()
    }
    if (process.env.PAYDESK_RENEW_PAGES) writeFileSync(path, page)
    return typed
  }

  async #type({ line, code, shown }: Typed): Promise<readonly (readonly [string, string])[]> {
    const play = this.#play.lines?.[line] ?? {}
    if (play.isSkipped) return []
    const more = await play.before?.(this.#stage)
    const own = this.#inOwnWords(line, { ...more, ...play.instead, ...this.#words })
    if (stays.test(own)) {
      await this.#start(own)
      return []
    }
    const [, name, value] = /^export (\w+)=(\S+)$/.exec(own) ?? []
    if (name !== undefined && value !== undefined)
      this.#stage.variables = {
        ...this.#stage.variables,
        [name]: value.replace(/^"|"$/g, '').replace('$PWD', this.#stage.folder),
      }
    const ended = await this.#typed(own)
    const said = `${ended.stdout}\n${ended.stderr}`
    expect(ended.code, `${this.#path}: ${own}\n${said}`).toBe(play.code ?? code)
    for (const id of said.match(ids) ?? []) {
      if (!this.#seen.has(id)) this.#newest.push(id)
      this.#seen.add(id)
    }
    return this.#compare(line, said, shown)
  }

  #typed(line: string): Promise<TypedEnd> {
    if (!isOtherProgram) return this.#stage.type(line)
    return typeIn(this.#stage.folder, this.#stage.home, line, this.#stage.variables)
  }

  #compare(line: string, said: string, shown: readonly string[]): readonly (readonly [string, string])[] {
    const lines = said.split('\n').filter((each) => each.trim() !== '')
    const known = new Set(lines.map(steady))
    const missing = shown.filter((each) => !known.has(steady(each)))
    if (!process.env.PAYDESK_RENEW_PAGES) {
      expect(missing, `${this.#path}: ${line} prints no such lines, but\n${said}`).toEqual([])
      return []
    }
    return missing.flatMap((each) => {
      const [best] = lines.toSorted((one, other) => alike(each, other) - alike(each, one))
      return best !== undefined && alike(each, best) > 0 ? [[each, best.replace(changing[0]?.[0] ?? '', '')]] : []
    })
  }

  /** A line with the ids, addresses and words of this run. */
  #inOwnWords(line: string, words: Words): string {
    let text = line.replace(ids, (id) => words[id] ?? this.#ownId(id))
    for (const [from, to] of Object.entries(words)) text = text.replaceAll(from, to)
    for (const [from, { to }] of this.#servers) text = text.replaceAll(from, to)
    return text
  }

  /** The id that stands for one of the page: the newest of its kind where the page has not had it before. */
  #ownId(id: string): string {
    const at = this.#newest.findLastIndex((each) => kindOf(each) === kindOf(id))
    const own = this.#ids.get(id) ?? this.#newest[at] ?? id
    if (!this.#ids.has(id) && at >= 0) {
      this.#ids.set(id, own)
      this.#newest = this.#newest.filter((each) => kindOf(each) !== kindOf(id))
    }
    return own
  }

  /** A command that stays: on a port of its own, in place of one like it. */
  async #start(line: string): Promise<void> {
    const [, command = ''] = stays.exec(line) ?? []
    const usual = { 'sandbox start': '127.0.0.1:4010', 'callback listen': '127.0.0.1:4020' }[command] ?? command
    await this.#servers.get(usual)?.staying.end()
    const port = await freePort()
    const own = /--port \d+/.test(line) ? line.replace(/--port \d+/, `--port ${port}`) : `${line} --port ${port}`
    const staying = await this.#stage.start(own.replace(/ &$/, ''))
    const [, authority] = /"authority":"([^"]+)"/.exec(staying.first) ?? []
    if (authority !== undefined) cpSync(authority, join(this.#stage.folder, 'authority.pem'))
    this.#servers.set(usual, { to: `127.0.0.1:${port}`, staying })
  }
}
