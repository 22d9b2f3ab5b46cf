/** The reference pages that are tables of the program's own data: docs/reference/*.md, but for those that people write. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { exitCodes } from '../../src/lib/cli/help/explain.ts'
import { variableRows } from '../../src/lib/cli/help/pages.ts'
import * as assumed from '../../src/lib/contract/assumed.ts'
import { orderCodes, payoutCodes } from '../../src/lib/contract/codes/code-book.ts'
import { permissions } from '../../src/lib/contract/core/permission.ts'
import { orderStatuses } from '../../src/lib/contract/order/status.ts'
import { payoutStatuses } from '../../src/lib/contract/payout/status.ts'
import type { Code } from '../../src/lib/contract/status.ts'
import { documents } from '../schemas/documents.mts'

const root = join(import.meta.dirname, '..', '..')

const code = (text: string) => `\`${text}\``
const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('<', '\\<')

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map((row) => line(row.map(cell)))].join('\n')
}

function page(title: string, ...parts: readonly string[]): string {
  return `${[`# ${title}`, '<!-- Made by `npm run manuals` from the program. -->', ...parts].join('\n\n')}\n`
}

const exitCodesPage = () =>
  page(
    'Exit codes',
    'Every command ends with one of these codes, with and without `--json`. `paydesk explain 9` says what to do about one.',
    table(
      ['code', 'name', 'meaning', 'money moved'],
      exitCodes().map((each) => [String(each.code), each.name, each.means, each.moneyMoved]),
    ),
  )

const variablesPage = () =>
  page(
    'Environment variables',
    table(
      ['variable', 'meaning'],
      variableRows.map(([name, said]) => [name.split(', ').map(code).join(', '), said ?? '']),
    ),
    'A flag wins over a variable. `PAYDESK_HOME` and `PAYDESK_PERSON_KEY` take a whole path. Proxy variables may also be written in small letters; `NO_PROXY` takes ranges, too (`10.0.0.0/8`).',
  )

/** What an answer with this code proves about the attempts to execute the write. */
function proves({ ran, bodyOnly }: Code): string {
  if (ran === 'unknown') return 'nothing'
  return bodyOnly ? 'no attempt was executed' : 'this attempt was not executed'
}

const codeTable = (codes: ReadonlyMap<number, Code>) =>
  table(
    ['code', 'group', 'name', 'meaning', 'proves'],
    [...codes.values()].map((each) => [
      String(each.code),
      each.group === null ? '' : String(each.group),
      each.name,
      each.means,
      proves(each),
    ]),
  )

const ends = { paid: 'paid', 'not-paid': 'not paid' } as const

interface StatusRow {
  readonly end: 'paid' | 'not-paid' | null
  readonly means: string
}

const statusTable = (statuses: Readonly<Record<string, StatusRow>>) =>
  table(
    ['status', 'meaning', 'final'],
    Object.entries(statuses).map(([status, { end, means }]) => [code(status), means, end ? ends[end] : 'no']),
  )

const codesPage = () =>
  page(
    'Codes and statuses of the service',
    '`paydesk explain <code|status>` prints the same for one of them, with what to do. What is known about them, and how: [the service](../explanation/service.md).',
    '## Statuses of a payout',
    statusTable(payoutStatuses),
    '## Statuses of an order',
    statusTable(orderStatuses),
    '## Codes of payouts',
    codeTable(payoutCodes),
    '## Codes of orders, wallet and cards',
    codeTable(orderCodes),
    '## Permissions',
    'The service gives them to each client or integrator. Without one it answers the code.',
    table(
      ['code', 'permission'],
      Object.values(permissions).map((each) => [String(each.code), each.words]),
    ),
  )

/** Name → its comment in the source, in one line. */
function assumedComments(): ReadonlyMap<string, string> {
  const source = readFileSync(join(root, 'src/lib/contract/assumed.ts'), 'utf8')
  const found = new Map<string, string>()
  let last = ''
  for (const [, comment, name] of source.matchAll(/\/\*\*([\s\S]*?)\*\/|^export const (\w+)/gm)) {
    if (comment !== undefined)
      last = comment
        .replace(/^\s*\*/gm, '')
        .replace(/\s+/g, ' ')
        .trim()
    if (name !== undefined) found.set(name, last)
  }
  return found
}

const assumptionsPage = () => {
  const comments = assumedComments()
  const values: Readonly<Record<string, unknown>> = { ...assumed }
  return page(
    'Assumptions',
    'Where the specification says nothing, paydesk assumes. Each assumption is one value in `src/lib/contract/assumed.ts`.',
    table(
      ['name', 'value', 'meaning'],
      [...comments].map(([name, said]) => [
        code(name),
        code(JSON.stringify(values[name])),
        said.replace(/service\.md#([\w-]+)/g, '[$1](../explanation/service.md#$1)'),
      ]),
    ),
  )
}

async function schemasPage(): Promise<string> {
  const { filesOf } = await documents()
  const link = (file: string) => `[${file}](../../schemas/${file})`
  return page(
    'JSON schemas',
    'With `--json` a command prints one document. Each has a JSON Schema (draft 2020-12) in `schemas/`, which is part of the package.',
    table(
      ['command', 'schema'],
      [...filesOf]
        .filter(([, files]) => files.length > 0)
        .map(([command, files]) => [code(command.replaceAll('/', ' ')), files.map(link).join(', ')]),
    ),
    `A command that fails prints one line on stderr: ${link('error.json')}.`,
  )
}

/** The text of every page that is made, by its file below docs/reference. */
export async function referencePages(): Promise<ReadonlyMap<string, string>> {
  return new Map([
    ['exit-codes.md', exitCodesPage()],
    ['variables.md', variablesPage()],
    ['service-codes.md', codesPage()],
    ['assumptions.md', assumptionsPage()],
    ['schemas.md', await schemasPage()],
  ])
}
