/** The manuals as pages of docs/reference/commands. */

import type { HelpExample, HelpPage, HelpParagraph, HelpRow } from '../../src/lib/cli/help/draw.ts'
import { type Manual, type Manuals, summaryOf } from './manuals.mts'

const made = '<!-- Made by `npm run manuals` from the help of the program. -->'

/** Text between its code, without meaning to Markdown. */
function prose(text: string): string {
  const parts = text.split(/(`[^`]*`)/)
  return parts.map((part) => (part.startsWith('`') ? part : part.replace(/[<>*_[\]\\]/g, '\\$&'))).join('')
}

function item([name, said]: HelpRow): string {
  const label = `- \`${name.trim()}\``
  return said === null ? label : `${label}: ${prose(said).replaceAll('\n', ' ')}`
}

function block(examples: readonly HelpExample[]): string {
  const lines = examples.map(({ said, line }) => (said === null ? line : `# ${said}\n${line}`))
  return `\`\`\`sh\n${lines.join('\n')}\n\`\`\``
}

function body(paragraph: HelpParagraph): string {
  if ('examples' in paragraph) return block(paragraph.examples)
  if ('rows' in paragraph) return paragraph.rows.map(item).join('\n')
  if ('lines' in paragraph) return paragraph.lines.map((line) => `\`${line}\``).join('\n\n')
  return prose(paragraph.text)
}

/** `REQUEST FLAGS` as a heading reads. */
const inSmall = (header: string) => header.charAt(0) + header.slice(1).toLowerCase()

function section(paragraph: HelpParagraph): string {
  const bare = !('header' in paragraph) || 'examples' in paragraph || 'lines' in paragraph
  if (bare || paragraph.header === 'DESCRIPTION') return body(paragraph)
  return `**${inSmall(paragraph.header)}**\n\n${body(paragraph)}`
}

/** The flags of all commands stand on a page of their own. */
const isGlobal = (paragraph: HelpParagraph) => 'header' in paragraph && paragraph.header === 'GLOBAL FLAGS'

function commandText(name: string, page: HelpPage): string {
  const shown = page.filter((paragraph) => !isGlobal(paragraph))
  return [`## ${name}`, ...shown.map(section)].join('\n\n')
}

function manualText({ name, said, commands }: Manual, bin: string): string {
  const isTopic = commands.length > 1 || commands[0]?.name !== name
  const head = isTopic ? [prose(said)] : []
  const after = `Flags of every command: [all commands](README.md#flags).`
  const texts = commands.map((each) => commandText(each.name, each.page))
  return `${[`# ${bin} ${name}`, made, ...head, ...texts, after].join('\n\n')}\n`
}

function frontText({ front, flags, each, bin }: Manuals): string {
  const tasks = front.filter((paragraph) => 'header' in paragraph && /^(TO|WHEN) /.test(paragraph.header))
  const examples = front.filter((paragraph) => 'examples' in paragraph)
  const list = each.map(({ name, said }) => `- [${name}](${name}.md): ${prose(said)}`)
  const general = flags.filter((paragraph) => 'rows' in paragraph && paragraph.header !== 'VARIABLES')
  return `${[
    `# The commands of ${bin}`,
    made,
    prose(summaryOf(front)),
    ...examples.map(section),
    ...tasks.map(section),
    ...['## All of them', list.join('\n')],
    ...['## Flags', ...general.map(body)],
    'The variables that every command obeys: [environment variables](../variables.md).',
  ].join('\n\n')}\n`
}

/** The text of every page, by its file. */
export function markdownPages(manuals: Manuals): ReadonlyMap<string, string> {
  const each = manuals.each.map((manual) => [`${manual.name}.md`, manualText(manual, manuals.bin)] as const)
  return new Map([['README.md', frontText(manuals)], ...each])
}
