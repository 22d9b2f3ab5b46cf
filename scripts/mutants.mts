/**
 * Breaks a rule of docs/internals/money-safety.md on purpose, one at a time, and looks whether the tests named beside it
 * notice: `tsx scripts/mutants.mts [part of a name]`. Everything happens in a copy of the repository below the system's
 * temporary directory. Each test file named here must notice by itself, and for its own reasons: one that cannot even be
 * loaded proves nothing, and neither does one that fails without a mutant.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

interface Mutant {
  readonly name: string
  /** A file, a text that stands in it exactly once, and what stands there instead. */
  readonly edits: readonly (readonly [file: string, text: string, instead: string])[]
  /** Test files, and `simulate` for the first 400 stories of the simulator; with a play behind it, for 400 of that play. */
  readonly killers: readonly string[]
}

const simulate = 'simulate'
const playing = (play: string) => `${simulate} ${play}`
const safety = (name: string) => `test/safety/${name}.test.ts`
const journal = (name: string) => `test/lib/journal/${name}.test.ts`
const payout = (name: string) => `test/commands/payout/${name}.test.ts`

const submit = 'src/lib/desk/submit.ts'
const attempts = 'src/lib/desk/run.ts'
const acceptance = 'src/lib/desk/acceptance.ts'
const evidence = 'src/lib/desk/recover/evidence.ts'
const settle = 'src/lib/desk/recover/settle.ts'
const draft = 'src/lib/desk/draft.ts'
const repeats = 'src/lib/contract/repeats.ts'
const wallet = 'src/lib/contract/wallet/wallet.ts'
const codeBook = 'src/lib/contract/codes/code-book.ts'
const table = 'test/lib/desk/line/repeats.test.ts'
const classify = 'src/lib/desk/classify.ts'
const verdict = 'src/lib/journal/verdict.ts'
const opening = 'src/lib/journal/opening.ts'
const transport = 'src/lib/http/transport.ts'
const ask = 'src/lib/cli/prompts/ask.ts'
const confirm = 'src/lib/cli/prompts/confirm.ts'
const redact = 'src/lib/cli/output/redact.ts'
const write = 'src/lib/cli/write-command.ts'

const exchanged =
  'await exchange(this.#desk, this.#operation, this.#request, this.#token, this.#deadline, () =>\n      this.#objection(),\n    )'
const looked = "if (standing !== 'unknown') return standing === 'alive'"
const begun = 'const begun = await journal.begin(draft, guard, held, clearance)'

