/** The text of a number field after an edit, with the place of the caret. */
import { cut, type Marks, readNumber } from './read.ts'

/** `isOurs`: the field grouped the digits, the person did not. Then its groups mean nothing once a digit is added or deleted. */
export type Shown = { readonly text: string; readonly isOurs: boolean }

export type Edited = { readonly value: string; readonly text: string; readonly caret: number; readonly isOurs: boolean }

/**
 * An edit that left `text` in the field, with the caret behind what was added. Text that was added at once (pasted, filled in) is cut to
 * `places` and shown grouped by `group`; what is typed stays as typed, and a digit too many is not taken. Undefined for an edit that
 * gives no number: the field stays as it was. `isWhole`: the edit replaced the whole text.
 */
export function edited(
  before: Shown,
  {
    text,
    caret,
    isForward = false,
    isWhole: replacesAll = false,
  }: { readonly text: string; readonly caret: number; readonly isForward?: boolean; readonly isWhole?: boolean },
  { marks, places, group }: { readonly marks: Marks; readonly places: number; readonly group: (value: string) => string },
): Edited | undefined {
  if (text === '') return { value: '', text: '', caret: 0, isOurs: false }
  const tail = before.text.endsWith(text.slice(caret)) ? text.slice(caret) : ''
  const headLength = common(before.text.slice(0, before.text.length - tail.length), text.slice(0, text.length - tail.length))
  const added = text.slice(headLength, text.length - tail.length)
  // What the old and the new text have in common may be chance, so added marks and signs are read with everything around them.
  if (replacesAll || (added.length > 1 && !/^\d+$/.test(added))) return pasted(text)
  if (added.length > 1 && headLength === 0 && tail === '') return pasted(text)
  const removed = before.text.slice(headLength, before.text.length - tail.length)
  let head = text.slice(0, headLength)
  let rest = tail
  if (before.isOurs) {
    // Deleting a mark that the field has set deletes the digit beside it, or the key would do nothing.
    if (added === '' && removed === marks.group) [head, rest] = isForward ? [head, rest.slice(1)] : [head.slice(0, -1), rest]
    head = head.replaceAll(marks.group, '')
    rest = rest.replaceAll(marks.group, '')
  }
  const middle = added.normalize('NFKC').replace('。', '.')
  const next = head + middle + rest
  if (next === '') return { value: '', text: '', caret: 0, isOurs: false }
  const value = readTyped(next, head.length + middle.length)
  return value === undefined ? undefined : { value, text: next, caret: head.length + middle.length, isOurs: false }

  function pasted(all: string): Edited | undefined {
    const read = readNumber(all, marks)
    // A trailing mark may be the end of a number that is being typed by a program, key by key.
    if (read === undefined)
      return /^\d+[.,]$/.test(all) && places > 0 ? { value: all.slice(0, -1), text: all, caret: all.length, isOurs: false } : undefined
    const value = cut(read, places)
    const grouped = group(value)
    return { value, text: grouped, caret: grouped.length, isOurs: true }
  }

  function readTyped(typed: string, at: number): string | undefined {
    if (typed === '.' || typed === ',') return places > 0 ? '0' : undefined
    const isOpen = /[.,' \u00a0\u202f]$/.test(typed) && at === typed.length
    const read = readNumber(isOpen ? typed.slice(0, -1) : typed, marks) ?? readUnfinished(typed)
    if (read === undefined) return undefined
    const mark = typed.at(-1)!
    const beginsGroup = mark === marks.group && isWhole(typed.slice(0, -1))
    if (isOpen) return beginsGroup || (places > 0 && (mark === '.' || mark === ',') && !read.includes('.')) ? read : undefined
    const short = cut(read, places)
    // Digits behind the mark of groups may still become a group of three.
    const isGroupBegun = typed.lastIndexOf(marks.group) >= typed.length - 3 && typed.includes(marks.group)
    return short === read || isGroupBegun ? short : undefined
  }

  /** The digits before a group that is not complete yet: `1,000,0` on the way to `1,000,000`. */
  function readUnfinished(typed: string): string | undefined {
    const last = typed.lastIndexOf(marks.group)
    return last > 0 && typed.length - last <= 3 && isWhole(typed.slice(0, last)) ? readNumber(typed.slice(0, last), marks) : undefined
  }

  function isWhole(head: string): boolean {
    return head.split(marks.group).every((group, at) => (at === 0 ? /^[1-9]\d{0,2}$/ : /^\d{3}$/).test(group))
  }
}

function common(one: string, other: string): number {
  let length = 0
  while (length < one.length && length < other.length && one[length] === other[length]) length++
  return length
}
