/** Saved cards, and the subscriptions that charge them. */
import { chargesOf } from '../../../store/sandbox/cards.ts'
import type { SubscriptionRow } from '../../../store/sandbox/schema.ts'
import { newestOf, rowNamed } from '../../../store/sandbox/search.ts'
import { describeCard } from '../../cards/ledger.ts'
import { localMoment } from '../../clock/clock.ts'
import { describeSubscription } from '../../subscriptions/ledger.ts'
import { money } from '../../world/money.ts'
import { callbackLinks, orderLink } from './related.ts'
import { type Facts, moment, most, type Row, type Section, shortly, type Tone } from './section.ts'

export const cardsSection: Section = {
  name: 'cards',
  title: 'Cards',
  table: 'cards',
  columns: [
    { name: 'saved', kind: 'id', zoned: true },
    { name: 'number', kind: 'id' },
    { name: 'brand' },
    { name: 'saved with', kind: 'id', minor: true },
    { name: 'integrator', minor: true },
  ],
  empty: 'No card was saved in this world.',
  rows: async ({ db, now, words, names }) => {
    const rows: Row[] = []
    for (const card of await newestOf(db, 'cards', words, most)) {
      const { cardMask, cardBrand, integratorId, integratorOrderId } = await describeCard(db, card)
      const who = names.get(integratorId) ?? integratorId
      const cells = [shortly(card.created, now), cardMask, cardBrand, integratorOrderId, who]
      rows.push({ id: card.order_id, tone: 'plain', cells })
    }
    return rows
  },
  detail: async ({ db, names }, id) => {
    const row = await rowNamed(db, 'cards', id)
    if (!row) return null
    const card = await describeCard(db, row)
    return {
      title: `${card.cardBrand} ${card.cardMask}`,
      tone: 'plain',
      status: `until ${card.expirationDate}`,
      links: [orderLink(row.order_id)],
      ...(card.integratorOrderId === null ? {} : { about: card.integratorOrderId }),
      facts: [
        {
          title: 'Card',
          rows: [
            ['token', card.token],
            ['test card', card.card],
            ['provider', card.provider],
            ['integrator', names.get(card.integratorId) ?? card.integratorId],
            ['saved with', card.integratorOrderId],
            ['saved', moment(card.createdAt)],
          ],
        },
      ],
      texts: [],
    }
  },
}

const planTones: Readonly<Record<SubscriptionRow['status'], Tone>> = {
  WAITING_FOR_CARD: 'waiting',
  ACTIVE: 'good',
  REVOKED: 'plain',
  ENDED: 'plain',
}

export const subscriptionsSection: Section = {
  name: 'subscriptions',
  title: 'Subscriptions',
  table: 'subscriptions',
  columns: [
    { name: 'created', kind: 'id', zoned: true },
    { name: 'amount', kind: 'amount' },
    { name: 'status', kind: 'status' },
    { name: 'every' },
    { name: 'subscription', kind: 'id', minor: true },
    { name: 'next charge', kind: 'id', minor: true, zoned: true },
  ],
  empty: 'There is no subscription in this world.',
  rows: async ({ db, now, words }) => {
    const rows: Row[] = []
    for (const plan of await newestOf(db, 'subscriptions', words, most)) {
      const { due, created, amount, status, interval, interval_count, subscription_id } = plan
      const next = due === null ? null : shortly(due, now)
      const every = interval_count === 1 ? interval : `${interval} × ${interval_count}`
      const cells = [shortly(created, now), money(amount), status, every, subscription_id, next]
      rows.push({ id: subscription_id, tone: planTones[status], cells })
    }
    return rows
  },
  detail: async ({ db }, id) => {
    const row = await rowNamed(db, 'subscriptions', id)
    if (!row) return null
    const plan = await describeSubscription(db, row)
    const charges: Facts['rows'] = (await chargesOf(db, id)).map(
      ({ time, status, fail_reason }) =>
        [moment(localMoment(time)) ?? '', fail_reason === null ? status : `${status}: ${fail_reason}`] as const,
    )
    return {
      title: `Subscription of ${plan.amount}`,
      tone: planTones[row.status],
      status: plan.status,
      links: [orderLink(row.order_id), ...(await callbackLinks(db, orderLink(row.order_id)))],
      about: plan.integratorOrderId ?? plan.subscriptionId,
      facts: [
        {
          title: 'Plan',
          rows: [
            ['subscription', plan.subscriptionId],
            ['order', plan.integratorOrderId],
            ['every', `${plan.interval} × ${plan.intervalCount}`],
            ['completed', plan.completed],
            ['failed', plan.failed],
            ['next charge', moment(plan.nextChargeAt)],
            ['created', moment(plan.createdAt)],
          ],
        },
        { title: 'Charges', rows: charges },
      ],
      texts: [],
    }
  },
}
