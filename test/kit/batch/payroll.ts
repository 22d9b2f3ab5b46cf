/** A file of payouts, planned: in the sandbox, or for a service by hand. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beneficiaryIban } from '../payment.ts'
import { hurriedClock, impatient } from '../program/hurried.ts'
import { type Ended, newHome, paydesk, type Surroundings } from '../program/paydesk.ts'
import {
  type Answering,
  addHandProfile,
  certificate,
  json,
  type ServiceByHand,
  serviceByHand,
} from '../service/service-by-hand.ts'

export interface PayrollRow {
  readonly key?: string
  readonly amount?: string
  readonly currency?: string
  readonly description?: string
  readonly iban?: string
}

const columns = 'amount,currency,description,toIban,beneficiaryName'

/** The text of a CSV file, with a column of keys where rows have any. */
export function payroll(rows: readonly PayrollRow[]): string {
  const isKeyed = rows.some(({ key }) => key !== undefined)
  const lines = rows.map(
    ({ key = '', amount = '12.50', currency = 'GEL', description = 'Salary', iban = beneficiaryIban }) =>
      [...(isKeyed ? [key] : []), amount, currency, description, iban, 'Nino Beridze'].join(','),
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

/** Refuses the payouts whose request holds one of these texts; the service's word for a wrong beneficiary account. */
export function refusing(...texts: readonly string[]): Answering {
  return ({ path, body }) =>
    path === '/api/distributor' && texts.some((text) => body.includes(text))
      ? json({ message: 'no', statusCode: 5042 }, 400)
      : undefined
}