const mutants: readonly Mutant[] = [
  {
    name: 'a repeat goes out under a new id',
    edits: [
      [
        attempts,
        `const read = ${exchanged}`,
        `const { idField } = this.#operation\n    const request = number === 1 || idField === null ? this.#request : { ...this.#request, [idField]: this.#desk.random.uuid() }\n    const read = ${exchanged.replace('this.#request', 'request')}`,
      ],
    ],
    killers: [safety('faults'), simulate],
  },
  {
    name: 'an answer about another id is taken for ours',
    edits: [[acceptance, 'sameId(told) === sameId(asked)', "told !== ''"]],
    killers: [payout('create')],
  },
  {
    name: 'a --key stands for a new id every time',
    edits: [
      [
        write,
        '[idField]: await idForKey({ journal: await this.journal(), profile }, name, flags.key)',
        '[idField]: this.edge.random.uuid()',
      ],
    ],
    killers: [payout('create-twice'), safety('fifty')],
  },
  {
    name: 'the intent is committed after it was sent',
    edits: [
      [
        attempts,
        'export class Run {',
        'export const early = new WeakMap<object, Awaited<ReturnType<typeof exchange>>>()\n\nexport class Run {',
      ],
      [
        submit,
        "import { Run, signedIn } from './run.ts'",
        "import { exchange } from './exchange.ts'\nimport { early, Run, signedIn } from './run.ts'",
      ],
      [submit, begun, `early.set(desk, await exchange(desk, operation, request, token, deadline))\n  ${begun}`],
      [
        attempts,
        `const read = ${exchanged}`,
        `const read = early.get(this.#desk) ?? (${exchanged})\n    early.delete(this.#desk)`,
      ],
    ],
    killers: [safety('kill'), simulate],
  },
  {
    name: '5017 is read as a refusal',
    edits: [[verdict, "past.some(isOpen) ? 'exists' : 'refused'", "past.some(isOpen) ? 'refused' : 'refused'"]],
    killers: [safety('faults'), safety('kill'), payout('reconcile'), journal('verdict'), simulate],
  },
  {
    name: "5017 of somebody else's payout is read as our own",
    edits: [[verdict, "&& past.some(isOpen) ? 'exists'", "&& past ? 'exists'"]],
    killers: [payout('create-twice'), journal('verdict'), simulate],
  },
  {
    name: '502 is read as a refusal',
    edits: [
      [
        classify,
        "return { kind: 'unknown', why: read.why, words: read.words }",
        "return { kind: 'refused', words: read.words, bodyOnly: false, status: null }",
      ],
    ],
    killers: [safety('faults'), simulate],
  },
  {
    name: '500 with 5040 is read as a refusal',
    edits: [[classify, "if (ran === 'no')", "if (ran === 'no' || words.statusCode === 5040)"]],
    killers: [safety('faults'), simulate],
  },
  {
    name: 'no answer is read as "nothing was sent"',
    edits: [
      [classify, "return { kind: 'unknown', why: read.why, words: null }", "return { kind: 'unsent', why: read.why }"],
    ],
    killers: [safety('faults'), safety('first'), simulate],
  },
  {
    name: 'a refusal of a repeat settles an unknown payment',
    edits: [[verdict, "(verdict.kind === 'refused' && verdict.bodyOnly)", "verdict.kind === 'refused'"]],
    killers: [safety('first'), journal('verdict'), simulate],
  },
  {
    name: 'a repeat that did not leave settles an unknown payment',
    edits: [[verdict, 'if (past.some(isOpen)) {', "if (past.some(isOpen) && verdict.kind !== 'unsent') {"]],
    killers: [journal('verdict'), simulate],
  },
  {
    name: 'another body goes out under an id that may have been executed',
    edits: [[verdict, "outcome === 'refused' || outcome === 'unsent'", "outcome !== 'accepted'"]],
    killers: [payout('create-twice'), journal('verdict'), simulate],
  },
  {
    name: 'nobody looks whether another run holds the payment',
    edits: [[opening, looked, 'if (standing) return false']],
    killers: [safety('exit-codes'), journal('journal'), simulate],
  },
  {
    name: 'a run that was killed holds the payment for ever',
    edits: [[opening, looked, 'if (standing) return true']],
    killers: [safety('kill'), journal('journal')],
  },
  {
    name: 'a journal that fails after the sending is told as "nothing was sent"',
    edits: [
      [
        attempts,
        "if (!this.#departed || (error instanceof Failure && error.kind === 'refused')) throw error",
        'throw error',
      ],
    ],
    killers: [safety('disk')],
  },
  {
    name: 'Enter means yes',
    edits: [
      [ask, '/^\\s*(yes|no)\\s*$/i.test(typed)', '/^\\s*(yes|no)?\\s*$/i.test(typed)'],
      [ask, '/^\\s*yes\\s*$/i.test(answer)', '/^\\s*(yes)?\\s*$/i.test(answer)'],
    ],
    killers: [payout('create-asking'), 'test/lib/cli/prompts/ask.test.ts'],
  },
  {
    name: 'Enter means yes on a live profile',
    edits: [
      [confirm, "text.trim() === '' ? 'Type it, or ^C to stop.' : true", 'true || text'],
      [confirm, 'if (!sameConsent(typed, what.phrase))', "if (typed !== '' && !sameConsent(typed, what.phrase))"],
    ],
    killers: ['test/lib/cli/prompts/confirm.test.ts', payout('create-asking')],
  },
  {
    name: '--yes is enough on a live profile',
    edits: [[confirm, 'if (consent.yes && what.live) {', 'if (consent.yes && !what) {']],
    killers: ['test/lib/cli/prompts/confirm.test.ts', payout('create-asking')],
  },
  {
    name: 'a redirect is followed',
    edits: [
      [transport, 'EnvHttpProxyAgent, Pool,', 'EnvHttpProxyAgent, interceptors, Pool,'],
      [
        transport,
        'const noted = agent.compose(',
        'const noted = agent.compose(interceptors.redirect({ maxRedirections: 3 })).compose(',
      ],
    ],
    killers: ['test/lib/http/transport.test.ts', payout('create'), 'test/commands/profile/check.test.ts'],
  },
  {
    name: 'a redirect is no definite answer, and repeated',
    edits: [
      [
        classify,
        "return { kind: 'turned-away', by: 'redirect', words, wait: null, location }",
        "return { kind: 'unknown', why: 'a redirect', words }",
      ],
    ],
    killers: [payout('create')],
  },
  {
    name: 'a redirect after a lost answer settles the payment',
    edits: [[verdict, 'if (past.some(isOpen)) {', "if (past.some(isOpen) && outcome !== 'turned-away') {"]],
    killers: [safety('faults'), journal('verdict'), simulate],
  },
  {
    name: 'token and secret stand in the output',
    edits: [[redact, 'clean(text: string): string {', 'clean(text: string): string {\n    if (text) return text']],
    killers: ['test/lib/cli/output/redact.test.ts'],
  },
  {
    name: 'the token stands in a trace',
    edits: [
      [redact, '(authorization:\\s*)(?:(bearer|basic)\\s+)?\\S+', '(authorisation:\\s*)(?:(bearer|basic)\\s+)?\\S+'],
      [redact, '(bearer\\s+)[A-Za-z', '(bearers\\s+)[A-Za-z'],
    ],
    killers: ['test/lib/cli/output/redact.test.ts'],
  },
  {
    name: 'the secret is known to nobody who could hide it',
    edits: [['src/lib/cli/desk-command.ts', 'this.output.redactor.hide(secret)\n', '\n']],
    killers: [safety('secrets-quoted')],
  },
  {
    name: 'the second of two look-alikes goes out on a live profile',
    edits: [[opening, "if (guard.twins === 'refuse') throw", "if (guard.twins === 'warn') throw"]],
    killers: [payout('create-twice'), journal('journal')],
  },
  {
    name: 'a lost refund is sent once more',
    edits: [
      [
        repeats,
        "export const never: Repeats = {\n  unanswered: 'stop'",
        "export const never: Repeats = {\n  unanswered: 'repeat'",
      ],
    ],
    killers: [table, simulate],
  },
  {
    name: 'a lost charge of a card token is sent once more',
    edits: [
      [
        repeats,
        "export const charge: Repeats = { unanswered: 'stop'",
        "export const charge: Repeats = { unanswered: 'repeat'",
      ],
    ],
    killers: [table],
  },
  {
    name: 'a PUT is repeated as often as any read',
    edits: [[attempts, 'return this.#unanswered <= 1', 'return true']],
    killers: [table],
  },
  {
    name: '503 is a definite no',
    edits: [
      [
        classify,
        "return { kind: 'unknown', why: 'the service is not available', words: read.words, wait }",
        "return { kind: 'turned-away', by: 'rate', words: read.words, wait }",
      ],
    ],
    killers: [table, playing('turned-away')],
  },
  {
    name: 'what another run left unknown meanwhile is sent once more',
    edits: [['src/lib/journal/journal.ts', '|| past.length <= clearance', '|| past.length >= 0']],
    killers: [safety('held-lock'), playing('held-lock')],
  },
  {
    name: 'a run that wakes after its time sends',
    edits: [[attempts, '() =>\n      this.#objection(),\n    )', '() => null)']],
    killers: [playing('asleep')],
  },
  {
    name: 'a clock that was set makes a request in flight an old one',
    edits: [['src/lib/journal/moment.ts', 'return Math.min(byClock, steady)', 'return byClock']],
    killers: [playing('clock-step')],
  },
  {
    name: 'a clock that is set back lengthens a deadline',
    edits: [['src/lib/journal/moment.ts', 'return Math.max(byClock, steady ?? byClock)', 'return byClock']],
    killers: [playing('asleep,clock-step'), 'test/lib/journal/moment.test.ts'],
  },
  {
    name: 'what a read showed grows old while its reader sleeps',
    edits: [[settle, 'steady: each.startedSteady }, asked))', 'steady: each.startedSteady }, momentOf(desk.clock)))']],
    killers: [table],
  },
  {
    name: 'a re-spelled host is another service',
    edits: [['src/lib/contract/service.ts', "loopback.test(name) ? '127.0.0.1' : name", 'name']],
    killers: [playing('respelled'), 'test/lib/contract/service.test.ts'],
  },
  {
    name: 'that the service has an id proves the sum',
    edits: [
      [
        'src/lib/journal/row.ts',
        "answered(verdict.kind === 'duplicate' && verdict.sumConfirmed === true)",
        'answered(true)',
      ],
    ],
    killers: [safety('not-moved')],
  },
  {
    name: 'any success is done, whatever its status',
    edits: [[acceptance, 'if (proof.isDone(status)) return', 'if (proof) return']],
    killers: [safety('done'), playing('wrong-answers')],
  },
  {
    name: 'who stops a read hears that nothing was sent',
    edits: [
      [
        'src/lib/desk/recover/in-play.ts',
        'if (!(error instanceof Failure)) return signal.aborted',
        'if (!(error instanceof Failure) && signal.aborted) throw error\n  if (!(error instanceof Failure)) return signal.aborted',
      ],
    ],
    killers: [safety('not-moved'), playing('interrupted')],
  },
  {
    name: 'who was only turned away has the payout that is there',
    edits: [[verdict, 'past.some(isOpen) ?', "past.some((each) => isOpen(each) || each.outcome === 'turned-away') ?"]],
    killers: [journal('verdict'), playing('turned-away')],
  },
  {
    name: 'an order that the service does not know yet was not executed',
    edits: [[evidence, "return { kind: 'absent', because:", "return { kind: 'over', status: '', because:"]],
    killers: [table, simulate],
  },
  {
    name: 'no trace of a write means at once that it did not run',
    edits: [[settle, 'if (Math.min(...passed) < absentAfter * 1000) {', 'if (Math.min(...passed) < 0) {']],
    killers: [table, simulate],
  },
  {
    name: 'a refund that looks executed is called executed',
    edits: [
      [
        evidence,
        "told({ ran: [], 'no-trace': ['SUCCESS'], over: [], unclear: [] })",
        "told({ ran: refunds, 'no-trace': ['SUCCESS'], over: [], unclear: [] })",
      ],
    ],
    killers: [table],
  },
  {
    name: 'WRONG_AMOUNT is taken for a success',
    edits: [[wallet, "isDone: doneIn('SUCCESS')", "isDone: doneIn('SUCCESS', 'WRONG_AMOUNT')"]],
    killers: [table, simulate],
  },
  {
    name: 'ALREADY_FINALISED is always our own',
    edits: [[wallet, "isDone: doneIn('SUCCESS')", "isDone: doneIn('SUCCESS', 'ALREADY_FINALISED')"]],
    killers: [table],
  },
  {
    name: 'any status is a cancelled order',
    edits: [['src/lib/contract/order/order.ts', "isDone: doneIn('CANCELED')", 'isDone: () => true']],
    killers: [safety('done')],
  },
  {
    name: 'a code beside the members of a success is overlooked',
    edits: [['src/lib/wire/answer.ts', 'if (carrier) return codedOr(wordsOf(words.http ?? 200, carrier))', '']],
    killers: [safety('done'), 'test/lib/wire/sealed.test.ts'],
  },
  {
    name: 'an answer that names no id is taken for ours',
    edits: [[acceptance, 'if (missing.length > 0) return', 'if (missing.length > 9) return']],
    killers: [safety('done')],
  },
  {
    name: 'a second refund goes out while the first is unknown',
    edits: [[opening, "open && guard.unknownTwins === 'refuse'", "!others && guard.unknownTwins === 'refuse'"]],
    killers: [journal('journal'), table],
  },
  {
    name: 'a look-alike that another run is about to repeat is none',
    edits: [[opening, "row.state === 'unknown' || isHeld(row, present)", "row.state === 'unknown'"]],
    killers: [journal('journal')],
  },
  {
    name: 'a card token stands in the journal',
    edits: [[draft, 'body: writeJson(masked(operation, request))', 'body: writeJson(request)']],
    killers: [table, simulate],
  },
  {
    name: 'group 6 is a refusal',
    edits: [[codeBook, "if (known?.ran === 'no' && (grouped !== false || harmless.has(known.code)))", 'if (known)']],
    killers: [table, 'test/lib/contract/codes/code-book.test.ts'],
  },
  {
    name: 'a finalize of another sum is told as ours',
    edits: [[evidence, 'if (difference) return', 'if (difference === undefined) return']],
    killers: [table, simulate],
  },
  {
    name: 'ALREADY_FINALISED is ours although the details contradict it',
    edits: [
      [
        attempts,
        "if (evidence.kind === 'ran') return {",
        "if (evidence.kind !== 'differs') return verdict\n      if (evidence.kind === 'ran') return {",
      ],
    ],
    killers: [table, 'test/commands/wallet/finalize.test.ts'],
  },
  {
    name: 'a cancellation that was done once is done for ever',
    edits: [
      [
        'src/lib/desk/recover/asked-again.ts',
        "if (evidence.kind === 'ran') return settled",
        'if (evidence) return settled',
      ],
    ],
    killers: [safety('asked-again')],
  },
  {
    name: 'an order whose creation is open is told as none',
    edits: [
      [
        'src/lib/desk/order/ask.ts',
        "if (created?.state === 'unknown') return",
        "if (created?.state === 'exists') return",
      ],
    ],
    killers: ['test/commands/order/status.test.ts'],
  },
  {
    name: 'a key is settled as a profile that nobody named',
    edits: [['src/lib/desk/recover/desks.ts', 'if (isNamed || isKey) throw', 'if (isNamed) throw']],
    killers: ['test/commands/resume.test.ts'],
  },
  {
    name: 'whoever consents to a plan consents to any price',
    edits: [['src/lib/cli/prompts/consent-lines.ts', 'const sum = price ?? moved', 'const sum = moved']],
    killers: ['test/commands/order/create.test.ts'],
  },
  {
    name: 'a finalize is sent under another id',
    edits: [
      [
        wallet,
        "idField: 'uniqueId',\n  duplicateCode: null,\n  repeats: () => onceInTime",
        'idField: null,\n  duplicateCode: null,\n  repeats: () => onceInTime',
      ],
    ],
    killers: [simulate],
  },
]

