/** Requests to the sandbox: how much, to whom, about what, and their verdicts. */
import { operations } from '../../../contract/operations.ts'
import { writeJson } from '../../../json.ts'
import { listRequests, type RequestFilter } from '../../../store/sandbox/requests.ts'
import { rowNamed } from '../../../store/sandbox/search.ts'
import { localMoment } from '../../clock/clock.ts'
import { describeRequest, describeWhole, type WholeRequest } from '../../log/entry.ts'
import { notExecuted } from '../../log/verdict.ts'
import { callbackLinks } from '../sections/related.ts'
import {
  briefly,
  type Detail,
  type Looking,
  moment,
  most,
  type Row,
  type Section,
  shortly,
} from '../sections/section.ts'
import { causeOf, envelopeFacts, requestTone, verdictFacts } from './cause.ts'
import { copiesOf } from './copy.ts'
import { type Alike, folded, type Gisted, groupName } from './fold.ts'
import { type Gist, gistOf } from './gist.ts'

const filters: Readonly<Record<string, Omit<RequestFilter, 'limit'>>> = {
  writes: { operations: operations.filter(({ effect }) => effect === 'write').map(({ name }) => name) },
  errors: { wrong: true, refusal: notExecuted },
  faults: { struck: true },
}

/** More than a list shows: folded they are fewer. */
const looked = 3 * most

async function recent({ db, words, only }: Looking): Promise<Gisted[]> {
  const filter = (only === null ? undefined : filters[only]) ?? {}
  const gisted: Gisted[] = []
  for (const row of await listRequests(db, { ...filter, words, limit: looked })) {
    gisted.push({ row, gist: await gistOf(db, row) })
  }
  return gisted
}

function rowOf({ row, gist }: Gisted, { now, names }: Looking, fold: Row['fold']): Row {
  const request = describeRequest(row, names)
  const { id, operation, method, path, http, code, who, identifier, verdict, milliseconds, fault } = request
  const said = verdict.startsWith(`${notExecuted}: `) ? verdict.slice(notExecuted.length + 2) : null
  // HTTP 404 is its own code.
  const coded = code === http ? null : code
  return {
    id: String(id),
    tone: requestTone(request),
    fold: fold ?? null,
    cells: [
      shortly(row.time, now),
      operation ?? `${method} ${path}`,
      gist.payee,
      gist.amount,
      briefly(gist.id),
      [http ?? 'none', coded, said, fault].filter((part) => part !== null).join(' · '),
      who ?? briefly(identifier),
      [verdict, ...request.remarks].join(' · '),
      milliseconds,
    ],
  }
}

function rowsOf(alike: Alike, looking: Looking): readonly Row[] {
  const [newest] = alike
  if (alike.length === 1) return [rowOf(newest, looking, null)]
  const group = groupName(alike)
  const open = looking.unfold === group
  const fold = { count: alike.length, group, open, ids: alike.map(({ row }) => String(row.request_id)) }
  if (!open) return [rowOf(newest, looking, fold)]
  return alike.map((each, at) => rowOf(each, looking, at === 0 ? fold : null))
}

/** A fault behind the service changed what was heard, and not what was answered. */
function answerTitle({ fault, http }: WholeRequest): string {
  if (fault === null) return 'Answer'
  return http === null ? 'Answer, which did not arrive whole' : 'Answer of the service, before the fault'
}

function json(title: string, value: unknown) {
  return value === null ? [] : [{ title, text: writeJson(value, 2) }]
}

async function wholeOf(request: WholeRequest, { entry, amount, payee, id }: Gist, looking: Looking): Promise<Detail> {
  const { operation, http, code, method, path, time, milliseconds, who, identifier } = request
  const coded = code === null || code === http ? '' : `, code ${code}`
  return {
    title: operation ?? `${method} ${path}`,
    tone: requestTone(request),
    status: `${http === null ? 'no whole answer' : `HTTP ${http}`}${coded}`,
    cause: causeOf(request),
    links: entry === null ? [] : [entry, ...(await callbackLinks(looking.db, entry))],
    copies: copiesOf(request, looking.base),
    ...(id === null ? {} : { about: id }),
    facts: [
      verdictFacts(request),
      ...envelopeFacts(request),
      {
        title: 'Request',
        rows: [
          ['number', request.id],
          ['who', who],
          ['identity', identifier],
          ['amount', amount],
          ['payee', payee],
          ['about', id],
          ['sent', `${method} ${path}`],
          ['time', moment(localMoment(Date.parse(time)))],
          ['took', `${milliseconds} ms`],
        ],
      },
    ],
    texts: [...json('Payload', request.payload), ...json(answerTitle(request), request.answer)],
  }
}

async function detailOf(looking: Looking, id: string): Promise<Detail | null> {
  const row = await rowNamed(looking.db, 'requests', id)
  return row && (await wholeOf(describeWhole(row, looking.names), await gistOf(looking.db, row), looking))
}

export const requestsSection: Section = {
  name: 'requests',
  title: 'Requests',
  table: 'requests',
  filters: [
    { name: 'writes', title: 'Writes' },
    { name: 'errors', title: 'Errors' },
    { name: 'faults', title: 'Faults' },
  ],
  columns: [
    { name: 'time', kind: 'id', zoned: true },
    { name: 'operation', folds: true },
    { name: 'payee', kind: 'words' },
    { name: 'amount', kind: 'amount' },
    { name: 'id', kind: 'id' },
    { name: 'answer', kind: 'status' },
    { name: 'who', kind: 'id', minor: true },
    { name: 'verdict', kind: 'words', minor: true },
    { name: 'ms', kind: 'amount', minor: true },
  ],
  empty: 'Nobody has asked anything yet.',
  rows: async (looking) => {
    const rows = folded(await recent(looking)).flatMap((alike) => rowsOf(alike, looking))
    return rows.slice(0, most)
  },
  detail: detailOf,
}
