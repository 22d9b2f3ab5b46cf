/**
 * The texts that persons sign (docs/reference/approvals.md). A line for what it is, then one for each member in a fixed order, its
 * value as a JSON string: no value can end a line, so two different statements never have one text.
 */

/** The members of each statement, in their order. Another order, or one member more, is another version. */
export const statementMembers = {
  person: ['person', 'name', 'publicKey', 'role', 'by', 'at'],
  revocation: ['person', 'publicKey', 'by', 'at'],
  rule: ['rule', 'currency', 'from', 'approvers', 'by', 'at'],
  removal: ['rule', 'currency', 'from', 'approvers', 'by', 'at'],
  request: [
    ...(['approval', 'maker', 'subject', 'id', 'operation', 'environment', 'service', 'serviceId', 'client'] as const),
    ...(['uniqueId', 'digest', 'sum', 'payee', 'rows', 'profile', 'requestedAt', 'expiresAt'] as const),
  ],
  decision: [
    ...(['approval', 'maker', 'subject', 'id', 'operation', 'environment', 'service', 'serviceId', 'client'] as const),
    ...(['uniqueId', 'digest', 'sum', 'payee', 'rows', 'profile', 'requestedAt', 'expiresAt'] as const),
    ...(['decision', 'approver', 'because', 'at'] as const),
  ],
} as const

export type StatementKind = keyof typeof statementMembers

/** The members of a statement with their values; all of them are text. */
export type Statement<Kind extends StatementKind> = Readonly<Record<(typeof statementMembers)[Kind][number], string>>

export function signedText<Kind extends StatementKind>(kind: Kind, statement: Statement<Kind>): string {
  const values: Readonly<Record<string, string>> = statement
  const lines = statementMembers[kind].map((name) => `${name} ${JSON.stringify(values[name] ?? '')}`)
  return [`paydesk-statement/1 ${kind}`, ...lines, ''].join('\n')
}