type End = 'killed' | 'SURVIVED' | 'DOES NOT RUN'

const root = join(import.meta.dirname, '..')

/** A copy of what git knows or would take, with links to what is installed; caches that tools write there stay in the copy. */
function copyOfTheRepository(): string {
  const copy = mkdtempSync(join(tmpdir(), 'paydesk-mutants-'))
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root })
  for (const file of listed.toString('utf8').split('\0')) {
    if (file === '' || !existsSync(join(root, file))) continue
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    cpSync(join(root, file), join(copy, file))
  }
  mkdirSync(join(copy, 'node_modules'))
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name.startsWith('.') && name !== '.bin') continue
    symlinkSync(join(root, 'node_modules', name), join(copy, 'node_modules', name))
  }
  return copy
}

let child: ChildProcess | undefined

function run(copy: string, argv: readonly string[]): Promise<{ status: number | null; stdout: string }> {
  return new Promise((resolve) => {
    const running = spawn(process.execPath, argv, { cwd: copy, stdio: ['ignore', 'pipe', 'ignore'] })
    child = running
    let stdout = ''
    running.stdout.on('data', (chunk) => {
      stdout += String(chunk)
    })
    running.on('close', (status) => resolve({ status, stdout }))
  })
}

async function endOfSimulation(copy: string, play: readonly string[]): Promise<End> {
  const { status, stdout } = await run(copy, [
    'node_modules/tsx/dist/cli.mjs',
    'scripts/simulate.mts',
    '400',
    '1',
    ...play,
  ])
  if (!stdout.includes('400 stories')) return 'DOES NOT RUN'
  return status === 1 ? 'killed' : 'SURVIVED'
}

