/** The manuals as pages for `man`: paydesk(1), and one for each topic. */

import {
  type HelpExample,
  type HelpPage,
  type HelpParagraph,
  type HelpRow,
  shellLine,
} from '../../src/lib/cli/help/draw.ts'
import { exitCodes } from '../../src/lib/cli/help/explain.ts'
import { type CommandHelp, type Manual, type Manuals, summaryOf } from './manuals.mts'
import { macro, roff, roffProse } from './roff.mts'

/** Columns of a line that is typed: `man` draws on 78, and indents. */
const room = 68

function terms(rows: readonly HelpRow[]): readonly string[] {
  return rows.flatMap(([name, said]) => [
    '.TP',
    `.B ${roff(name.trim())}`,
    ...(said === null ? ['\\&'] : said.trim().split('\n').flatMap(roffProse)),
  ])
}

/** Behind a header no paragraph begins: there one has begun. */
function typed({ said, line }: HelpExample, at: number): readonly string[] {
  const lines = shellLine(line, room, '\\').split('\n').map(roff)
  return [
    ...(at === 0 ? [] : ['.PP']),
    ...(said === null ? [] : roffProse(said)),
    '.RS 4',
    '.EX',
    ...lines,
    '.EE',
    '.RE',
  ]
}

function body(paragraph: HelpParagraph): readonly string[] {
  if ('examples' in paragraph) return paragraph.examples.flatMap(typed)
  if ('rows' in paragraph) return terms(paragraph.rows)
  if ('lines' in paragraph) return paragraph.lines.map((line) => `.B ${roff(line)}`)
  return paragraph.text.split('\n').flatMap(roffProse)
}

const inSmall = (header: string) => header.charAt(0) + header.slice(1).toLowerCase()

const headerOf = (paragraph: HelpParagraph) => ('header' in paragraph ? paragraph.header : null)

/** A command of a topic: a section, and what it has as parts of it. */
function commandSection({ name, page }: CommandHelp): readonly string[] {
  const parts = page.filter((paragraph) => headerOf(paragraph) !== 'GLOBAL FLAGS')
  return [
    macro('SH', roff(name.toUpperCase())),
    ...parts.flatMap((paragraph) => {
      const header = headerOf(paragraph)
      return [...(header === null ? [] : [macro('SS', roff(inSmall(header)))]), ...body(paragraph)]
    }),
  ]
}

interface Head {
  readonly name: string
  readonly said: string
  readonly synopsis: string
}

function headOf({ name, said, synopsis }: Head, { bin, version }: Manuals, day: string): readonly string[] {
  return [
    macro('TH', roff(name.toUpperCase()), '1', day, `${bin} ${version}`, `Manual of ${bin}`),
    '.nh',
    '.ad l',
    '.SH NAME',
    `${roff(name)} \\-`,
    ...roffProse(said.replace(/\.$/, '')),
    '.SH SYNOPSIS',
    `.B ${roff(synopsis)}`,
  ]
}

const reference = (name: string) => `.BR ${roff(name)} (1)`

/** References with a comma behind each but the last. */
function seeAlso(names: readonly string[]): readonly string[] {
  return ['.SH SEE ALSO', ...names.map((name, at) => (at < names.length - 1 ? `${reference(name)},` : reference(name)))]
}

function manualText(manual: Manual, manuals: Manuals, day: string): readonly string[] {
  const { bin } = manuals
  const { name, said, commands } = manual
  const isTopic = commands.length > 1 || commands[0]?.name !== name
  return [
    ...headOf({ name: `${bin}-${name}`, said, synopsis: `${bin} ${name}${isTopic ? ' <command>' : ''}` }, manuals, day),
    ...(isTopic ? ['.SH COMMANDS', ...terms(commands.map((each): HelpRow => [each.name, summaryOf(each.page)]))] : []),
    ...commands.flatMap(commandSection),
    ...[
      '.SH EXIT STATUS',
      'The same for all commands: see',
      `${reference(bin)},`,
      'with the flags and variables that each of them obeys.',
    ],
    ...seeAlso([bin]),
  ]
}

/** Sections of the help of the whole program. */
function sections(page: HelpPage, but: readonly string[]): readonly string[] {
  return page.flatMap((paragraph) => {
    const header = headerOf(paragraph)
    return header === null || but.includes(header) ? [] : [macro('SH', roff(header)), ...body(paragraph)]
  })
}

function frontText(manuals: Manuals, day: string): readonly string[] {
  const { bin, front, flags, each } = manuals
  const codes = exitCodes().map(
    ({ code, name, means, moneyMoved }): HelpRow => [`${code} ${name}`, `${means}; money moved: ${moneyMoved}`],
  )
  return [
    ...headOf({ name: bin, said: summaryOf(front), synopsis: `${bin} <command>` }, manuals, day),
    ...sections(front, ['TOPICS', 'COMMANDS', 'VERSION']),
    ...['.SH COMMANDS', ...terms(each.map(({ name, said }): HelpRow => [name, said]))],
    ...sections(flags, []),
    ...['.SH EXIT STATUS', ...terms(codes)],
    ...seeAlso(each.map(({ name }) => `${bin}-${name}`)),
  ]
}

/** The text of every page, by its file; `day` (2026-11-20) is that of the build. */
export function manPages(manuals: Manuals, day: string): ReadonlyMap<string, string> {
  const text = (lines: readonly string[]) => `${lines.join('\n')}\n`
  const each = manuals.each.map(
    (manual) => [`${manuals.bin}-${manual.name}.1`, text(manualText(manual, manuals, day))] as const,
  )
  return new Map([[`${manuals.bin}.1`, text(frontText(manuals, day))], ...each])
}
