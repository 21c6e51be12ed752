/** All keys of the trading terminal. Help, palette and listener read this one table. */
import type { Interval } from '@candor/core/protocol/market.ts'
import type { Key } from '../../app/translate.ts'

/** The intervals of the keys 1 to 7. */
export const keyIntervals = ['1m', '5m', '15m', '1h', '4h', '1d', '1w'] as const satisfies readonly Interval[]

export type Command =
  | ('palette' | 'help' | 'buy' | 'sell' | 'send' | 'leave' | 'cancel-all' | 'previous' | 'next' | 'next-pane' | 'previous-pane' | 'link')
  | `interval-${(typeof keyIntervals)[number]}`

export type Shortcut = {
  readonly command: Command
  /** As `nameOf` names it. */
  readonly key: string
  readonly isShifted?: boolean
  /** With Ctrl, or ⌘ on a Mac. */
  readonly isWithCtrl?: boolean
  readonly text: Key
}

export const shortcuts: readonly Shortcut[] = [
  { command: 'palette', key: 'k', isWithCtrl: true, text: 'shortcuts.does.palette' },
  { command: 'buy', key: 'b', text: 'shortcuts.does.buy' },
  { command: 'sell', key: 's', text: 'shortcuts.does.sell' },
  { command: 'send', key: 'Enter', text: 'shortcuts.does.send' },
  { command: 'leave', key: 'Escape', text: 'shortcuts.does.leave' },
  { command: 'cancel-all', key: 'c', isShifted: true, text: 'shortcuts.does.cancelAll' },
  { command: 'previous', key: '[', text: 'shortcuts.does.previous' },
  { command: 'next', key: ']', text: 'shortcuts.does.next' },
  ...keyIntervals.map((interval, at): Shortcut => {
    return { command: `interval-${interval}`, key: String(at + 1), text: 'shortcuts.does.interval' }
  }),
  { command: 'link', key: 'l', text: 'shortcuts.does.link' },
  { command: 'next-pane', key: 'F6', text: 'shortcuts.does.nextPane' },
  { command: 'previous-pane', key: 'F6', isShifted: true, text: 'shortcuts.does.previousPane' },
  { command: 'help', key: '?', text: 'shortcuts.does.help' },
]

/** The part of a keyboard event that says what was pressed. */
export type Stroke = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/** Characters that some layouts have only with Shift or AltGr. */
const isSign = (name: string): boolean => name === '[' || name === ']' || name === '?'

export function commandOf(stroke: Stroke): Command | undefined {
  const name = nameOf(stroke)
  const { ctrlKey, metaKey, altKey, shiftKey } = stroke
  // Windows sends AltGr as Ctrl and Alt.
  const isPlain = !metaKey && (isSign(name) ? ctrlKey === altKey || altKey : !ctrlKey && !altKey)
  const isWithCtrl = ctrlKey !== metaKey && !altKey && !shiftKey
  const isAnyShift = isSign(name) || /^\d$/.test(name)
  return shortcuts.find((one) => {
    if (one.key !== name) return false
    if (one.isWithCtrl === true) return isWithCtrl
    return isPlain && (isAnyShift || shiftKey === (one.isShifted === true))
  })?.command
}

/** The key by its character. Where a layout has other characters there, such as Greek letters or French digits, by its place. */
function nameOf({ key, code, shiftKey }: Stroke): string {
  if (/^[a-z]$/i.test(key)) return key.toLowerCase()
  const place = /^(Key|Digit|Bracket)(\w+)$/.exec(code)
  const isForeign = key === 'Dead' || /[^\u0020-\u007e]/.test(key)
  if (place === null || isSign(key) || /^\d$/.test(key)) return key
  if (place[1] === 'Digit') return shiftKey ? key : (place[2] ?? key)
  if (!isForeign) return key
  return place[1] === 'Bracket' ? (place[2] === 'Left' ? '[' : ']') : (place[2] ?? '').toLowerCase()
}

/** What is printed on the keys of a shortcut, in the order in which they are pressed. */
export function capsOf({ key, isShifted, isWithCtrl }: Shortcut, isMac: boolean): readonly string[] {
  const names: Readonly<Record<string, string>> = { Escape: 'Esc' }
  const cap = names[key] ?? (key.length === 1 ? key.toUpperCase() : key)
  return [...(isWithCtrl === true ? [isMac ? '⌘' : 'Ctrl'] : []), ...(isShifted === true ? [isMac ? '⇧' : 'Shift'] : []), cap]
}

/** The interval of a key from 1 to 7. */
export function intervalOf(command: Command): Interval | undefined {
  return keyIntervals.find((interval) => command === `interval-${interval}`)
}
