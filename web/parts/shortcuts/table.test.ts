import assert from 'node:assert/strict'
import { test } from 'node:test'
import { capsOf, type Command, commandOf, intervalOf, type Shortcut, shortcuts, type Stroke } from './table.ts'

const stroke = (key: string, code: string, held: Partial<Stroke> = {}): Stroke => ({
  key,
  code,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...held,
})
const shift = { shiftKey: true }

test('UI-SHORTCUT-001: each key has one command, on every layout of a keyboard', () => {
  const cases: readonly (readonly [Stroke, Command | undefined])[] = [
    [stroke('k', 'KeyK', { ctrlKey: true }), 'palette'],
    [stroke('k', 'KeyK', { metaKey: true }), 'palette'],
    [stroke('k', 'KeyK'), undefined],
    [stroke('K', 'KeyK', { ctrlKey: true, shiftKey: true }), undefined],
    [stroke('b', 'KeyB'), 'buy'],
    // Caps lock.
    [stroke('B', 'KeyB'), 'buy'],
    [stroke('s', 'KeyS'), 'sell'],
    [stroke('s', 'KeyS', { ctrlKey: true }), undefined],
    [stroke('S', 'KeyS', shift), undefined],
    [stroke('c', 'KeyC'), undefined],
    [stroke('C', 'KeyC', shift), 'cancel-all'],
    [stroke('C', 'KeyC', { ctrlKey: true, shiftKey: true }), undefined],
    [stroke('[', 'BracketLeft'), 'previous'],
    [stroke(']', 'BracketRight'), 'next'],
    // A German keyboard: AltGr on Windows, AltGr on Linux, and the key at the same place.
    [stroke('[', 'Digit8', { ctrlKey: true, altKey: true }), 'previous'],
    [stroke(']', 'Digit9'), 'next'],
    [stroke('ü', 'BracketLeft'), 'previous'],
    [stroke('?', 'Minus', shift), 'help'],
    [stroke('?', 'Slash', shift), 'help'],
    [stroke('1', 'Digit1'), 'interval-1m'],
    [stroke('7', 'Digit7'), 'interval-1w'],
    [stroke('8', 'Digit8'), undefined],
    [stroke('!', 'Digit1', shift), undefined],
    // A French keyboard has its digits behind Shift.
    [stroke('&', 'Digit1'), 'interval-1m'],
    [stroke('1', 'Digit1', shift), 'interval-1m'],
    // A Greek keyboard.
    [stroke('λ', 'KeyL'), 'link'],
    // An A at the place of the American Q is no Q.
    [stroke('a', 'KeyQ'), undefined],
    [stroke('F6', 'F6'), 'next-pane'],
    [stroke('F6', 'F6', shift), 'previous-pane'],
    [stroke('Enter', 'Enter'), 'send'],
    [stroke('Enter', 'NumpadEnter', shift), undefined],
    [stroke('Escape', 'Escape'), 'leave'],
  ]
  for (const [pressed, command] of cases) assert.equal(commandOf(pressed), command, JSON.stringify(pressed))
})

test('UI-SHORTCUT-001: no key stands for two commands', () => {
  const keys = shortcuts.map(({ key, isShifted = false, isWithCtrl = false }) => `${key} ${isShifted} ${isWithCtrl}`)
  assert.equal(new Set(keys).size, shortcuts.length)
  assert.equal(new Set(shortcuts.map(({ command }) => command)).size, shortcuts.length)
})

test('UI-SHORTCUT-001: keys are named as they are printed', () => {
  const of = (command: Command): Shortcut => shortcuts.find((one) => one.command === command) as Shortcut
  assert.deepEqual(capsOf(of('palette'), false), ['Ctrl', 'K'])
  assert.deepEqual(capsOf(of('palette'), true), ['⌘', 'K'])
  assert.deepEqual(capsOf(of('previous-pane'), false), ['Shift', 'F6'])
  assert.deepEqual(capsOf(of('leave'), false), ['Esc'])
  assert.equal(intervalOf('interval-4h'), '4h')
  assert.equal(intervalOf('buy'), undefined)
})
