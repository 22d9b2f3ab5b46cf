/** Identities and keys of orders and the wallet in the tour: files in any form, or a pair that is made at the end. */
import { existsSync } from 'node:fs'
import { settings } from '../../profile/settings/setting.ts'
import { fileRule, newFileRule } from './file.ts'
import { freePath } from './secret-steps.ts'
import type { Answers, TourStep } from './step.ts'
import { uses } from './use.ts'

const makePair = 'a new pair, made now'
const haveKey = 'a file that is there already'

const yes = { value: 'yes', description: '' }
const no = { value: 'no', description: '' }

export function uuidWrong(typed: string): string | null {
  return settings.integratorId.rule.safeParse(typed).success
    ? null
    : 'It must be a UUID, such as 3f0e2a53-7b7c-4a5e-9d53-0f1b8a6f2c11.'
}

const paddingHelp: Readonly<Record<string, string>> = {
  'oaep-sha256': 'RSA-OAEP with SHA-256, as the specification has it',
  'oaep-sha256-mgf1-sha1': 'the same with MGF1 over SHA-1, as older libraries write it',
  pkcs1: 'PKCS#1 v1.5',
}

const schemeHelp: Readonly<Record<string, string>> = {
  'rsa-pkcs1': 'RSA in blocks, PKCS#1 v1.5; usual',
  'rsa-oaep-sha256': 'RSA in blocks, OAEP with SHA-256',
  aes: 'the same as orders have',
}

const described = (words: readonly string[], help: Readonly<Record<string, string>>) =>
  words.map((value) => ({ value, description: help[value] ?? '' }))

function keySteps(directory: string): readonly TourStep[] {
  const isSealed = (said: Answers) => uses(said, 'orders', 'wallet')
  return [
    {
      name: settings.servicePublicKeyFile.flag,
      when: isSealed,
      question: () => ({
        kind: 'text',
        message: 'In which file is the public key that the service gave you?',
        wrong: fileRule('public key'),
      }),
    },
    {
      name: 'ownKey',
      when: (said) => isSealed(said) && said[settings.privateKeyFile.flag] === undefined,
      question: () => ({
        kind: 'choice',
        message: 'Which private key of your own opens the answers?',
        options: [
          { value: haveKey, description: 'in any form: PEM, or base64 in one line' },
          { value: makePair, description: 'the service gets its public half from you' },
        ],
      }),
    },
    {
      name: settings.privateKeyFile.flag,
      when: (said) => isSealed(said) && said.ownKey === haveKey,
      question: () => ({ kind: 'text', message: 'In which file is your private key?', wrong: fileRule('private key') }),
    },
    {
      name: 'newKeyFile',
      when: (said) => isSealed(said) && said.ownKey === makePair,
      question: (said) => ({
        kind: 'text',
        message: 'In which new file shall the private key be? The public half stands beside it (.pub).',
        usual: freePath(directory, said.name ?? '', '.key', ['', '.pub']),
        wrong: newFileRule(existsSync, ['', '.pub']),
      }),
    },
  ]
}

function walletSteps(): readonly TourStep[] {
  const isWallet = (said: Answers) => uses(said, 'wallet')
  const hasOwnKeys = (said: Answers) => isWallet(said) && said.walletKeys === 'yes'
  return [
    {
      name: settings.walletScheme.flag,
      when: isWallet,
      question: () => ({
        kind: 'choice',
        message: 'How are requests of the wallet sealed?',
        options: described(settings.walletScheme.takes, schemeHelp),
      }),
    },
    {
      name: settings.walletIdentifier.flag,
      when: isWallet,
      question: (said) => ({
        kind: 'text',
        message: 'Which identifier do you have in the wallet? A UUID.',
        ...(said['integrator-id'] ? { usual: said['integrator-id'] } : {}),
        wrong: uuidWrong,
      }),
    },
    {
      name: 'walletKeys',
      when: (said) => isWallet(said) && uses(said, 'orders'),
      question: () => ({ kind: 'choice', message: 'Has the wallet keys of its own?', options: [no, yes] }),
    },
    {
      name: settings.walletServicePublicKeyFile.flag,
      when: hasOwnKeys,
      question: () => ({
        kind: 'text',
        message: "In which file is the service's public key for the wallet?",
        wrong: fileRule('public key'),
      }),
    },
    {
      name: settings.walletPrivateKeyFile.flag,
      when: hasOwnKeys,
      question: () => ({
        kind: 'text',
        message: 'In which file is your private key for the wallet?',
        wrong: fileRule('private key'),
      }),
    },
  ]
}

export function sealSteps(directory: string): readonly TourStep[] {
  return [
    {
      name: settings.integratorId.flag,
      when: (said) => uses(said, 'orders'),
      question: () => ({
        kind: 'text',
        message: 'What is your integrator id? A UUID that the service gave you.',
        wrong: uuidWrong,
      }),
    },
    ...keySteps(directory),
    {
      name: settings.rsaPadding.flag,
      when: (said) => uses(said, 'orders'),
      question: () => ({
        kind: 'choice',
        message: 'How are the keys of an envelope wrapped?',
        options: described(settings.rsaPadding.takes, paddingHelp),
      }),
    },
    ...walletSteps(),
  ]
}
