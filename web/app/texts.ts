/** Languages: which there are, which is on, and its texts. One chunk per language, loaded when it is chosen. */
import { create } from 'zustand'
import { set, useSettings } from './settings.ts'
import { addTexts, fetchAreasWith, hasTexts, showLanguage } from './translate.ts'

export const langs = ['en', 'hk', 'ca', 'de', 'fr', 'it', 'pt'] as const
export type Lang = (typeof langs)[number]
/** A folder of `locales/`: `hk` is Traditional Chinese, `hk-hans` the Simplified variant inside it. */
export type Variant = Lang | 'hk-hans'
export type Texts = Readonly<Record<string, unknown>>

/** BCP 47. `ca` holds Spanish. */
export const tags: Readonly<Record<Variant, string>> = {
  en: 'en',
  hk: 'zh-Hant-HK',
  'hk-hans': 'zh-Hans',
  ca: 'es',
  de: 'de',
  fr: 'fr',
  it: 'it',
  pt: 'pt',
}

/** A language's file: what comes with it, and how each other area of it comes. */
type Language = { readonly texts: Texts; readonly later: Readonly<Record<string, () => Promise<unknown>>> }

const loaders: Readonly<Record<Variant, () => Promise<Language>>> = {
  en: () => import('../locales/en.ts'),
  hk: () => import('../locales/hk.ts'),
  'hk-hans': () => import('../locales/hk-hans.ts'),
  ca: () => import('../locales/ca.ts'),
  de: () => import('../locales/de.ts'),
  fr: () => import('../locales/fr.ts'),
  it: () => import('../locales/it.ts'),
  pt: () => import('../locales/pt.ts'),
}
/** Areas that come on their own, so that a first load carries less. */
const laterAreas = [
  'about',
  'admission',
  'agreement',
  'apikeys',
  'assets',
  'auth',
  'certify',
  'chart',
  'closed',
  'home',
  'margin',
  'markets',
  'me',
  'option',
  'orders',
  'perp',
  'positions',
  'practice',
  'records',
  'refusals',
  'setting',
  'settled',
  'webhooks',
] as const
export type LaterArea = (typeof laterAreas)[number]

/** Languages whose file is there. */
const loaded = new Map<Variant, Language>()

/** The language that is shown now. `variant` and `tag` are set together with the texts, never before them. */
export const useLang = create<{ readonly lang: Lang; readonly variant: Variant; readonly tag: string }>(() => ({
  lang: keptLang(),
  variant: 'en',
  tag: 'en',
}))

/** Loads the kept language. English stands in when its file can't be had. */
export async function startTexts(): Promise<void> {
  const lang = keptLang()
  try {
    await show(lang, variantOf(lang))
  } catch {
    await show('en', 'en')
  }
}

/** Switches at once and keeps the choice under `lang`. Throws when the texts can't be loaded; then nothing changes. */
export async function chooseLang(lang: Lang, chinese: 'hant' | 'hans' = useSettings.getState().chinese): Promise<void> {
  const variant = lang === 'hk' && chinese === 'hans' ? 'hk-hans' : lang
  await addLanguage(variant)
  // Screens that were opened before don't load their texts again: what they had comes now in the other language.
  const { tag } = useLang.getState()
  await Promise.all(laterAreas.filter((area) => hasTexts(tag, area)).map((area) => addArea(variant, area)))
  await show(lang, variant)
  set({ chinese })
  try {
    localStorage.setItem('lang', lang)
  } catch {}
}

/** Adds an area of texts in the language that is shown. Screens name those that they need in `routes.ts`. */
export function loadArea(area: LaterArea): Promise<void> {
  return addArea(useLang.getState().variant, area)
}

const asked = new Set<string>()

// Whatever asks for a text fetches its area. One that can't be had is asked for again with a render some seconds later.
fetchAreasWith((area) => {
  const known = laterAreas.find((one) => one === area)
  if (known === undefined) return false
  const { variant } = useLang.getState()
  const name = `${variant}/${known}`
  if (!asked.has(name)) {
    asked.add(name)
    addArea(variant, known).catch(() => setTimeout(() => asked.delete(name), 3_000))
  }
  return true
})

async function addLanguage(variant: Variant): Promise<void> {
  if (loaded.has(variant)) return
  const language = await loaders[variant]()
  loaded.set(variant, language)
  addTexts(tags[variant], language.texts)
}

async function addArea(variant: Variant, area: LaterArea): Promise<void> {
  const load = loaded.get(variant)?.later[area]
  if (load !== undefined && !hasTexts(tags[variant], area)) addTexts(tags[variant], { [area]: await load() })
}

async function show(lang: Lang, variant: Variant): Promise<void> {
  const tag = tags[variant]
  await addLanguage(variant)
  showLanguage(tag)
  document.documentElement.lang = tag
  useLang.setState({ lang, variant, tag })
  // Refusals are seldom needed at once; the first one that is shown sooner fetches them.
  setTimeout(() => void loadArea('refusals').catch(() => undefined), 1_500)
}

function variantOf(lang: Lang): Variant {
  return lang === 'hk' && useSettings.getState().chinese === 'hans' ? 'hk-hans' : lang
}

function keptLang(): Lang {
  try {
    const kept = localStorage.getItem('lang')
    return langs.find((lang) => lang === kept) ?? 'en'
  } catch {
    return 'en'
  }
}
