/** Where payers go, below the server's address. */
export const checkoutPath = '/checkout/'
