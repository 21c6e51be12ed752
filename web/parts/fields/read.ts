/**
 * Text that a person typed or pasted, read as a plain decimal. Understood are the marks of every language of the app. Where a text has
 * two readings (`1,000`), the language decides; a text without a certain reading is none.
 */
export type Marks = { readonly decimal: string; readonly group: string }

/** More digits before the point than any sum or price has. */
const wholeMax = 20

/** Words of magnitude that look like codes of currencies. */
const magnitudes = /(?:MIO|MRD|TSD|BIO|MLN|BLN|MILL|BILL)\.?$/

/**
 * The plain decimal of a text, with its own digits after the point: `1.000,5`, `1'000.5` and `USDT 1 000,5` are `1000.5`. Undefined for
 * a sign, an exponent, other signs, and groups of other than three digits.
 */
export function readNumber(text: string, marks: Marks): string | undefined {
  const bare = withoutCode(
    text
      .normalize('NFKC')
      .replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, '')
      .replace(/。/g, '.')
      .replace(/、/g, ',')
      .replace(/[’‘`´]/g, "'")
      .replace(/\s/g, ' ')
      .trim(),
  )
  if (!/^[\d.,' ]*\d[\d.,' ]*$/.test(bare)) return undefined
  const seen = [...new Set(bare.replace(/\d/g, ''))]
  const last = seen.at(-1)
  if (seen.length > 2) return undefined
  if (last === undefined) return joined(bare, '')
  const cut = bare.lastIndexOf(last)
  const head = bare.slice(0, cut)
  const tail = bare.slice(cut + 1)
  const isOnce = bare.indexOf(last) === cut
  if (seen.length === 2) return isOnce && isPoint(last) ? joinedGroups(head, seen[0]!, tail) : undefined
  const isGrouped = hasGroups(bare, last)
  if (!isOnce || !isPoint(last)) return isGrouped ? joined(bare.replaceAll(last, ''), '') : undefined
  return isGrouped && last === marks.group ? joined(head + tail, '') : joined(head, tail)
}

/** `value` without the digits that `places` does not hold: cut off, never rounded up. */
export function cut(value: string, places: number): string {
  const [whole, part] = value.split('.')
  return part === undefined || places === 0 ? whole! : `${whole}.${part.slice(0, places)}`
}

function withoutCode(text: string): string {
  if (magnitudes.test(text)) return text
  return text.replace(/^(?:\p{Sc}|[A-Z]{3,10}(?![A-Z])) ?/u, '').replace(/ ?(?:\p{Sc}|(?<![A-Z])[A-Z]{3,10})$/u, '')
}

function isPoint(mark: string): boolean {
  return mark === '.' || mark === ','
}

/** Whether all groups after the first have three digits, and the first one to three that don't begin with zero. */
function hasGroups(text: string, mark: string): boolean {
  const [first, ...others] = text.split(mark)
  return /^[1-9]\d{0,2}$/.test(first!) && others.every((group) => /^\d{3}$/.test(group))
}

function joinedGroups(head: string, mark: string, tail: string): string | undefined {
  return hasGroups(head, mark) ? joined(head.replaceAll(mark, ''), tail) : undefined
}

function joined(whole: string, part: string): string | undefined {
  const digits = whole.replace(/^0+(?=\d)/, '') || '0'
  if (digits.length > wholeMax) return undefined
  return part === '' ? digits : `${digits}.${part}`
}
