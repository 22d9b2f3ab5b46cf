/** A world with all of its members, as `--json` prints it. */
import { z } from 'zod'
import { type Permission, permissionNames } from '../../contract/core/permission.ts'
import { orderTypes } from '../../contract/operation.ts'
import { schemes } from '../../envelope/scheme.ts'
import { jsonAmount, oneWordOf, uuidText } from '../../result.ts'

const key = z
  .string()
  .regex(/^[A-Za-z0-9+/]+=*$/)
  .describe('Base64 of the DER (SPKI, PKCS#8) in one line; new with every world.')
const scheme = z.enum(schemes)
const keyBits = z.int().describe('The size of its keys, and of those of the service for it.')
const ofPayouts: readonly Permission[] = ['debtor', 'fromIban']

/** One of these; its maker knows it as one of all. */
const permission = (names: readonly Permission[]) => z.enum(permissionNames).meta({ enum: names })

export const worldTenantsResult = z.strictObject({
  worldId: uuidText,
  distributorClients: z
    .array(
      z.strictObject({
        name: z.string(),
        clientId: uuidText,
        clientSecret: z.string().describe('New with every world.'),
        paysOutBy: z.enum(['iban', 'receiver']),
        permissions: z.array(permission(ofPayouts)).describe('Which restricted fields it may send.'),
        currencies: z
          .array(z.string())
          .describe('The first is that of a balance that is asked for without a currency.'),
        limits: z
          .strictObject({
            minimum: jsonAmount,
            maximum: jsonAmount,
          })
          .nullable()
          .describe('Of one payout; null without limits.'),
        accounts: z.array(
          z.strictObject({
            iban: z.string(),
            currency: z.string(),
            balance: jsonAmount.describe('Now.'),
            main: z.boolean().describe('Debited when fromIban is not given.'),
          }),
        ),
      }),
    )
    .describe('Who may pay out. Each stands behind the built-in profile of its name.'),
  receivers: z.array(
    z.strictObject({
      receiverId: uuidText,
      receiverType: z.enum(['BRANCH', 'USER']),
      name: z.string(),
      use: z
        .enum(['payouts', 'orders', 'tips', 'wallet'])
        .describe(
          'What it was made for; whoever is registered may be named wherever its type fits. Payouts go to those of payouts only.',
        ),
      note: z.string().describe('What is special about it; empty if nothing is.'),
      defaultBank: z
        .string()
        .nullable()
        .describe('The bank of directLinkProvider DEFAULT; null where none is configured.'),
      language: z.string().describe('Of the checkout page, where the order names none.'),
      takesTips: z.boolean().describe('Whether orders for it may have a tip receiver.'),
    }),
  ),
  magicDescriptions: z
    .array(
      z.strictObject({
        description: z.string(),
        endsIn: z.string(),
      }),
    )
    .describe('Descriptions that lead a payout to an end other than SUCCESS.'),
  integrators: z
    .array(
      z.strictObject({
        name: z.string(),
        integratorId: uuidText,
        orderType: z.enum(orderTypes),
        scheme: scheme,
        keyBits: keyBits,
        orderLimits: z
          .strictObject({ minimum: jsonAmount, maximum: jsonAmount })
          .describe('Of one order, in its currency; 6026 outside.'),
        permissions: z
          .array(permission(permissionNames.filter((name) => !ofPayouts.includes(name))))
          .describe('What it may do and send.'),
        servicePublicKey: key.describe('What requests are sealed to.'),
        publicKey: key.describe('What answers are sealed to.'),
        privateKey: key.describe('What opens them.'),
        defaults: z
          .strictObject({
            successRedirectUri: z.string(),
            failRedirectUri: z.string(),
            callbackUri: z.string(),
            acquiringCurrency: z.string(),
            distributionCurrency: z.string(),
            commissionType: oneWordOf(['SENDER', 'RECEIVER', 'BOTH']),
          })
          .describe('What onboarding has configured for orders that do not say so themselves.'),
      }),
    )
    .describe('Who sends orders (areas B and D). Each stands behind the built-in profile of its name.'),
  walletIntegrators: z
    .array(
      z.strictObject({
        name: z.string(),
        identifier: uuidText,
        scheme: scheme,
        keyBits: keyBits,
        servicePublicKey: key,
        publicKey: key,
        privateKey: key,
      }),
    )
    .describe('Who sends wallet orders (area C).'),
})
