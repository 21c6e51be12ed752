/**
 * The languages of the app and of its messages, one line each: texts, the page before its first paint, mails and the checks of
 * the repository read this table. A new one is a folder in `web/locales` and a line here.
 */
export type Locale = {
  /** The folder of `web/locales`; kept with the account and on the device. */
  readonly code: string
  /** BCP 47: how numbers and dates are written, and which plural forms there are. */
  readonly tag: string
  /** In its own words: whoever looks for theirs can't read the others. */
  readonly name: string
  /** The file of `server/messages/texts` that mails and short messages are written from. */
  readonly messages: string
  /** Chosen inside another locale, by its script; accounts keep that one. */
  readonly within?: { readonly code: string; readonly script: string }
}

export const locales = [
  { code: 'en', tag: 'en', name: 'English', messages: 'en' },
  { code: 'hk', tag: 'zh-Hant-HK', name: '繁體中文', messages: 'hk' },
  { code: 'hk-hans', tag: 'zh-Hans', name: '简体中文', messages: 'hk', within: { code: 'hk', script: 'hans' } },
  { code: 'ca', tag: 'es', name: 'Español', messages: 'ca' },
  { code: 'de', tag: 'de', name: 'Deutsch', messages: 'de' },
  { code: 'fr', tag: 'fr', name: 'Français', messages: 'fr' },
  { code: 'it', tag: 'it', name: 'Italiano', messages: 'it' },
  { code: 'pt', tag: 'pt', name: 'Português', messages: 'pt' },
] as const satisfies readonly Locale[]

/** The code of any line. */
export type LocaleCode = (typeof locales)[number]['code']
/** The code of a line that accounts keep. */
export type Lang = Exclude<(typeof locales)[number], { readonly within: object }>['code']
export type MessageTexts = (typeof locales)[number]['messages']

export const langs: readonly Lang[] = locales.flatMap((one) => ('within' in one ? [] : [one.code]))
