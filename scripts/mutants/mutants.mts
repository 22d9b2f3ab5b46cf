/** Every mutant, in the order of the rules that they break. */
import type { Mutant } from './mutant.mts'
import { answers, attempts } from './rules/answers.mts'
import { approvals } from './rules/approvals.mts'
import { departures } from './rules/batch/departures.mts'
import { runEnds } from './rules/batch/ends.mts'
import { files } from './rules/batch/files.mts'
import { papers } from './rules/batch/papers.mts'
import { stopped } from './rules/batch/stopped.mts'
import { chain } from './rules/chain.mts'
import { consent, secrets } from './rules/consent.mts'
import { believed } from './rules/doubt/believed.mts'
import { doubts } from './rules/doubt/doubts.mts'
import { ends } from './rules/doubt/ends.mts'
import { lagging } from './rules/doubt/lagging.mts'
import { meanwhile } from './rules/doubt/meanwhile.mts'
import { readingAnew } from './rules/doubt/read-anew.mts'
import { saidToBePaid } from './rules/doubt/said-paid.mts'
import { shown } from './rules/doubt/shown.mts'
import { sums } from './rules/doubt/sums.mts'
import { toldAllTheSame } from './rules/doubt/told-all-the-same.mts'
import { evidence } from './rules/evidence.mts'
import { fleet } from './rules/fleet.mts'
import { held } from './rules/held.mts'
import { journal } from './rules/journal.mts'
import { limits } from './rules/limits.mts'
import { once } from './rules/once.mts'
import { team } from './rules/team.mts'
import { told } from './rules/told.mts'
import { twice } from './rules/twice.mts'

export const mutants: readonly Mutant[] = [
  ...once,
  ...answers,
  ...attempts,
  ...shown,
  ...meanwhile,
  ...toldAllTheSame,
  ...sums,
  ...believed,
  ...team,
  ...fleet,
  ...told,
  ...evidence,
  ...twice,
  ...doubts,
  ...ends,
  ...lagging,
  ...readingAnew,
  ...saidToBePaid,
  ...files,
  ...departures,
  ...runEnds,
  ...stopped,
  ...papers,
  ...journal,
  ...held,
  ...approvals,
  ...chain,
  ...consent,
  ...secrets,
  ...limits,
]
