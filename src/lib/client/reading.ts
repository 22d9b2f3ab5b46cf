/** The kinds of an answer as it was read: a success in the shape of the contract, an error with a code, or nothing definite. */
import type { Members } from '../contract/core/members.ts'
import type { ServiceWords } from '../failure.ts'
import type { Content } from './code-alone.ts'

export type Reading<Answer> =
  | { readonly kind: 'answer'; readonly answer: Answer }
  /**
   * A body with a `statusCode`, whatever the HTTP status: it is decided by code (and group), never by HTTP
   * (service.md#payout-codes and service.md#order-codes).
   */
  | {
      readonly kind: 'coded'
      readonly words: ServiceWords & { readonly statusCode: number }
      readonly beneath: Beneath
    }
  | { readonly kind: 'unauthorised'; readonly words: ServiceWords; readonly beneath: Beneath }
  /** 429: not applied. `retryAfter` in seconds or an HTTP date, as it came. */
  | {
      readonly kind: 'busy'
      readonly words: ServiceWords
      readonly retryAfter: string | null
      readonly beneath: Beneath
    }
  /** 503, whatever its body says: proxies say it after they have passed the request on, so it proves nothing. */
  | {
      readonly kind: 'unavailable'
      readonly words: ServiceWords
      readonly retryAfter: string | null
      readonly beneath: Beneath
    }
  | {
      readonly kind: 'redirect'
      readonly words: ServiceWords
      readonly location: string | null
      readonly beneath: Beneath
    }
  /** No definite answer: HTML, cut short, a wrong shape, an envelope that does not open, a status without a refusal body. */
  /** `otherSum`: it tells of another payment than was asked for, which no read outweighs. */
  | {
      readonly kind: 'nonsense'
      readonly words: ServiceWords
      readonly why: string
      readonly otherSum?: string
      readonly beneath?: Beneath
    }

/**
 * The content beneath a code or a status that turns away, and what stands in the clear where it is sealed; null for nothing, a page or
 * `{}`, which contradict no status.
 */
export type Beneath = (Content & { readonly clear?: Members }) | null
