// A payer without a browser: reads the page of an order and sends its forms.

import type { ServeSettings } from '../../../src/lib/sandbox/server/server.ts'
import { type Fields, type Integrator, shop } from './integrator.ts'
import { desk } from './stand.ts'

export const approved = { number: '4111 1111 1111 1111', expiry: '12/49', cvv: '123' }
export const declined = { ...approved, number: '5555555555554444' }
export const expiredCard = { ...approved, number: '4000000000000069', expiry: '01/20' }
export const insufficient = { ...approved, number: '4000000000009995' }
export const secondStep = { number: '378282246310005', expiry: '12/49', cvv: '1234' }

export interface Page {
  readonly status: number
  readonly text: string
  readonly headers: Headers
  /** The target of a redirect. */
  readonly location: string | null
}

async function page(answer: Response): Promise<Page> {
  const { status, headers } = answer
  return { status, headers, text: await answer.text(), location: headers.get('location') }
}

export async function look(address: string, query = ''): Promise<Page> {
  return await page(await fetch(address + query))
}

/** Sends a form as a browser does from the same site, or with other headers. */
export async function send(
  address: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = { origin: new URL(address).origin, 'sec-fetch-site': 'same-origin' },
): Promise<Page> {
  const body = new URLSearchParams(fields)
  return await page(await fetch(address, { method: 'POST', body, headers, redirect: 'manual' }))
}

export const pay = (address: string, fields: Readonly<Record<string, string>> = approved) =>
  send(address, { do: 'pay', method: 'card', ...fields })

/** A served sandbox with an integrator, and orders together with the addresses of their pages. */
export async function checkout(name?: string, settings: ServeSettings = {}) {
  const at = await desk(settings)
  const us: Integrator = await at.integrator(name)
  const order = async (fields: Fields = {}) => {
    const heard = await us.create({ receiverId: shop, ...fields })
    if (heard.code !== null) throw new Error(`not created: ${heard.body}`)
    return { id: String(heard.value.integratorOrderId), address: String(heard.value.urlForQR) }
  }
  return { ...at, us, order }
}

/** The text of a page, without its style and its tags. */
export function words(html: string): string {
  const entities: Readonly<Record<string, string>> = {
    '&amp;': '&',
    '&lt;': '<',
    '&gt;': '>',
    '&quot;': '"',
    '&#39;': "'",
  }
  return html
    .replace(/<style>[\s\S]*<\/style>/, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&[#\w]+;/g, (entity) => entities[entity] ?? entity)
    .replace(/\s+/g, ' ')
    .trim()
}
