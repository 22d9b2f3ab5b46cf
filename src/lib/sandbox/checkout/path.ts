/** The place of payers, below the server's address. */
export const checkoutPath = '/checkout/'
