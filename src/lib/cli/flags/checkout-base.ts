/** The flag for the address of payers. It belongs to a run, as a port does: a tunnel has another address tomorrow. */
import { Flags } from '@oclif/core'
import { withoutEnd } from '../../ends.ts'
import { Failure } from '../../failure.ts'

/** Without a slash at its end. */
export const checkoutBaseFlag = Flags.string({
  description: 'the beginning of urlForQR, where payers come through a tunnel or a proxy; see --allow-host',
  helpValue: 'https://…',
  parse: async (text) => {
    if (/^https?:\/\/[^\s\\?#@]+$/i.test(text) && URL.canParse(text)) return withoutEnd(new URL(text).href, '/')
    const why = 'must be an http or https address like https://pay.shop.example, without user, query and fragment'
    // Not quoted: it may hold a password.
    throw new Failure('usage', `--checkout-base ${why}`)
  },
})
