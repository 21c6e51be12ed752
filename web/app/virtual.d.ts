/** Made by `build/coins.ts`. */
declare module 'virtual:coins' {
  /** URL of the picture with the icons of `first`, each at the fragment of its name. */
  export const sheet: string
  export const first: ReadonlySet<string>
  export const singles: ReadonlySet<string>
}

/** Made by `build/locales.ts`. */
declare module 'virtual:locales' {
  type Texts = Readonly<Record<string, unknown>>
  type Language = { readonly texts: Texts; readonly later: Readonly<Record<string, () => Promise<unknown>>> }
  type LocaleCode = import('@candor/core/protocol/locales.ts').LocaleCode
  type Lang = import('@candor/core/protocol/locales.ts').Lang
  export const locales: readonly {
    readonly code: LocaleCode
    readonly tag: string
    readonly name: string
    readonly within?: { readonly code: Lang; readonly script: string }
  }[]
  /** By the code of the locale. */
  export const loaders: Readonly<Record<LocaleCode, () => Promise<Language>>>
  /** Areas of texts with files of their own. */
  export const laterAreas: readonly import('./texts.ts').LaterArea[]
}
