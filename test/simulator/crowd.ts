/** The commands of one round of a story, with their times: of different people, or the very same command several times. */
import { resumeEach } from '../../src/lib/desk/resume.ts'
import type { Machine } from './machine.ts'
import type { Errand, Trade } from './trade.ts'
import type { World } from './world.ts'

interface Comer {
  readonly name: string
  readonly delay: number
  /** Chosen when its time has come: what is there to be repeated is known only then. */
  readonly choose: () => { readonly machine: Machine; readonly errand: Errand }
}

const day = 24 * 3_600_000

export const resuming: Errand = {
  name: 'resume',
  plan: null,
  act: async (desk, about) => {
    const open = await desk.journal.list({ states: ['unknown'] })
    for (const { journalId } of open) about(journalId)
    return resumeEach(open, async () => desk, desk.clock.now())
  },
  commands: 20,
}

function anyMachine({ dice, machines }: World): Machine {
  return dice.pick(machines as [Machine, ...Machine[]])
}

export function crowdOf(world: World, trade: Trade, round: number): readonly Comer[] {
  const { dice, fate } = world
  if (world.strikes('held-lock') && fate.chance(0.6)) return sameCommand(world, trade, round)
  return Array.from({ length: 1 + dice.below(3) }, (_, index) => ({
    name: `p${round}.${index}`,
    delay: dice.below(500),
    choose: () => {
      const machine = anyMachine(world)
      return { machine, errand: dice.chance(0.12) ? resuming : trade.next(machine) }
    },
  }))
}

/** All of them have looked at the journal before the first may write to it. */
function sameCommand(world: World, trade: Trade, round: number): readonly Comer[] {
  const { fate } = world
  const machine = anyMachine(world)
  const errand = trade.next(machine)
  machine.holdLock(500 + fate.below(2_000), fate.below(4))
  return Array.from({ length: 3 + fate.below(2) }, (_, index) => ({
    name: `p${round}.${index}`,
    delay: fate.below(200),
    choose: () => ({ machine, errand }),
  }))
}

/** Sets clocks while commands run; at the end of the round they are right again, or not. */
export async function setClocks(world: World): Promise<void> {
  const { fate, timeline } = world
  for (const machine of world.strikes('clock-step') ? world.machines : []) {
    await timeline.sleep(fate.below(20_000))
    machine.setClock(fate.pick([day, day, -day, 0]))
  }
}
