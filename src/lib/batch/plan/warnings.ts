/** The notices of a plan in sentences, and those of them that stop it. */
import { howMany } from '../../contract/core/text.ts'
import type { Desk } from '../../desk/desk.ts'
import { Failure } from '../../failure.ts'
import { blank, hint, paste } from '../../hint.ts'
import { shortagesInWords } from '../../spending/shortage.ts'
import type { Noted, Notices } from './notices.ts'

/** The words that follow a count, of one and of many. */
type Words = readonly [one: string, many: string]

function told([one, many]: Words, { count, first }: Noted): string {
  return `${howMany(count, one, many)}: ${first.join('; ')}${count > first.length ? `; and ${count - first.length} more` : ''}`
}

/** The notices in sentences: a payee with another account before all, then those that may stop a plan. */
export function warningsOf(notices: Notices): readonly string[] {
  const { firstTime, nameless, held, shortages, otherAccounts, oddities } = notices
  const over = `the plan does not fit its limits as they stand: ${shortagesInWords(shortages)}`
  const others = 'a payee that is known with another account; ask the payee before you pay'
  const unnamed = 'no beneficiaryName, and some banks reject payouts whose name they cannot compare'
  const isHeld = 'held already and not sent by a run'
  const firstPaid = 'paid for the first time'
  return [
    ...(otherAccounts.count > 0 ? [told(having(others), otherAccounts)] : []),
    ...doubtsOf(notices),
    ...oddities,
    ...(shortages.length > 0 ? [over] : []),
    ...(held.count > 0 ? [told([`row is ${isHeld}`, `rows are ${isHeld}`], held)] : []),
    ...(nameless.count > 0 ? [told(having(unnamed), nameless)] : []),
    ...(firstTime.count > 0
      ? [told([`beneficiary is ${firstPaid}`, `beneficiaries are ${firstPaid}`], firstTime)]
      : []),
  ]
}

function having(what: string): Words {
  return [`row has ${what}`, `rows have ${what}`]
}

/** Rows that may be paid twice. */
function doubtsOf({ sameName, replayed, elsewhere, alike, alikeRecently }: Notices): readonly string[] {
  const inCommon = 'payee and sum in common'
  const recent = 'like a payout of the last 24 hours'
  const left = 'rows that are still to be paid and not in this file'
  const about: readonly (readonly [one: string, many: string, Noted])[] = [
    [
      'row stands for a payment that was sent to another address, and is not sent',
      'rows stand for payments that were sent to another address, and are not sent',
      elsewhere,
    ],
    ['row was sent before and is not sent again', 'rows were sent before and are not sent again', replayed],
    [`group of rows without a key has ${inCommon}`, `groups of rows without a key have ${inCommon}`, alike],
    [`row looks ${recent}`, `rows look ${recent}`, alikeRecently],
    [`plan of the same name has ${left}`, `plans of the same name have ${left}`, sameName],
  ]
  return about.filter(([, , { count }]) => count > 0).map(([one, many, list]) => told([one, many], list))
}

/** Throws usage (2) for keys of other payments; on live profiles duplicate (7) for rows alike that nobody spoke for. */
export function mustBeMeant({ profile }: Pick<Desk, 'profile'>, notices: Notices, allowDuplicates: boolean): void {
  const { takenKeys, moneyMoved } = notices
  if (takenKeys.count > 0) {
    throw new Failure('usage', told(having('the key of another payment'), takenKeys), {
      moneyMoved,
      hints: [
        hint`Compare each with \`${paste('journal show', blank('<journalId>'))}\`: what was paid, or may have been, is not to be paid under another key. Take those rows out of the file.`,
        hint`Only a row that is meant as one more payment gets a key of its own.`,
      ],
    })
  }
  if (allowDuplicates || profile.environment !== 'live') return
  const doubtful = doubtsOf(notices)
  if (doubtful.length === 0) return
  throw new Failure('duplicate', doubtful.join('. '), {
    moneyMoved,
    hints: [hint`Look at them; if they are meant, plan it with \`--allow-duplicates\`.`],
  })
}
