/** What a write is called in the title of its receipt: "Refund accepted", as "Payout accepted". */
const names: Readonly<Record<string, string>> = {
  'order.create': 'Order',
  'order.cancel': 'Cancellation',
  'order.complete': 'Completion',
  'order.refund': 'Refund',
  'subscription.revoke': 'Revocation',
  'user.register': 'Registration',
  'wallet.create': 'Wallet order',
  'wallet.finalize': 'Finalization',
  'wallet.cancel': 'Deletion',
}

export function writeName(operation: string): string {
  return names[operation] ?? operation
}
