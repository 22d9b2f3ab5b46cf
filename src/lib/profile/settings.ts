/**
 * Every setting of a profile, written once: its rule, the flag of `profile add` that gives it, and the words for help. The
 * flags, the stored form, what is said about a missing part and what `profile show` prints come from this table.
 */
import { isAbsolute, resolve } from 'node:path'
import { z } from 'zod'
import type { Members } from '../contract/core/members.ts'
import { orderTypes } from '../contract/operation.ts'
import { storeComplaint } from '../store/postgres/address.ts'
import { readAddress } from './address.ts'

export interface Setting {
  readonly rule: z.ZodType
  readonly flag: string
  readonly help: string
  /** The kind of value that the flag takes. A `file` is kept as an absolute path and must be readable when it is given. */
  readonly takes: 'url' | 'uuid' | 'text' | 'file' | 'switch' | readonly string[]
  /** True for a file that only its owner should be able to read. */
  readonly isSecret?: boolean
}

function text() {
  return z.string({ error: (issue) => (issue.input === undefined ? 'is required' : 'must be text') })
}

const url = text().transform((typed, context) => {
  const read = readAddress(typed)
  if (read.ok) return read.address
  context.addIssue({ code: 'custom', message: read.complaint })
  return z.NEVER
})

// Any UUID: ids that were issued need not carry a version.
const uuid = z.guid({ error: 'must be a UUID' }).optional()
const file = text().refine(isAbsolute, { error: 'must be an absolute path' }).optional()
const words = text()
  .refine((value) => value.trim() !== '', { error: 'must not be empty' })
  .optional()

const store = text()
  .superRefine((typed, context) => {
    const complaint = storeComplaint(typed)
    if (complaint) context.addIssue({ code: 'custom', message: `${complaint.why}. ${complaint.advice}` })
  })
  .optional()

function choice<const Options extends readonly string[]>(options: Options) {
  return z.enum(options, {
    error: (issue) => (issue.input === undefined ? 'is required' : `must be one of ${options.join(', ')}`),
  })
}

const environments = ['test', 'live'] as const
const guards = ['refuse', 'warn', 'off'] as const
const rsaPaddings = ['oaep-sha256', 'oaep-sha256-mgf1-sha1', 'pkcs1'] as const
const walletSchemes = ['rsa-pkcs1', 'rsa-oaep-sha256', 'aes'] as const

