/**
 * Texts by key: `t('home.total')`, `t('auth.resendIn', { wait })`. Keys are checked by the compiler; `tools/tidy`
 * checks that every language has them with the same placeholders and the plural forms that it needs.
 */
import { useSyncExternalStore } from 'react'
import type { Areas } from '../locales/keys.ts'

type Leaves<Node, Prefix extends string = ''> = {
  [Name in keyof Node & string]: Node[Name] extends string ? `${Prefix}${Singular<Name>}` : Leaves<Node[Name], `${Prefix}${Name}.`>
}[keyof Node & string]
/** The key without its plural suffix: `orders_one` and `orders_other` are used as `orders`, with a `count`. */
type Singular<Name extends string> = Name extends `${infer Base}_${'zero' | 'one' | 'two' | 'few' | 'many' | 'other'}` ? Base : Name

export type Key = Leaves<Areas>
export type Values = Readonly<Record<string, string | number | undefined>>
/** Returns the text in the chosen language with its placeholders filled. `defaultValue` is for a key that may not exist. */
export type Translate = (key: Key, values?: Values) => string

export type Translation = { readonly t: Translate; readonly i18n: { readonly language: string } }

type Texts = { readonly [name: string]: string | Texts }

const listeners = new Set<() => void>()
const catalogues = new Map<string, Texts>()
let fetchArea: (area: string) => boolean = () => false
let current: Translation = { t: translator(() => ({}), 'en', isComing), i18n: { language: 'en' } }

/** The texts of the chosen language. Renders again when it changes. */
export function useTranslation(): Translation {
  return useSyncExternalStore(subscribe, () => current)
}

/** For texts outside of components. */
export function translate(key: Key, values?: Values): string {
  return current.t(key, values)
}

/** Whether a language, or one area of it, is loaded. */
export function hasTexts(tag: string, area?: string): boolean {
  const texts = catalogues.get(tag)
  return texts !== undefined && (area === undefined || area in texts)
}

/** Sets the function that is called when a text of a missing area is used. It returns whether it loads that area. */
export function fetchAreasWith(fetch: (area: string) => boolean): void {
  fetchArea = fetch
}

/** Adds areas of texts to a language, and renders its texts again. */
export function addTexts(tag: string, areas: Readonly<Record<string, unknown>>): void {
  catalogues.set(tag, { ...catalogues.get(tag), ...(areas as Texts) })
  if (tag === current.i18n.language) showLanguage(tag)
}

/** Shows a language whose texts are loaded. */
export function showLanguage(tag: string): void {
  current = { t: translator(() => catalogues.get(tag) ?? {}, tag, isComing), i18n: { language: tag } }
  for (const listener of listeners) listener()
}

/**
 * `t` of one language. A counted text takes the plural form of the language. A text that is missing in its area shows its key. While
 * an area is still loading (`comes` returns true), its texts are empty, so that no key is shown.
 */
export function translator(texts: () => Texts, tag: string, comes: (area: string) => boolean = () => false): Translate {
  const plurals = new Intl.PluralRules(tag)
  return (key, values) => {
    const count = values?.count
    const forms = typeof count === 'number' ? [`${key}_${plurals.select(count)}`, `${key}_other`, key] : [key]
    let text: string | undefined
    for (const form of forms) text ??= find(texts(), form)
    if (text === undefined) {
      const [area = ''] = key.split('.')
      const isLater = !(area in texts()) && comes(area)
      return typeof values?.defaultValue === 'string' ? values.defaultValue : isLater ? '' : key
    }
    return values === undefined ? text : text.replace(/\{\{\s*(\w+)\s*\}\}/g, (_, name: string) => String(values[name] ?? ''))
  }
}

function isComing(area: string): boolean {
  return fetchArea(area)
}

function find(texts: Texts, key: string): string | undefined {
  let node: string | Texts | undefined = texts
  for (const part of key.split('.')) node = typeof node === 'object' ? node[part] : undefined
  return typeof node === 'string' ? node : undefined
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
