/** The texts of a presale while a member writes them: every language has fields, and those without any text are left out. */
import type { Decimal } from '@candor/core/money/brand.ts'
import { type LocaleCode, localeCodes } from '@candor/core/protocol/locales.ts'
import { type PresaleDetails, type PresaleText, presaleTextFields } from '@candor/core/protocol/wire/console/presale.ts'

export type TextsDraft = {
  readonly token: string
  readonly name: string
  readonly totalSupply: string
  readonly hasContract: boolean
  readonly network: string
  readonly address: string
  readonly texts: { readonly [L in LocaleCode]: PresaleText }
}

const blank = Object.fromEntries(presaleTextFields.map((field) => [field, ''])) as PresaleText

/** Fields filled with details, or empty ones. */
export function draftOf(details?: PresaleDetails): TextsDraft {
  const texts = Object.fromEntries(localeCodes.map((lang) => [lang, details?.texts[lang] ?? blank])) as TextsDraft['texts']
  const { token = '', name = '', totalSupply = '', contract = null } = details ?? {}
  return {
    token,
    name,
    totalSupply,
    hasContract: contract !== null,
    network: contract?.network ?? '',
    address: contract?.address ?? '',
    texts,
  }
}

const written = (text: PresaleText): number => presaleTextFields.filter((field) => text[field].trim() !== '').length

/** Languages with all their fields, English first. */
export const completeIn = ({ texts }: TextsDraft): readonly LocaleCode[] =>
  localeCodes.filter((lang) => written(texts[lang]) === presaleTextFields.length)

/** Languages that are begun but not written to the end. English is always needed. */
export const begunIn = ({ texts }: TextsDraft): readonly LocaleCode[] =>
  localeCodes.filter((lang) => (lang === 'en' || written(texts[lang]) > 0) && written(texts[lang]) < presaleTextFields.length)

/** What the draft says; undefined while something is missing. */
export function detailsOf(draft: TextsDraft): PresaleDetails | undefined {
  const { token, name, totalSupply, hasContract, network, address, texts } = draft
  const [supply, place] = [totalSupply.trim().replaceAll(',', ''), { network: network.trim(), address: address.trim() }]
  if (begunIn(draft).length > 0 || token === '' || name.trim() === '' || !/^[1-9][0-9]{0,15}(\.[0-9]{1,18})?$/.test(supply))
    return undefined
  if (hasContract && (place.network === '' || place.address === '')) return undefined
  const trimmed = completeIn(draft).map((lang) => [
    lang,
    Object.fromEntries(presaleTextFields.map((field) => [field, texts[lang][field].trim()])),
  ])
  return {
    ...{ token, name: name.trim(), totalSupply: supply as Decimal, contract: hasContract ? place : null },
    texts: Object.fromEntries(trimmed) as PresaleDetails['texts'],
  }
}
