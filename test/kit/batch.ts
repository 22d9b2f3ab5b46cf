/** Files of payouts, planned in the sandbox or for a service by hand, and their result files. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { readRows } from '../../src/lib/batch/read/read.ts'
import type { BatchFile, BatchRow, Complaint, ReadOptions } from '../../src/lib/batch/read/row.ts'
import { hurriedClock, impatient } from './clock.ts'
import { beneficiaryIban } from './payment.ts'
import { type Ended, newHome, paydesk, type Surroundings, succeeds } from './program.ts'
import { type Answering, addHandProfile, certificate, json, type ServiceByHand, serviceByHand } from './service.ts'

export interface PayrollRow {
  readonly key?: string
  readonly amount?: string
  readonly currency?: string
  readonly description?: string
  readonly iban?: string
  readonly name?: string
}

const columns = 'amount,currency,description,toIban,beneficiaryName'

/** The text of a CSV file, with a column of keys where rows have any. */
export function payroll(rows: readonly PayrollRow[]): string {
  const isKeyed = rows.some(({ key }) => key !== undefined)
  const lines = rows.map(
    ({
      key = '',
      amount = '12.50',
      currency = 'GEL',
      description = 'Salary',
      iban = beneficiaryIban,
      name = 'Nino Beridze',
    }) => [...(isKeyed ? [key] : []), amount, currency, description, iban, name].join(','),
  )
  return [isKeyed ? `key,${columns}` : columns, ...lines, ''].join('\n')
}

/** Rows with keys e-1, e-2 and so on. */
export function employees(count: number, more: PayrollRow = {}): readonly PayrollRow[] {
  return Array.from({ length: count }, (_, at) => ({ key: `e-${at + 1}`, amount: `${at + 1}.25`, ...more }))
}

export interface Payroll {
  readonly home: string
  /** Writes the file anew. */
  write(rows: readonly PayrollRow[]): void
  /** `batch plan` of the file. */
  plan(...more: readonly string[]): Promise<Ended>
  /** A command with its profile, as JSON. */
  run(argv: readonly string[], more?: Partial<Surroundings>): Promise<Ended>
  /** A command of `batch` about the plan. */
  batch(command: string, ...more: readonly string[]): Promise<Ended>
  /** The id of the plan that `plan` made last. */
  readonly planId: string
}

export interface HandPayroll extends Payroll {
  readonly service: ServiceByHand
}

function payrollIn(around: Surroundings, profile: string, rows: readonly PayrollRow[]): Payroll {
  const path = join(around.home, 'payroll.csv')
  const write = (given: readonly PayrollRow[]) => writeFileSync(path, payroll(given))
  write(rows)
  let planId = ''
  const run: Payroll['run'] = (argv, more = {}) =>
    paydesk([...argv, '-p', profile, ...(argv.includes('--output') ? [] : ['--json'])], { ...around, ...more })
  return {
    home: around.home,
    write,
    async plan(...more) {
      const keyed = more.includes('--name') ? [] : ['--key-column', 'key']
      const ended = await run(['batch', 'plan', path, ...keyed, ...more])
      planId = ended.code === 0 ? String(ended.json.planId) : planId
      return ended
    },
    run,
    batch: (command, ...more) => run(['batch', command, planId, ...more]),
    get planId() {
      return planId
    },
  }
}

export function sandboxPayroll(
  rows: readonly PayrollRow[],
  around: Partial<Surroundings> = {},
  profile = 'sandbox',
): Payroll {
  return payrollIn({ home: newHome(), ...around }, profile, rows)
}

/** Of a test profile, or a live one, whose service answers as the test says. */
export async function handPayroll(
  rows: readonly PayrollRow[],
  answering: Answering = () => undefined,
  environment: 'test' | 'live' = 'test',
  clock = hurriedClock(),
): Promise<HandPayroll> {
  const isLive = environment === 'live'
  const service = await serviceByHand(answering, isLive)
  const around = { home: newHome(), clock, random: impatient }
  const trusted = isLive ? { 'ca-file': certificate } : {}
  await addHandProfile(around.home, service.url, { environment, ...trusted })
  return Object.assign(payrollIn(around, 'hand', rows), { service })
}

/** The same, with its file planned. */
export const plannedPayroll: typeof handPayroll = async (...given) => withPlan(await handPayroll(...given))

export const plannedSandboxPayroll = (...given: Parameters<typeof sandboxPayroll>): Promise<Payroll> =>
  withPlan(sandboxPayroll(...given))

