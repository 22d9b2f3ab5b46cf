/** Output with --json that no operation gives: a dry run, help, doctor, api, completion, and the line of a failure. */
import { z } from 'zod'
import { failures } from '../failure.ts'
import { namedPayee } from '../journal/result.ts'
import {
  environmentWord,
  foreignObject,
  journalIdText,
  oneWordOf,
  type ResultOf,
  utcMoment,
  warningTexts,
} from '../result.ts'
import { shells } from './completion/scripts.ts'

export const sealedDryRunResult = z
  .strictObject({
    dryRun: z.literal(true),
    method: oneWordOf(['POST', 'PUT', 'DELETE']),
    url: z.string(),
    headers: z.record(z.string(), z.string()).describe('By name.'),
    body: z.string().nullable().describe('The exact text of the body; null where the envelope rides in the query.'),
    payload: foreignObject.describe('What is sealed in it, a card token masked.'),
    curl: z.string().nullable().describe('The same as a curl command, with --curl.'),
    confirm: z.string().describe('The text that --confirm takes for it.'),
    profile: z.string(),
    environment: environmentWord,
    warnings: warningTexts.describe('Texts for a person.'),
  })
  .meta({ title: '--dry-run, --curl' })
  .describe(
    'What would leave the machine. Every sealing has a key of its own, so the same request is sealed differently each time.',
  )

/** Of a payout: its body is plain JSON. */
export const openDryRunResult = sealedDryRunResult
  .extend({
    method: z.literal('POST'),
    headers: z.record(z.string(), z.string()).describe('By name. A placeholder stands for the access token.'),
    body: z.string().describe('The exact text of the body.'),
    payload: z.null().describe('Nothing is sealed in it.'),
    namedPayee,
  })
  .meta({ title: '--dry-run, --curl', description: 'What would leave the machine.' })

export const readCurlResult = z
  .strictObject({
    dryRun: z.literal(true),
    method: oneWordOf(['GET', 'POST']),
    url: z.string().describe('Of a sealed request without its envelope, which is made when the command is run.'),
    payload: foreignObject.nullable().describe('What is sealed in it; null where nothing is.'),
    curl: z.string().describe('Asks `paydesk token` for the token, and `paydesk envelope seal` for the envelope.'),
    profile: z.string(),
    environment: environmentWord,
    warnings: warningTexts,
  })
  .meta({ file: 'curl', title: 'A read with --curl --json' })
  .describe('The read as a command that holds no secret.')

export const describedResult = z
  .strictObject({
    command: z.string().describe('Its words.'),
    summary: z.string().nullable(),
    description: z.string().nullable(),
    args: z
      .array(
        z.strictObject({
          name: z.string(),
          required: z.boolean(),
          options: z.array(z.string()).nullable().describe('The values it takes; null for any.'),
          description: z.string().nullable(),
        }),
      )
      .describe('In the order in which they stand.'),
    flags: z.array(
      z.strictObject({
        name: z.string().describe('Without the dashes.'),
        char: z.string().nullable().describe('Its short form.'),
        takesValue: z.boolean(),
        required: z.boolean(),
        repeats: z.boolean().describe('It may stand more than once.'),
        everywhere: z.boolean().describe('Every command has it.'),
        options: z.array(z.string()).nullable().describe('The values it takes; null for any.'),
        description: z.string().nullable(),
      }),
    ),
    examples: z.array(z.string()).describe('Lines to paste.'),
  })
  .meta({ id: 'command' })

export const commandsResult = z.array(describedResult).describe('Every command, by its words.')

export const helpResult = z
  .union([describedResult, z.array(describedResult)])
  .describe(
    'One command, or a list of all commands of a topic or of the program. `help exit-codes` has a schema of its own.',
  )

export const exitCodesResult = z
  .array(
    z.strictObject({
      code: z.int().describe('The exit status.'),
      name: z.string().describe('The `name` of the error line; `done` for 0.'),
      means: z.string(),
      moneyMoved: z.string().describe('In words.'),
    }),
  )
  .meta({ file: 'help-exit-codes', title: 'help exit-codes --json' })

