import { expect, test } from 'vitest'
import { orderPropertyNames } from '../../../../src/lib/contract/order/property.ts'
import { testCards } from '../../../../src/lib/sandbox/areas/cards.ts'
import { isTextKey, languages, type TextKey, texts, translator } from '../../../../src/lib/sandbox/checkout/texts.ts'
import { checkout, look, pay, words } from '../../../kit/sandbox/payer.ts'

const says = { EN: 'Recipient', KA: 'მიმღები', IT: 'Beneficiario' } as const

test('the order’s language, else the receiver’s, else what the payer switches to', async () => {
  const { order, integrator } = await checkout()
  for (const language of languages) {
    const { text } = await look((await order({ language })).address)
    expect(text).toContain(`<html lang="${language.toLowerCase()}">`)
    expect(words(text)).toContain(says[language])
    for (const other of languages) {
      expect(words((await look((await order({ language })).address, `?lang=${other}`)).text)).toContain(says[other])
    }
  }
  const bare = await integrator('sandbox-bare')
  const heard = await bare.create({ receiverId: '5a9db0c0-0306-4a11-8c11-000000000306' })
  expect(words((await look(String(heard.value.urlForQR))).text)).toContain(says.KA)
})

test('the language that was chosen stays through the payment; one that there is not is none', async () => {
  const { order } = await checkout()
  const { address } = await order()
  expect(words((await look(address, '?lang=XX')).text)).toContain(says.EN)
  const { location } = await pay(`${address}?lang=IT`)
  expect(location).toBe(`${address.split('/').at(-1)}?lang=IT`)
})

test('every text is there in every language, with the same holes, and nothing is said twice in a wrong script', () => {
  for (const key of Object.keys(texts) as TextKey[]) {
    const said = languages.map((language) => translator(language)(key))
    const holes = said.map((text) => [...text.matchAll(/\{\w+\}/g)].map(String).toSorted().join())
    expect(new Set(holes).size, key).toBe(1)
    for (const text of said) expect(text.trim(), key).not.toBe('')
    const [english = '', georgian = '', italian = ''] = said
    expect(english + italian, key).not.toMatch(/\p{Script=Georgian}/u)
    // Names of others stay as they are.
    const own = georgian.replace(/\{\w+\}|American Express|CVV/g, '')
    expect(own, key).not.toMatch(/\p{Script=Latin}|\p{Script=Cyrillic}/u)
  }
})

test('whatever the sandbox knows has a text: test cards, properties that are shown, reasons', () => {
  for (const { name, refusal } of testCards)
    expect([isTextKey(`card-${name}`), refusal === null || isTextKey(refusal)]).toEqual([true, true])
  const hidden = ['SERVICE_PROVIDER_CODE', 'SERVICE_CODE', 'INTEGRATOR_PRODUCT_NAME']
  expect(orderPropertyNames.filter((name) => !isTextKey(name))).toEqual(hidden)
})