async function withPlan<Of extends Payroll>(payroll: Of): Promise<Of> {
  await succeeds(payroll.plan())
  return payroll
}

/** Refuses the payouts whose request holds one of these texts; the service's word for a wrong beneficiary account. */
export function refusing(...texts: readonly string[]): Answering {
  return ({ path, body }) =>
    path === '/api/distributor' && texts.some((text) => body.includes(text))
      ? json({ message: 'no', statusCode: 5042 }, 400)
      : undefined
}

export type PaperRow = Readonly<Record<string, string>>

/** The rows of a CSV text by their headers. */
export function rowsIn(text: string): readonly PaperRow[] {
  return parse(text, { bom: true, columns: true }) as PaperRow[]
}

export const paperFiles = ['ok', 'refused', 'unknown', 'unsent'] as const

/** The four papers in a folder. */
export function papersIn(folder: string): Readonly<Record<(typeof paperFiles)[number], readonly PaperRow[]>> {
  const rows = (name: string) => rowsIn(readFileSync(join(folder, `${name}.csv`), 'utf8'))
  return { ok: rows('ok'), refused: rows('refused'), unknown: rows('unknown'), unsent: rows('unsent') }
}

/** pain.001 files made by hand, with what a test wants to be different. */

export interface PainParts {
  readonly version?: '03' | '09'
  readonly head?: string
  readonly count?: string
  readonly sum?: string
  readonly block?: string
  readonly date?: string
  readonly payments?: readonly string[]
}

export function payment(id: string, amount = '12.50', more = '', instruction = ''): string {
  const own = instruction === '' ? '' : `<InstrId>${instruction}</InstrId>`
  return `<CdtTrfTxInf><PmtId>${own}<EndToEndId>${id}</EndToEndId></PmtId>
<Amt><InstdAmt Ccy="GEL">${amount}</InstdAmt></Amt><Cdtr><Nm>Nino Beridze</Nm></Cdtr>
<CdtrAcct><Id><IBAN>GE29NB0000000101904917</IBAN></Id></CdtrAcct>${more}
<RmtInf><Ustrd>Salary, November</Ustrd></RmtInf></CdtTrfTxInf>`
}

export function painFile(parts: PainParts = {}): string {
  const { version = '03', head = '<?xml version="1.0" encoding="UTF-8"?>', payments = [payment('emp-1')] } = parts
  const { count = String(payments.length), sum = '', block = '', date = '2026-11-23' } = parts
  const day = version === '09' ? `<Dt>${date}</Dt>` : date
  return `${head}<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.${version}"><CstmrCdtTrfInitn>
<GrpHdr><MsgId>m-1</MsgId><CreDtTm>2026-11-23T09:00:00</CreDtTm><NbOfTxs>${count}</NbOfTxs>${sum}<InitgPty/></GrpHdr>
<PmtInf><PmtInfId>p-1</PmtInfId><PmtMtd>TRF</PmtMtd>${block}<ReqdExctnDt>${day}</ReqdExctnDt><Dbtr/>
<DbtrAcct><Id><IBAN>GE60NB0000000123456789</IBAN></Id></DbtrAcct><DbtrAgt/>
${payments.join('\n')}</PmtInf></CstmrCdtTrfInitn></Document>`
}

/** The time of these tests, in 2026. */
export const now = Date.parse('2026-11-23T08:00:00Z')

const usual: ReadOptions = {
  format: null,
  map: null,
  keyColumn: null,
  debits: null,
  circumstances: { permits: new Set(), orderType: null, now },
}

export interface WholeFile {
  readonly file: BatchFile
  readonly rows: readonly BatchRow[]
  /** As people read them. */
  readonly complaints: readonly string[]
}

/** Bytes as a disk gives them: in pieces of this size. */
async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

/** "file:17:3 (amount) has more than 2 decimals": with the column, which a person is not told. */
function complaintAtPlace(file: string, { row, column, header, message }: Complaint): string {
  const place = [file, row, column].filter((part) => part !== null).join(':')
  return header === null ? `${place} ${message}` : `${place} (${header}) ${message}`
}

export async function readWhole(
  content: string | Uint8Array,
  options: Partial<ReadOptions> = {},
  size = 64 * 1024,
): Promise<WholeFile> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  const file = await readRows({ name: 'file', bytes: inPieces(bytes, size) }, { ...usual, ...options })
  const rows: BatchRow[] = []
  const complaints: string[] = []
  for await (const each of file.rows) {
    if (each.kind === 'row') rows.push(each)
    else complaints.push(complaintAtPlace(file.name, each))
  }
  return { file, rows, complaints }
}
