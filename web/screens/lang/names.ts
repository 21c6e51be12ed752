import type { Variant } from '../../app/texts.ts'

/** Each language in its own words: whoever looks for theirs can't read the others. */
export const langNames: Readonly<Record<Variant, string>> = {
  en: 'English',
  hk: '繁體中文',
  'hk-hans': '简体中文',
  ca: 'Español',
  de: 'Deutsch',
  fr: 'Français',
  it: 'Italiano',
  pt: 'Português',
}
