/** Consent of a person, and secrets that only they may see. */
import { command, everyWrite, lib, simulate } from '../killers.mts'
import type { Mutant } from '../mutant.mts'

export const consent: readonly Mutant[] = [
  {
    name: 'an argument is mended at the question',
    rule: 'All that was looked up for a write belongs to the thing that its argument names: another one is another command.',
    changes: [{ in: 'mendable', find: 'Object.hasOwn(knows, name)', put: 'false' }],
    killers: [command('order/refund-asking')],
  },
  {
    name: 'Enter means yes',
    rule: 'A question about money has no default.',
    changes: [
      {
        in: 'askYesOrNo',
        find: String.raw`/^\s*(yes|no)\s*$/i.test($typed)`,
        put: String.raw`/^\s*(yes|no)?\s*$/i.test($typed)`,
      },
      {
        in: 'askYesOrNo',
        find: String.raw`/^\s*yes\s*$/i.test($answer)`,
        put: String.raw`/^\s*(yes)?\s*$/i.test($answer)`,
      },
    ],
    killers: [lib('cli/prompts/ask')],
  },
  {
    name: 'Enter means yes on a live profile',
    rule: 'On a live profile the sum is typed.',
    changes: [
      {
        in: 'askForPhrase',
        find: "if ($text.trim() === '') return $advice",
        put: "if ($text.trim() === '') return true",
      },
      {
        in: 'askForPhrase',
        find: "sameConsent($typed, $phrase) ? 'agreed' : $end",
        put: "$typed === '' || sameConsent($typed, $phrase) ? 'agreed' : $end",
      },
    ],
    killers: [lib('cli/prompts/confirm'), command('payout/create-asking')],
  },
  {
    name: 'Enter means send where a request may be mended',
    rule: 'A question about money has no default.',
    changes: [
      { in: 'ask', find: '$words.includes(word($text)) ? true : $advice', put: 'true || $text' },
      {
        in: 'endOf',
        find: "$typed === 'send' || $typed === 'yes'",
        put: "$typed === 'send' || $typed === 'yes' || $typed === ''",
      },
    ],
    killers: [lib('cli/prompts/confirm'), command('payout/create-asking')],
  },
  {
    name: 'what was mended is not shown before it is sent',
    rule: 'What a person agrees to is what is sent.',
    changes: [{ in: 'consentOf', find: "$end === 'agreed' || $nobody || $nothing", put: 'true' }],
    killers: [command('payout/create-asking')],
  },
  {
    name: '--yes is enough on a live profile',
    rule: 'On a live profile --yes is not enough.',
    changes: [
      { in: 'confirmed', find: 'if ($consent.yes && $what.live) $then', put: 'if ($consent.yes && !$what) $then' },
    ],
    killers: [lib('cli/prompts/confirm'), command('payout/create-asking')],
  },
  {
    name: 'consent to a plan is consent to any price',
    rule: 'The consent to a plan names its price.',
    changes: [{ in: 'sumAsked', find: 'price ?? $moved', put: '$moved' }],
    killers: [command('order/create')],
  },
  {
    name: 'a run pays the plan as it was before the question',
    rule: 'A plan that was discarded while a person was asked sends nothing.',
    changes: [
      { in: 'runWhole', find: 'const plan = await lease.take()', put: 'await lease.take(); const plan = read' },
    ],
    killers: [command('batch/discard')],
  },
  {
    name: 'a plan is discarded by a process whose lease another one has',
    rule: 'Whoever slept past the lease of a plan does not discard it.',
    changes: [{ in: 'discard', find: 'lease.mustBeOurs($$of)', put: 'void planRow' }],
    killers: [lib('batch/run/lease')],
  },
]

export const secrets: readonly Mutant[] = [
  {
    name: 'token and secret stand in the output',
    rule: 'No secret of this run leaves it.',
    changes: [{ in: 'Redactor.clean', find: 'return $cleaned.replace($$members)', put: 'return text' }],
    killers: [lib('cli/output/redact')],
  },
  {
    name: 'the token stands in a trace',
    rule: 'What looks like a credential is hidden on stderr wherever it stands.',
    changes: [
      {
        in: 'patterns',
        find: String.raw`/(authorization:\s*)(?:(bearer|basic)\s+)?\S+/gi`,
        put: String.raw`/(authorisation:\s*)(?:(bearer|basic)\s+)?\S+/gi`,
      },
      {
        in: 'patterns',
        find: String.raw`/(bearer\s+)[A-Za-z0-9._~+/=-]{8,}/gi`,
        put: String.raw`/(bearers\s+)[A-Za-z0-9._~+/=-]{8,}/gi`,
      },
    ],
    killers: [lib('cli/output/redact')],
  },
  {
    name: 'the secret is unknown to what would hide it',
    rule: 'A secret is hidden from the moment it is fetched.',
    changes: [{ in: 'ProfileAccess.#guarded', find: 'this.#invocation.output.redactor.hide($secret)', put: '$secret' }],
    killers: [command('asked-at-terminal')],
  },
  {
    name: 'a card token stands in the journal',
    rule: 'The journal keeps no card token.',
    changes: [
      {
        in: 'draftOf',
        find: 'body: writeJson(maskedRequest($operation, $request))',
        put: 'body: writeJson($request)',
      },
    ],
    killers: [everyWrite, simulate],
  },
]
