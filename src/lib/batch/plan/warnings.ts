/** The notices of a plan in sentences, and those of them that stop it. */
import type { Desk } from '../../desk/desk.ts'
import { Failure } from '../../failure.ts'
import { blank, hint, paste } from '../../hint.ts'
import { shortagesInWords } from '../../spending/shortage.ts'
import type { Noted, Notices } from './notices.ts'

function told(what: string, { count, first }: Noted): string {
  return `${count} ${what}: ${first.join('; ')}${count > first.length ? `; and ${count - first.length} more` : ''}`
}

/** The notices in sentences: a payee with another account before all, then those that may stop a plan. */
export function warningsOf(notices: Notices): readonly string[] {
  const { firstTime, nameless, held, shortages, otherAccounts } = notices
  const over = `the plan does not fit its limits as they stand: ${shortagesInWords(shortages)}`
  const others = 'rows have a payee that is known with another account; ask the payee before you pay'
  return [
    ...(otherAccounts.count > 0 ? [told(others, otherAccounts)] : []),
    ...doubtsOf(notices),
    ...(shortages.length > 0 ? [over] : []),
    ...(held.count > 0 ? [told('rows are held already and not sent by a run', held)] : []),
    ...(nameless.count > 0
      ? [told('rows have no beneficiaryName, and some banks reject payouts whose name they cannot compare', nameless)]
      : []),
    ...(firstTime.count > 0 ? [told('beneficiaries are paid for the first time', firstTime)] : []),
  ]
}

/** Rows that may be paid twice. */
function doubtsOf({ sameName, replayed, elsewhere, alike, alikeRecently }: Notices): readonly string[] {
  const about: readonly (readonly [string, Noted])[] = [
    ['rows stand for payments that were sent to another address, and are not sent', elsewhere],
    ['rows were sent before and are not sent again', replayed],
    ['groups of rows without a key have payee and sum in common', alike],
    ['rows look like a payout of the last 24 hours', alikeRecently],
    ['plans of the same name have rows that are still to be paid and not in this file', sameName],
  ]
  return about.filter(([, { count }]) => count > 0).map(([what, list]) => told(what, list))
}

/** Throws usage (2) for keys of other payments; on live profiles duplicate (7) for rows alike that nobody spoke for. */
export function mustBeMeant({ profile }: Pick<Desk, 'profile'>, notices: Notices, allowDuplicates: boolean): void {
  const { takenKeys, moneyMoved } = notices
  if (takenKeys.count > 0) {
    throw new Failure('usage', told('rows have the key of another payment', takenKeys), {
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
