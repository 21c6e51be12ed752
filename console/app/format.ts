/** Times, ages and numbers. Times are UTC, so that two members at different places speak of the same minute. */
const tag = 'en-GB'
const day = new Intl.DateTimeFormat(tag, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
const clock = new Intl.DateTimeFormat(tag, { hour: '2-digit', minute: '2-digit', second: '2-digit', timeZone: 'UTC' })
const short = new Intl.DateTimeFormat(tag, { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' })
const today = new Intl.DateTimeFormat(tag, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
const regions = new Intl.DisplayNames('en', { type: 'region' })
const languages = new Intl.DisplayNames('en', { type: 'language' })
const counts = new Intl.NumberFormat('en')

const minute = 60_000
const hour = 60 * minute

export const dateOf = (at: number): string => day.format(at)
/** `27 Nov 2026, 14:05:09` */
export const timeOf = (at: number): string => `${day.format(at)}, ${clock.format(at)}`
export const clockOf = (at: number): string => clock.format(at)
export const shortOf = (at: number): string => short.format(at)
export const todayOf = (at: number): string => today.format(at)
export const countOf = (count: number): string => counts.format(count)
export const regionOf = (code: string): string => regions.of(code) ?? code
/** A date of birth, YYYY-MM-DD. */
export const bornOf = (date: string): string => day.format(Date.parse(`${date}T00:00:00Z`))

/** `12 s`, `41 min`, `3 h 12 min`, `5 d 2 h`. Never negative. */
export function ageOf(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
  const days = Math.floor(hours / 24)
  return hours % 24 === 0 ? `${days} d` : `${days} d ${hours % 24} h`
}

/** The same without its smaller unit: `12 s`, `41 min`, `3 h`, `5 d`. */
export const shortAgeOf = (ms: number): string => ageOf(ms).split(' ').slice(0, 2).join(' ')

/** Whole years between a date of birth and a moment. */
export function yearsOf(born: string, at: number): number {
  const [year = 0, month = 1, date = 1] = born.split('-').map(Number)
  const now = new Date(at)
  const hasHadBirthday = now.getUTCMonth() + 1 > month || (now.getUTCMonth() + 1 === month && now.getUTCDate() >= date)
  return now.getUTCFullYear() - year - (hasHadBirthday ? 0 : 1)
}

/** The app's codes of languages as a reader knows them: `ca` has Spanish texts, `hk` traditional Chinese ones. */
export function languageOf(lang: string): string {
  const tags: Readonly<Record<string, string>> = { hk: 'zh-Hant', 'hk-hans': 'zh-Hans', ca: 'es' }
  return languages.of(tags[lang] ?? lang) ?? lang
}

export const hours = (count: number): number => count * hour

/**
 * Decimal text with its thousands apart. `digits`: at most so many decimals, cut off and not rounded, so that no sum looks larger than
 * it is.
 */
export function amountOf(text: string, digits?: number): string {
  const [whole = '', rest = ''] = text.replace('-', '').split('.')
  const shown = digits === undefined ? rest : rest.slice(0, digits).padEnd(digits, '0')
  const sum = `${whole.replace(/\B(?=(\d{3})+$)/g, ',')}${shown === '' ? '' : `.${shown}`}`
  return text.startsWith('-') && /[1-9]/.test(sum) ? `−${sum}` : sum
}

/** Money with a sign, for results. */
export const resultOf = (text: string, digits = 2): string => (/^-|^[0.]+$/.test(text) ? '' : '+') + amountOf(text, digits)

/** A ratio such as `0.8231` in percent with one digit: `82.3%`. */
export const shareOf = (share: number): string => `${(share * 100).toFixed(1)}%`

const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const
/** A size in bytes: `1.4 GB`. */
export function sizeOf(bytes: number): string {
  const at = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  return `${(bytes / 1_000 ** at).toFixed(at === 0 ? 0 : 1)} ${units[at]}`
}

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 })
/** A sum in few letters: `8.42M`, `6,910`, `0.25`. Whole numbers below ten thousand are exact. */
export function compactOf(text: string): string {
  const value = Number(text)
  if (Math.abs(value) >= 10_000) return compact.format(value).replace('-', '−')
  return amountOf(text, Number.isInteger(value) ? 0 : 2)
}

const weekday = new Intl.DateTimeFormat(tag, { weekday: 'long', timeZone: 'UTC' })
export const weekdayOf = (at: number): string => weekday.format(at)
