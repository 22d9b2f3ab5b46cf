/**
 * `journal reconcile` with the built program: 100,000 entries of a camt.053 against 100,000 payouts, in 256 MB of memory, and in
 * proportion: twice the entries in at most 2.4 times the time. Exit code 1 where that does not hold, 2 where the machine was too noisy
 * to judge. `npm run build && npm run bench:reconcile -- [rounds]`
 */
import { spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { realRandom } from '../../src/lib/edge.ts'
import { newRow } from '../../src/lib/journal/row.ts'
import { openStore } from '../../src/lib/store/engine/sqlite.ts'
import { addIntent } from '../../src/lib/store/journal/intents.ts'
import { type JournalTables, journalSchema } from '../../src/lib/store/journal/schema.ts'
import { written } from './batch/payees.mts'
import { program } from './batch/program.mts'
import { median, spread, tooNoisy } from './judge.mts'

const all = 100_000
const most = { megabytes: 256, growth: 2.4 }
const rounds = Number(process.argv[2] ?? 3)
const day = '2026-11-27'
const start = Date.parse(`${day}T00:00:00Z`)
const iban = 'GE29NB0000000101904917'
const amount = (at: number) => `${1 + (at % 900)}.50`

/** A journal of accepted payouts, a few milliseconds apart. */
async function journalOf(home: string, count: number): Promise<void> {
  mkdirSync(join(home, 'journal'), { recursive: true, mode: 0o700 })
  const store = await openStore<JournalTables>(join(home, 'journal', 'journal.db'), journalSchema)
  const free = { holder: null, held_until: null, held_until_steady: null }
  for (let from = 0; from < count; from += 5000) {
    await store.write(async (db) => {
      for (let at = from; at < Math.min(count, from + 5000); at += 1) {
        const uniqueId = realRandom.uuid()
        const request = {
          amount: amount(at),
          currency: 'GEL',
          description: 'Salary',
          beneficiaryName: `Person ${at}`,
          toIban: iban,
        }
        const row = newRow(
          {
            ...{ operation: 'payout.create', profile: 'acme', environment: 'live', service: 'https://service.example' },
            ...{ serviceId: 'https://service.example', clientId: '5a9db0c0-0001-4a11-8c11-000000000001', uniqueId },
            ...{
              idempotencyKey: `payroll-${at}`,
              body: JSON.stringify({ ...request, uniqueId }),
              bodyDigest: String(at),
              payee: iban,
            },
            ...{ amountMinor: amount(at).replace('.', ''), currency: 'GEL' },
          },
          realRandom,
          new Date(start + at * 300).toISOString(),
          free,
        )
        await addIntent(db, { ...row, state: 'accepted', transaction_id: String(1_000_000 + at), status: 'SUCCESS' })
      }
    })
  }
  await store.close()
}

function* statementOf(count: number): Generator<string> {
  let cents = 0
  for (let at = 0; at < count; at += 1) cents += Number(amount(at).replace('.', ''))
  const balance = (type: string, sum: number) =>
    `<Bal><Tp><CdOrPrtry><Cd>${type}</Cd></CdOrPrtry></Tp><Amt Ccy="GEL">${(sum / 100).toFixed(2)}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>`
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr><MsgId>M</MsgId><CreDtTm>${day}T23:00:00</CreDtTm></GrpHdr><Stmt><Id>S-${count}</Id><CreDtTm>${day}T23:00:00</CreDtTm><Acct><Id><IBAN>GE78SB1000000000000001</IBAN></Id><Ccy>GEL</Ccy></Acct>${balance('OPBD', cents)}${balance('CLBD', 0)}\n`
  for (let at = 0; at < count; at += 1) {
    yield `<Ntry><NtryRef>${at + 1}</NtryRef><Amt Ccy="GEL">${amount(at)}</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${day}</Dt></BookgDt><ValDt><Dt>${day}</Dt></ValDt><AcctSvcrRef>B-${at}</AcctSvcrRef><NtryDtls><TxDtls><Refs><EndToEndId>payroll-${at}</EndToEndId></Refs><Amt Ccy="GEL">${amount(at)}</Amt><CdtDbtInd>DBIT</CdtDbtInd><RltdPties><Cdtr><Pty><Nm>Person ${at}</Nm></Pty></Cdtr><CdtrAcct><Id><IBAN>${iban}</IBAN></Id></CdtrAcct></RltdPties><RmtInf><Ustrd>Salary</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>\n`
  }
  yield '</Stmt></BkToCstmrStmt></Document>\n'
}

interface Run {
  readonly seconds: number
  /** The most memory that the process had, by the system's count. */
  readonly megabytes: number
}

/** Writes the most memory of a process into a file when it ends. */
const witness = `process.on('exit', () => require('node:fs').writeFileSync(process.env.BENCH_MEMORY, String(process.resourceUsage().maxRSS)))`

function reconciled(directory: string, count: number, form: 'table' | 'json'): Run {
  const [home, out, memory] = [join(directory, `home-${count}`), join(directory, 'out'), join(directory, 'memory')]
  const argv = ['journal', 'reconcile', join(directory, `${count}.xml`), '--days', '0', '--output', form]
  const env = { PATH: process.env.PATH ?? '', HOME: home, PAYDESK_HOME: home, BENCH_MEMORY: memory }
  const file = openSync(out, 'w')
  const started = performance.now()
  const ended = spawnSync(process.execPath, ['--require', join(directory, 'witness.cjs'), program, ...argv], {
    env,
    encoding: 'utf8',
    stdio: ['ignore', file, 'pipe'],
  })
  const seconds = (performance.now() - started) / 1000
  closeSync(file)
  const [told] = readFileSync(out, 'utf8').slice(0, 1000).split('\n', 1)
  const isWhole =
    form === 'json' ? told?.includes(`"matched":${count},`) : told?.includes(`${count} of ${count} matched`)
  if (ended.status !== 0 || !isWhole)
    throw new Error(`not all of ${count} agreed: ${ended.status} ${told} ${ended.stderr}`)
  return { seconds, megabytes: Number(readFileSync(memory, 'utf8')) / 1024 }
}

const directory = mkdtempSync(join(tmpdir(), 'paydesk-bench-'))
try {
  writeFileSync(join(directory, 'witness.cjs'), witness)
  for (const count of [all / 2, all]) {
    await journalOf(join(directory, `home-${count}`), count)
    written(join(directory, `${count}.xml`), statementOf(count))
  }
  const [half, whole]: [Run[], Run[]] = [[], []]
  for (let round = 0; round < rounds; round += 1) {
    half.push(reconciled(directory, all / 2, 'table'))
    whole.push(reconciled(directory, all, 'table'))
  }
  const ratios = whole.map(({ seconds }, at) => seconds / (half[at]?.seconds ?? 0))
  const asJson = reconciled(directory, all, 'json')
  const memory = Math.max(...[...whole, asJson].map(({ megabytes }) => megabytes))
  const isSmall = memory <= most.megabytes
  const noise = tooNoisy([spread(ratios)])
  const isEven = median(ratios) <= most.growth
  const seconds = (runs: readonly Run[]) => median(runs.map((run) => run.seconds)).toFixed(1)
  process.stdout.write(
    `${all} entries against ${all} payouts in ${seconds(whole)} s, half of them in ${seconds(half)} s\n`,
  )
  process.stdout.write(
    `  times        ${median(ratios).toFixed(2)}, at most ${most.growth}: ${noise ?? (isEven ? 'ok' : 'TOO SLOW')}\n`,
  )
  process.stdout.write(
    `  memory       ${memory.toFixed(0)} MB, at most ${most.megabytes}: ${isSmall ? 'ok' : 'TOO MUCH'}\n`,
  )
  process.stdout.write(`  as JSON      ${asJson.seconds.toFixed(1)} s, ${asJson.megabytes.toFixed(0)} MB\n`)
  process.exitCode = !isSmall || (noise === null && !isEven) ? 1 : noise === null ? 0 : 2
} finally {
  rmSync(directory, { recursive: true, force: true })
}
