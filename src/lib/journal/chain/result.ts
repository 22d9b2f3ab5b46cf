/** The results about the journal's hash chain, as `--json` prints them. */
import { z } from 'zod'

/** The head that a receipt or a report bears. */
export const journalHeadText = z
  .string()
  .regex(/^[1-9][0-9]*-[0-9a-f]{24}$/)
  .nullable()
  .describe('The head of the journal by then; `journal verify --head` says whether the journal still holds it.')

export const verifiedJournalResult = z
  .strictObject({
    intact: z.boolean().describe('False with any finding; the exit code is 1 then.'),
    rows: z.int().describe('Rows that were looked at: payments, attempts, payees.'),
    links: z.int().describe('Links of the chain, one for each commit that changed a row.'),
    head: journalHeadText.describe('The head of the journal now; null of an empty one.'),
    sealingLinks: z
      .int()
      .describe('So many links seal rows of an earlier build as they stood: what was changed before does not show.'),
    findings: z
      .array(
        z.strictObject({
          kind: z.enum([
            ...(['head-missing', 'head-differs', 'link-changed', 'links-missing'] as const),
            ...(['row-changed', 'row-removed', 'row-added'] as const),
          ]),
          link: z.int().nullable().describe('The link that it is about; of a row the newest one that names it.'),
          row: z
            .string()
            .nullable()
            .describe('Table and key, such as `intents:j-3f9a1c2b7d10` or `attempts:j-3f9a1c2b7d10/1`.'),
          words: z.string(),
        }),
      )
      .describe('What is not as paydesk wrote it: at most 1000.'),
    moreFindings: z.int().describe('Findings that are not listed.'),
  })
  .meta({ title: 'The journal, verified' })
