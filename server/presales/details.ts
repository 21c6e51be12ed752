import { createHash } from 'node:crypto'
import { langOf, type LocaleCode, localeCodes } from '@candor/core/protocol/locales.ts'
import { type PresaleDetails, type PresaleText, presaleTextFields } from '@candor/core/protocol/wire/console/presale.ts'

/** The text of details that is hashed: JSON with its fields in one order, so that the same details always have the same hash. */
export function textOfDetails({ token, name, totalSupply, contract, texts }: PresaleDetails): string {
  const place = contract === null ? null : { network: contract.network, address: contract.address }
  const inOrder = localeCodes.flatMap((lang) => {
    const text = texts[lang]
    return text === undefined ? [] : [[lang, Object.fromEntries(presaleTextFields.map((field) => [field, text[field]]))] as const]
  })
  return JSON.stringify({ token, name, totalSupply, contract: place, texts: Object.fromEntries(inOrder) })
}

/** The texts in a language, else in the one that it is a script of, else in English. */
export function textIn({ texts }: PresaleDetails, wanted: LocaleCode): PresaleText & { readonly lang: LocaleCode } {
  for (const lang of [wanted, langOf(wanted)]) {
    const text = texts[lang]
    if (text !== undefined) return { ...text, lang }
  }
  return { ...texts.en, lang: 'en' }
}

export function hashOf(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}
