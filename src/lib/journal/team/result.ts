/** A confirmed server of a team's store, as `--json` prints it. */
import { z } from 'zod'

export const confirmedServerResult = z
  .strictObject({
    isNew: z.boolean().describe('False where there was nothing to confirm: nothing was changed.'),
    system: z.string().describe('The identifier of the database system.'),
    timeline: z.string().describe('Another one begins with each promotion or recovery.'),
    because: z.string(),
  })
  .meta({ title: 'A server that the store of a team is whole on' })

export const importedJournalResult = z
  .strictObject({
    payments: z.int().min(0),
    attempts: z.int().min(0),
    payees: z.int().min(0).describe('Those that the team knew already are counted, too.'),
    head: z.string().describe('The head of the person’s journal: what it covers was brought along.'),
  })
  .meta({ title: 'A journal that was brought into the store of a team' })
