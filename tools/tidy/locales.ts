/**
 * Checks that every text exists in every language of the table, with the same placeholders and the plural forms that the language
 * needs; that every key is used; and that every used key exists.
 */
import { type Locale, locales } from '@candor/core/protocol/locales.ts'
import { files, text } from './files.ts'

const pluralForm = /_(zero|one|two|few|many|other)$/

export type Texts = ReadonlyMap<string, string>

/** One sentence for each key that is missing, unknown, unused or differently parametrised. */
export function localeFaults(): readonly string[] {
  const english = textsOf('en')
  const others = locales.filter(({ code }) => code !== 'en')
  const faults = others.flatMap((locale) => compare(locale, english, textsOf(locale.code)))
  return [...faults, ...pluralFaults(locales[0], english), ...useFaults(english)]
}

/** Every text of a language by its full key. */
export function textsOf(folder: string): Texts {
  const texts = new Map<string, string>()
  const own = new RegExp(`^web/locales/${folder}/[^/]+\\.json$`)
  for (const path of files(own)) {
    const area = path.split('/').at(-1)?.replace('.json', '') ?? ''
    flatten(JSON.parse(text(path)), area, texts)
  }
  return texts
}

function flatten(value: unknown, prefix: string, into: Map<string, string>): void {
  if (typeof value === 'string') into.set(prefix, value)
  else for (const [key, inner] of Object.entries(value as Record<string, unknown>)) flatten(inner, `${prefix}.${key}`, into)
}

function compare(locale: Locale, english: Texts, own: Texts): readonly string[] {
  const folder = locale.code
  const faults: string[] = []
  const ownBases = new Set([...own.keys()].map(baseOf))
  const englishBases = new Map([...english].map(([key, value]) => [baseOf(key), value]))
  for (const [base, value] of englishBases) {
    if (!ownBases.has(base)) faults.push(`${folder}: ${base} is missing`)
    else {
      for (const [key, translated] of own) {
        if (baseOf(key) !== base || /_(zero|one)$/.test(key)) continue
        if (placeholders(translated) !== placeholders(value)) faults.push(`${folder}: ${key} has other placeholders than en`)
        if (translated.trim() === '' && value.trim() !== '') faults.push(`${folder}: ${key} is empty`)
      }
    }
  }
  for (const base of ownBases) if (!englishBases.has(base)) faults.push(`${folder}: ${base} does not exist in en`)
  return [...faults, ...pluralFaults(locale, own)]
}

function baseOf(key: string): string {
  return key.replace(pluralForm, '')
}

function placeholders(value: string): string {
  return [...new Set([...value.matchAll(/\{\{\s*([\w.]+)[^}]*\}\}/g)].map((match) => match[1]))].sort().join(',')
}

/** One sentence for each counted text that lacks a plural form of its language. */
function pluralFaults({ code: folder, tag }: Locale, own: Texts): readonly string[] {
  const needed = new Intl.PluralRules(tag).resolvedOptions().pluralCategories
  const counted = new Map<string, Set<string>>()
  for (const key of own.keys()) {
    const form = pluralForm.exec(key)?.[1]
    if (form === undefined) continue
    const forms = counted.get(baseOf(key)) ?? new Set()
    counted.set(baseOf(key), forms.add(form))
  }
  return [...counted].flatMap(([base, forms]) =>
    needed.filter((form) => !forms.has(form)).map((form) => `${folder}: ${base} lacks the plural form ${form}`),
  )
}

/** Checks the use of keys. Code writes a key in full, or as a template whose fixed beginning names a group. */
function useFaults(english: Texts): readonly string[] {
  const sources = files(/^web\/(?!locales|dist).*\.tsx?$/).map(text)
  const whole = new Set<string>()
  const groups: string[] = ['refusals.']
  for (const source of sources) {
    for (const match of source.matchAll(/['"`]([a-z][\w-]*(?:\.[\w-]+)+)['"`]/g)) whole.add(match[1] ?? '')
    for (const match of source.matchAll(/`([a-z][\w-]*(?:\.[\w-]*)+)\$\{/g)) groups.push(match[1] ?? '')
  }
  const bases = new Set([...english.keys()].map(baseOf))
  const isUsed = (base: string): boolean => whole.has(base) || groups.some((group) => base.startsWith(group))
  const faults = [...bases].filter((base) => !isUsed(base)).map((base) => `en: ${base} is used nowhere`)
  const areas = new Set([...bases].map((base) => base.split('.')[0]))
  for (const source of sources) {
    for (const match of source.matchAll(/\bt\(\s*['"]([\w.-]+)['"]/g)) {
      const key = match[1] ?? ''
      if (areas.has(key.split('.')[0]) && !bases.has(baseOf(key))) faults.push(`${key} is used but exists in no language`)
    }
  }
  return [...new Set(faults)]
}
