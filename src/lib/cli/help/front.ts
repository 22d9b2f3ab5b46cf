/** The help of the whole program: lines to begin with, then commands by what one wants to do, then everything. */
import {
  agentMark,
  globalFlagsPage,
  type HelpExample,
  type HelpPage,
  type HelpParagraph,
  type HelpRow,
} from './page.ts'

const firstLines: readonly HelpExample[] = [
  { said: 'A payout on the sandbox: asks for everything, moves no real money', line: 'payout create -p sandbox' },
  { said: 'A profile of your own', line: 'profile add acme' },
  { said: 'What became of the payouts of yesterday', line: 'payout list --yesterday --refresh' },
  {
    said: 'In a script: paid once, however often it runs',
    line: 'payout create --file emp-17.json --key payroll-2026-11:emp-17 --confirm "GEL 1200.00" --json',
  },
  { said: 'A payment without a definite answer', line: 'resume' },
]

interface TaskGroup {
  readonly header: string
  readonly rows: readonly HelpRow[]
}

const tasks: readonly TaskGroup[] = [
  {
    header: 'TO PAY',
    rows: [
      ['payout create', 'Pay a beneficiary.'],
      ['batch plan', 'Make a plan of a file of payouts; `batch run` pays it.'],
      ['order create', 'Have a payer pay; `order refund` gives it back.'],
      ['wallet create', 'Take the address of a QR code; `wallet finalize` has it paid.'],
    ],
  },
  {
    header: 'TO LOOK',
    rows: [
      ['payout list', 'Payouts, and what became of them; likewise `order list`, `wallet list`.'],
      ['payout receipt', 'A receipt for the beneficiary.'],
      ['payout balance', 'What payouts are paid from.'],
      ['journal show', 'Every attempt of a payment.'],
    ],
  },
  {
    header: 'WHEN SOMETHING WENT WRONG',
    rows: [
      ['resume', 'Resolve a payment whose answer was lost.'],
      ['explain', 'Did money move, and what to do? For every code, status and exit code.'],
      ['payout diff', 'The journal against the service.'],
      ['doctor', 'What is wrong with this machine, its files, its clock, its journal.'],
      ['envelope doctor', 'Why an envelope does not open.'],
    ],
  },
  {
    header: 'TO SET UP',
    rows: [
      ['profile add', 'Say who you are to the service.'],
      ['profile check', 'Try it.'],
      ['sandbox start', 'The whole service on this machine.'],
      ['callback listen', 'Hear what the service tells.'],
      ['completion', 'Let the shell complete commands and ids.'],
    ],
  },
]

const more: readonly HelpRow[] = [
  ['help <command>', 'A command or a topic; `--help` behind it does the same.'],
  [`help ${globalFlagsPage}`, 'The flags and variables that every command obeys.'],
  ['help exit-codes', 'How a command may end, and whether money moved.'],
  ['commands --json', 'All of this for a program.'],
]

/** `all` are the topics and commands right below the program. */
export function frontPage(bin: string, said: string, all: readonly HelpParagraph[]): HelpPage {
  return [
    { text: said },
    { header: 'EXAMPLES', examples: firstLines.map((each) => ({ ...each, line: `${bin} ${each.line}` })) },
    ...tasks,
    ...all,
    { header: 'MORE HELP', rows: more },
    { header: 'VERSION', text: agentMark },
  ]
}
