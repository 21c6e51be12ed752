/**
 * The languages of the app and its messages, one line each. Texts, the page before first paint, mails and the repository's checks
 * read this table. A new language is a folder in `web/locales` and a line here.
 */
export type Locale = {
  /** The folder in `web/locales`. Stored with the account and on the device. */
  readonly code: string
  /** BCP 47 tag: decides the format of numbers and dates and the plural forms. */
  readonly tag: string
  /** The language's name in the language itself: users looking for theirs may not read the others. */
  readonly name: string
  /** The file in `server/messages/texts` for mails and short messages. */
  readonly messages: string
  /** Set for a variant chosen by script inside another locale, which is the one that accounts store. */
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

/** The code of any locale in the table. */
export type LocaleCode = (typeof locales)[number]['code']
/** The code of a locale that accounts store. */
export type Lang = Exclude<(typeof locales)[number], { readonly within: object }>['code']
export type MessageTexts = (typeof locales)[number]['messages']

/** The codes of all locales. */
export const localeCodes: readonly LocaleCode[] = locales.map(({ code }) => code)

/** The locale that accounts store for a locale. */
export function langOf(code: LocaleCode): Lang {
  const found: Locale | undefined = locales.find((one) => one.code === code)
  return (found?.within?.code ?? code) as Lang
}

export const langs: readonly Lang[] = locales.flatMap((one) => ('within' in one ? [] : [one.code]))