interface Report {
  readonly testResults: readonly { readonly assertionResults: readonly { readonly status: string }[] }[]
}

async function endOfTests(copy: string, file: string): Promise<End> {
  const report = join(copy, 'report.json')
  rmSync(report, { force: true })
  const flags = ['--bail=1', '--reporter=json', `--outputFile=${report}`]
  await run(copy, ['node_modules/vitest/vitest.mjs', 'run', file, ...flags])
  if (!existsSync(report)) return 'DOES NOT RUN'
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
  if (tests.length === 0) return 'DOES NOT RUN'
  return tests.some(({ status }) => status === 'failed') ? 'killed' : 'SURVIVED'
}

function endOf(copy: string, killer: string): Promise<End> {
  const [first, ...play] = killer.split(' ')
  return first === simulate ? endOfSimulation(copy, play) : endOfTests(copy, killer)
}

/** Applies the mutant, looks, and takes it back. */
async function judged(copy: string, { edits, killers }: Mutant): Promise<(readonly [killer: string, end: End])[]> {
  const before = new Map(edits.map(([file]) => [file, readFileSync(join(copy, file), 'utf8')]))
  try {
    for (const [file, text, instead] of edits) {
      const parts = readFileSync(join(copy, file), 'utf8').split(text)
      if (parts.length !== 2) throw new Error(`${file} has this ${parts.length - 1} times, not once: ${text}`)
      writeFileSync(join(copy, file), parts.join(instead))
    }
    const ends: [string, End][] = []
    for (const killer of killers) ends.push([killer, await endOf(copy, killer)])
    return ends
  } finally {
    for (const [file, text] of before) writeFileSync(join(copy, file), text)
  }
}