export const errorResult = z
  .strictObject({
    error: z.strictObject({
      name: z.enum(Object.keys(failures)),
      exit: z.int().describe('The exit status.'),
      message: z.string().describe('One sentence for a person; its words may change.'),
      operation: z.string().nullable().describe('Such as payout.create.'),
      uniqueId: z.string().nullable(),
      transactionId: z
        .string()
        .regex(/^[0-9]+$/)
        .nullable(),
      status: z.string().nullable().describe('The newest known status of the payout.'),
      journalId: journalIdText.nullable(),
      service: z
        .strictObject({
          http: z.int().nullable().describe('HTTP status.'),
          statusCode: z.int().nullable().describe('Its code.'),
          exceptionGroup: z.int().nullable(),
          message: z.string().nullable().describe('Its words.'),
        })
        .nullable()
        .describe('What the service answered, if it did.'),
      moneyMoved: z
        .enum(['no', 'yes', 'unknown'])
        .describe('Whether money can have moved for this payment: the question to ask before anything else.'),
      retry: z
        .enum(['never', 'same-id', 'after-fix'])
        .describe('`same-id`: run it again under the same id. `after-fix`: only changed. `never`: look first.'),
      warnings: warningTexts,
      hints: z.array(z.string()).describe('What to do next, for a person.'),
    }),
  })
  .meta({ file: 'error', title: 'The error line' })
  .describe(
    'With --json the only line on stderr, whenever the exit code is not 0. `paydesk help exit-codes` explains the codes.',
  )

export const apiResult = z.strictObject({
  method: z.literal('GET'),
  path: z.string().describe('As it was typed, its query behind it.'),
  part: oneWordOf(['payouts', 'orders', 'wallet']).describe(
    'The part of the service, whose address and keys it goes by.',
  ),
  answer: z.unknown().describe('As the service says it, opened where it was sealed; tokens of cards are hidden.'),
  profile: z.string(),
  environment: environmentWord,
  warnings: warningTexts,
})

export const completionResult = z
  .strictObject({
    shell: z.enum(shells),
    script: z.string().describe('The text that the shell is to run at its start.'),
  })
  .describe('What a shell needs to complete commands, flags, values, and live profiles, plans and ids.')

export type Completion = ResultOf<typeof completionResult>

export const explainedResult = z
  .array(
    z.strictObject({
      kind: z.enum(['code', 'status', 'state', 'exit-code']),
      word: z.string().describe('The code, status, state, or number of the exit code.'),
      about: z.string().describe('Whose word it is: of payouts, of orders, of the journal, of paydesk.'),
      name: z.string().nullable().describe('A name of a number.'),
      means: z.string(),
      moneyMoved: z.string().describe('In words.'),
      next: z.string().describe('What to do.'),
      exit: z.int().nullable().describe('The exit code of the command that ends in it; null where that depends.'),
    }),
  )
  .describe('Every meaning of the word: FAILED is a status of payouts, of orders and more.')
  .meta({ file: 'explain', title: 'explain --json, help <code> --json' })

const subjects = [
  ...(['program', 'home', 'files', 'profile', 'secret', 'service', 'clock', 'tls'] as const),
  ...(['journal', 'payments'] as const),
] as const

export const doctorResult = z
  .strictObject({
    healthy: z.boolean().describe('False where a finding is `bad`; the exit code is 5 then.'),
    at: utcMoment,
    version: z.string().describe('Of paydesk.'),
    node: z.string(),
    system: z.string().describe('Its platform and processor.'),
    profile: z.string().nullable().describe('The one that was looked at; null where none was named or set.'),
    environment: environmentWord.nullable(),
    variables: z.array(z.string()).describe('Names of variables that are set and obeyed, never their values.'),
    findings: z.array(
      z.strictObject({
        about: z.enum(subjects),
        verdict: z
          .enum(['good', 'notice', 'bad', 'unseen'])
          .describe('`notice`: it works, and could be better. `unseen`: it was not, or could not be looked at.'),
        says: z.string(),
        next: z.array(z.string()).describe('What to do, for a person.'),
      }),
    ),
    payments: z
      .array(
        z.strictObject({
          journalId: journalIdText,
          operation: z.string(),
          state: z.string(),
          profile: z.string(),
          openedAt: utcMoment,
        }),
      )
      .nullable()
      .describe('Unknown and held ones, the newest first, 20 at most; null where the journal could not be read.'),
    warnings: warningTexts,
  })
  .describe('No secret, no person, no account and no sum stands in it.')
