/** The chosen language and its texts: one chunk per language, loaded when it is chosen. */
import type { Lang, LocaleCode } from '@candor/core/protocol/locales.ts'
import { laterAreas, loaders, locales } from 'virtual:locales'
import { create } from 'zustand'
import type { Areas } from '../locales/keys.ts'
import { keptSettings, set, useSettings } from './settings.ts'
import { addTexts, fetchAreasWith, hasTexts, showLanguage } from './translate.ts'

/** The languages that can be chosen, in the table's order. */
export const langs = locales.filter(({ within }) => within === undefined).map(({ code }) => code as Lang)

/** An area of texts with its own file, so that a first load is smaller. */
export type LaterArea = Exclude<keyof Areas, 'common' | 'fields' | 'market' | 'shell' | 'trade'>

/** A language's file: its first texts, and loaders for its other areas. */
type Language = Awaited<ReturnType<(typeof loaders)[LocaleCode]>>

/** Languages whose file is loaded. */
const loaded = new Map<LocaleCode, Language>()

/**
 * The shown language: `lang` as stored with accounts, `locale` with its script. `locale` and `tag` are set together with the texts,
 * never before them.
 */
export const useLang = create<{ readonly lang: Lang; readonly locale: LocaleCode; readonly tag: string }>(() => ({
  lang: keptLang(),
  locale: 'en',
  tag: 'en',
}))

/** Loads the stored language, or English if its file can't be loaded. */
export async function startTexts(): Promise<void> {
  const lang = keptLang()
  try {
    await show(lang, localeOf(lang, useSettings.getState().chinese))
  } catch {
    await show('en', 'en')
  }
}

/** Switches the language and stores the choice under `lang`. Throws and changes nothing if the texts can't be loaded. */
export async function chooseLang(lang: Lang, chinese: 'hant' | 'hans' = useSettings.getState().chinese): Promise<void> {
  const locale = localeOf(lang, chinese)
  await change(lang, locale)
  set({ chinese })
  try {
    localStorage.setItem('lang', lang)
  } catch {}
}

/** Follows the language that another page of the app chooses, which has stored it. Shows the old one if the texts can't be loaded. */
export function followLanguage(): void {
  const follow = async (): Promise<void> => {
    const [lang, { chinese }] = [keptLang(), keptSettings()]
    const locale = localeOf(lang, chinese)
    if (locale === useLang.getState().locale) return
    await change(lang, locale)
    useSettings.setState({ chinese })
    // Another one may have been chosen while these texts were loading.
    await follow()
  }
  addEventListener('storage', ({ key }) => {
    if (key === 'lang' || key === 'settings') follow().catch(() => undefined)
  })
}

async function change(lang: Lang, locale: LocaleCode): Promise<void> {
  await addLanguage(locale)
  // Open screens don't load their texts again, so their areas are loaded now in the new language.
  const { tag } = useLang.getState()
  await Promise.all(laterAreas.filter((area) => hasTexts(tag, area)).map((area) => addArea(locale, area)))
  await show(lang, locale)
}

/** Loads an area of texts in the shown language. Screens name their areas in `routes.ts`. */
export function loadArea(area: LaterArea): Promise<void> {
  return addArea(useLang.getState().locale, area)
}

const asked = new Set<string>()

// The first use of a text fetches its area. An area that failed to load is fetched again by a render some seconds later.
fetchAreasWith((area) => {
  const known = laterAreas.find((one) => one === area)
  if (known === undefined) return false
  const { locale } = useLang.getState()
  const name = `${locale}/${known}`
  if (!asked.has(name)) {
    asked.add(name)
    addArea(locale, known).catch(() => setTimeout(() => asked.delete(name), 3_000))
  }
  return true
})

async function addLanguage(locale: LocaleCode): Promise<void> {
  if (loaded.has(locale)) return
  const language = await loaders[locale]()
  loaded.set(locale, language)
  addTexts(tagOf(locale), language.texts)
}

async function addArea(locale: LocaleCode, area: LaterArea): Promise<void> {
  const load = loaded.get(locale)?.later[area]
  if (load !== undefined && !hasTexts(tagOf(locale), area)) addTexts(tagOf(locale), { [area]: await load() })
}

async function show(lang: Lang, locale: LocaleCode): Promise<void> {
  const tag = tagOf(locale)
  await addLanguage(locale)
  showLanguage(tag)
  document.documentElement.lang = tag
  useLang.setState({ lang, locale, tag })
  // Texts of refusals are rarely needed at the start. A refusal that is shown earlier loads them.
  setTimeout(() => void loadArea('refusals').catch(() => undefined), 1_500)
}

/** The BCP 47 tag of a locale. */
export function tagOf(locale: LocaleCode): string {
  return lineOf(locale).tag
}

/** The name of each language in that language. */
export function nameOf(locale: LocaleCode): string {
  return lineOf(locale).name
}

function lineOf(locale: LocaleCode): (typeof locales)[number] {
  return locales.find(({ code }) => code === locale) as (typeof locales)[number]
}

/** The locale of a language in a script: `hk` in `hans` is `hk-hans`. */
function localeOf(lang: Lang, script: string): LocaleCode {
  return locales.find(({ within }) => within?.code === lang && within.script === script)?.code ?? lang
}

function keptLang(): Lang {
  try {
    const kept = localStorage.getItem('lang')
    return langs.find((lang) => lang === kept) ?? 'en'
  } catch {
    return 'en'
  }
}