function tell(line: string): void {
  process.stdout.write(`${line}\n`)
}

const [part = ''] = process.argv.slice(2)
const chosen = mutants.filter(({ name }) => name.includes(part))
const copy = copyOfTheRepository()
process.once('exit', () => {
  child?.kill('SIGKILL')
  rmSync(copy, { recursive: true, force: true })
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

/** Killers that prove nothing, because they fail or do not run even without a mutant. */
const unfit = new Set<string>()
for (const killer of new Set(chosen.flatMap(({ killers }) => killers))) {
  const end = await endOf(copy, killer)
  if (end === 'SURVIVED') continue
  unfit.add(killer)
  tell(`UNFIT     ${killer} ${end === 'killed' ? 'fails' : 'does not run'} without any mutant`)
}

let killed = 0
for (const mutant of chosen) {
  try {
    const ends = (await judged(copy, mutant)).filter(([killer]) => !unfit.has(killer))
    const quick = ends.filter(([, end]) => end !== 'killed')
    const dead = quick.length === 0 && ends.length > 0
    tell(`${dead ? 'killed  ' : 'SURVIVED'}  ${mutant.name}`)
    for (const [killer, end] of quick) tell(`          ${end}: ${killer}`)
    if (dead) killed += 1
  } catch (error) {
    tell(`NO MUTANT ${mutant.name}: ${error instanceof Error ? error.message : String(error)}`)
  }
}
tell(`${killed} of ${chosen.length} mutants killed`)
process.exitCode = killed < chosen.length || unfit.size > 0 || chosen.length === 0 ? 1 : 0