export const settings = {
  baseUrl: { rule: url, flag: 'base-url', takes: 'url', help: 'address of the service, with its path prefix' },
  environment: {
    rule: choice(environments),
    flag: 'environment',
    takes: environments,
    help: 'whether real money moves there',
  },
  distributorUrl: {
    rule: url.optional(),
    flag: 'distributor-url',
    takes: 'url',
    help: 'address of payouts, where it is another one',
  },
  ordersUrl: {
    rule: url.optional(),
    flag: 'orders-url',
    takes: 'url',
    help: 'address of orders, where it is another one',
  },
  walletUrl: {
    rule: url.optional(),
    flag: 'wallet-url',
    takes: 'url',
    help: 'address of the wallet, where it is another one',
  },
  clientId: { rule: uuid, flag: 'client-id', takes: 'uuid', help: 'client id of payouts' },
  allowRestricted: {
    rule: z.boolean({ error: 'must be true or false' }).default(false),
    flag: 'allow-restricted',
    takes: 'switch',
    help: 'the service permits this client the debtor fields and fromIban',
  },
  duplicateGuard: {
    rule: choice(guards).optional(),
    flag: 'duplicate-guard',
    takes: guards,
    help: 'what happens to a second payout of the same amount to the same payee within a day',
  },
  caFile: { rule: file, flag: 'ca-file', takes: 'file', help: 'certificates to trust besides the usual ones (PEM)' },
  clientCertificateFile: {
    rule: file,
    flag: 'client-certificate-file',
    takes: 'file',
    help: 'certificate to show to the service (PEM)',
  },
  clientKeyFile: {
    rule: file,
    flag: 'client-key-file',
    takes: 'file',
    isSecret: true,
    help: 'private key of that certificate (PEM)',
  },
  integratorId: { rule: uuid, flag: 'integrator-id', takes: 'uuid', help: 'integrator id of orders' },
  servicePublicKeyFile: {
    rule: file,
    flag: 'service-public-key',
    takes: 'file',
    help: 'public key that the service gave; requests are sealed to it',
  },
  privateKeyFile: {
    rule: file,
    flag: 'private-key',
    takes: 'file',
    isSecret: true,
    help: 'your private key; it opens answers and callbacks',
  },
  rsaPadding: {
    rule: choice(rsaPaddings).optional(),
    flag: 'rsa-padding',
    takes: rsaPaddings,
    help: 'how keys are wrapped',
  },
  walletScheme: {
    rule: choice(walletSchemes).optional(),
    flag: 'wallet-scheme',
    takes: walletSchemes,
    help: 'how wallet requests are sealed',
  },
  walletIdentifier: {
    rule: words,
    flag: 'wallet-identifier',
    takes: 'uuid',
    help: 'who you are in requests of the wallet, where it is not the integrator id',
  },
  walletServicePublicKeyFile: {
    rule: file,
    flag: 'wallet-service-public-key',
    takes: 'file',
    help: 'public key for wallet requests, where it is another one',
  },
  walletPrivateKeyFile: {
    rule: file,
    flag: 'wallet-private-key',
    takes: 'file',
    isSecret: true,
    help: 'private key for wallet answers, where it is another one',
  },
  orderType: {
    rule: choice(orderTypes).optional(),
    flag: 'order-type',
    takes: orderTypes,
    help: 'what the service has set for the integrator',
  },
  callbackSecretFile: {
    rule: file,
    flag: 'callback-secret-file',
    takes: 'file',
    isSecret: true,
    help: 'file with the secret that callbacks are signed with (Standard Webhooks), where they are',
  },
  store: {
    rule: store,
    flag: 'store',
    takes: 'url',
    help: "address of the team's store (postgres://…), without a password; its payments stand there and nowhere else",
  },
} as const satisfies Record<string, Setting>

export type SettingName = keyof typeof settings

export const settingNames = Object.keys(settings) as SettingName[]

/**
 * The flags of `profile add` that are not settings. A secret itself is never one of them: every user of the machine can see
 * arguments.
 */
export const secretFlags = ['client-secret-file', 'client-secret-env', 'client-secret-stdin'] as const

/** Values by flag. */
export type GivenSettings = Readonly<Record<string, string | boolean | readonly string[] | undefined>>

/** Something wrong with a flag, in words that follow its name. */
export interface FlagComplaint {
  readonly flag: string
  readonly message: string
}

/** The settings that were given, files as absolute paths. Not yet looked at by any rule. */
export function settingsOf(given: GivenSettings): Members {
  return Object.fromEntries(
    settingNames.flatMap((name) => {
      const { flag, takes } = settings[name]
      const value = given[flag]
      // A switch that is not set says nothing, so that `add` can add to a profile.
      if (value === undefined || value === false) return []
      return [[name, takes === 'file' && value !== '' ? resolve(String(value)) : value]]
    }),
  )
}

/** The flag that gives a setting. */
export function flagOf(setting: string): string {
  if (setting === 'clientSecret') return secretFlags[0]
  if (setting === 'limits') return 'limit'
  return Object.hasOwn(settings, setting) ? settings[setting as SettingName].flag : setting
}

/**
 * Complaints about identities that are given now. Those of a profile that an earlier paydesk kept are left to the requests that
 * hold them: what else it has stays usable.
 */
export function identityComplaints({ walletIdentifier }: Members): readonly FlagComplaint[] {
  if (walletIdentifier === undefined || settings.clientId.rule.safeParse(walletIdentifier).success) return []
  const message = `must be a UUID: it is who you are in each request of the wallet, in the place of --${settings.integratorId.flag}`
  return [{ flag: `--${settings.walletIdentifier.flag}`, message }]
}
