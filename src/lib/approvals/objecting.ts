/** Objections to a request for an approval, or to a word about it. */
import { Failure } from '../failure.ts'
import { hint, paste } from '../hint.ts'
import type { VoteRow } from '../store/journal/schema.ts'
import type { ApprovalState, ProvenApproval } from './proof.ts'

export function openAlready(id: string): Failure {
  return new Failure('duplicate', `its approval was asked for already (${id})`, {
    moneyMoved: 'no',
    hints: [hint`\`${paste('approval show', id)}\` says how it stands.`],
  })
}

export function unknownApproval(id: string): Failure {
  return new Failure('not-found', `no approval ${id} was asked for in this store`, {
    hints: [hint`\`${paste('approval list')}\` shows those that were.`],
  })
}

export function mayNotApprove(name: string, id: string): Failure {
  return new Failure(
    'credentials',
    `${name} requested the approval ${id}, so another person must approve or reject it`,
    {
      moneyMoved: 'no',
      hints: [hint`\`${paste('team key list')}\` shows who there is.`],
    },
  )
}

export function saidAlready(name: string, { decision }: VoteRow, id: string): Failure {
  return new Failure('duplicate', `${name} has said "${decision}" of ${id} already`, {
    moneyMoved: 'no',
    hints: [hint`\`${paste('approval show', id)}\` shows every word.`],
  })
}

/** Expired: held (13), as the payment itself; over in another way: locked (12), there is nothing to say any more. */
export function overFor({ row, facts }: ProvenApproval, state: ApprovalState): Failure {
  const again = hint`Its maker asks anew: \`${paste('approval request', facts.id)}\`.`
  if (state === 'expired') {
    return new Failure('held', `${row.id} has expired (${facts.expiresAt})`, { moneyMoved: 'no', hints: [again] })
  }
  const words = {
    open: 'is open',
    used: 'was used: the payment was sent',
    rejected: 'was rejected',
    void: 'is void: what it asked for is another by now, or its maker was revoked',
  }
  return new Failure('locked', `${row.id} ${words[state]}`, {
    moneyMoved: state === 'used' ? 'unknown' : 'no',
    hints: [hint`\`${paste('approval show', row.id)}\` tells all of it.`, ...(state === 'used' ? [] : [again])],
  })
}
