/** Texts in the encodings of a file's fonts, and their widths. */

/** Widths of Helvetica's characters from space to tilde, in thousandths of the font's size. */
const widths = [
  ...[278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556, 556],
  ...[556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778],
  ...[667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556],
  ...[556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584],
] as const
/** Characters outside Latin-1 that the encoding has, and what stands for others. */
const latin = new Map<string, number>([
  ...([
    ['€', 0x80],
    ['…', 0x85],
    ['‘', 0x91],
    ['’', 0x92],
    ['“', 0x93],
    ['”', 0x94],
    ['•', 0x95],
    ['–', 0x96],
    ['—', 0x97],
  ] as const),
  ...([
    ['\u202f', 0xa0],
    ['\u2009', 0xa0],
    ['−', 0x2d],
  ] as const),
])
const question = 0x3f

/** A piece of text in one font. */
export type Run = { readonly isWide: boolean; readonly hex: string; readonly width: number }

/** Characters that were drawn before. The texts of statements have some hundred; any text may come in names. */
const drawn = new Map<string, Run>()
const drawnMax = 4_096

/** Pieces of a text: Chinese characters and their punctuation are wide, all others are Latin. Widths are in thousandths of the size. */
export function runsOf(text: string): readonly Run[] {
  const runs: { isWide: boolean; hex: string; width: number }[] = []
  let run: (typeof runs)[number] | undefined
  for (const character of text) {
    const { isWide, hex: code, width } = drawnOf(character)
    if (run?.isWide !== isWide) runs.push((run = { isWide, hex: '', width: 0 }))
    run.hex += code
    run.width += width
  }
  return runs
}

export function widthOfText(text: string): number {
  let sum = 0
  for (const character of text) sum += drawnOf(character).width
  return sum
}

function drawnOf(character: string): Run {
  const known = drawn.get(character)
  if (known !== undefined) return known
  const isWide = isWideCharacter(character)
  const made = {
    isWide,
    hex: isWide ? hex(character.codePointAt(0) as number, 4) : hex(latinOf(character), 2),
    width: isWide ? 1_000 : widthOf(character),
  }
  if (drawn.size >= drawnMax) drawn.clear()
  drawn.set(character, made)
  return made
}

/** CJK ideographs, their punctuation, and full-width forms, all in the basic plane. */
function isWideCharacter(character: string): boolean {
  const code = character.codePointAt(0) as number
  return (code >= 0x2e80 && code <= 0x9fff) || (code >= 0xf900 && code <= 0xfaff) || (code >= 0xff00 && code <= 0xffef)
}

function latinOf(character: string): number {
  const code = character.codePointAt(0) as number
  const known = latin.get(character)
  if (known !== undefined) return known
  return (code >= 0x20 && code < 0x7f) || (code >= 0xa0 && code <= 0xff) ? code : question
}

/** Letters with a mark are as wide as those without; what is not in the table is as wide as a digit. */
function widthOf(character: string): number {
  const base = character === '−' ? '-' : /\s/u.test(character) ? ' ' : character.normalize('NFD').charAt(0)
  return widths[base.charCodeAt(0) - 0x20] ?? 556
}

const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, '0')
