/** Where a person finds the subscriptionId: no receipt and no status of an order has it. */
export const whereItsIdIs = `The subscriptionId comes with the callback of the subscription (\`callback list\`, \`callback show\`); the answer to the order has
none. In the sandbox \`sandbox ledger\` shows it, too.`
