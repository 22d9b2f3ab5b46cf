/** The checkout address of a new order: where its payer is sent. Only an address of the web is one. */

/** The address as it came, null where it is none of the web: opening any other text of the answer could start any program. */
export function checkoutAddress(urlForQR: unknown): string | null {
  if (typeof urlForQR !== 'string' || !URL.canParse(urlForQR)) return null
  return ['http:', 'https:'].includes(new URL(urlForQR).protocol) ? urlForQR : null
}

/** The remark on the address of an order that a payer is to pay; a charged card needs none. */
export function checkoutRemarks(hasPayer: boolean, urlForQR: unknown): readonly string[] {
  if (checkoutAddress(urlForQR) !== null) return []
  if (Array.isArray(urlForQR)) {
    return [`the answer names addresses for the payer that differ, and none is shown: ${JSON.stringify(urlForQR)}`]
  }
  if (typeof urlForQR === 'string' && urlForQR.trim() !== '') {
    return [`the answer names no web address for the payer, and it is not shown as one: ${JSON.stringify(urlForQR)}`]
  }
  return hasPayer ? ['the answer names no checkout address (urlForQR), so no payer can be sent to this order'] : []
}
