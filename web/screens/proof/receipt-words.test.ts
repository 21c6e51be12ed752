import assert from 'node:assert/strict'
import { test } from 'node:test'
import { receiptLine, receiptText } from '@candor/core/proof/receipt.ts'
import { locales } from '@candor/core/protocol/locales.ts'
import { commandFacts } from '../../../server/store/projection/receipts/commands.ts'
import { eventTellings } from '../../../server/store/projection/receipts/events.ts'
import type { Translate } from '../../app/translate.ts'
import { textsOf } from '../../test/person.ts'
import { eventsByWeight, titleOfText, whatOf } from './receipt-words.ts'

const commands = Object.entries(commandFacts).flatMap(([name, facts]) => (facts === 'house' ? [] : [name]))
/** An outcome comes only with a command. */
const events = [...Object.entries(eventTellings).flatMap(([name, told]) => (typeof told === 'string' ? [] : [name])), 'outcome']

function translateOf(code: string): Translate {
  const texts = textsOf(code)
  return (key, values) =>
    (texts.get(key) ?? String(values?.defaultValue ?? key)).replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values?.[name]))
}

/** The title of a receipt in English. */
function titleOf(command: string | undefined, ...names: readonly string[]): string {
  const lines = [
    ...(command === undefined ? [] : [receiptLine('command', command, {})]),
    ...names.map((name) => receiptLine('event', name, {})),
  ]
  return titleOfText(receiptText({ seq: 7, at: 0, user: '100000001' }, lines.join('')), 'convert.filled', translateOf('en'))
}

test('UI-PROOF-009: each command and each event of a customer has a title in every language, and the most telling event gives it', () => {
  assert.ok(commands.includes('spot.place') && events.includes('user.certified') && !commands.includes('index.tick'))
  assert.deepEqual(eventsByWeight.toSorted(), events.toSorted(), 'each event has its weight')
  for (const { code } of locales) {
    const t = translateOf(code)
    for (const name of [...commands, ...events]) {
      const title = whatOf(name, t)
      assert.ok(title !== name && title.trim() !== '', `${code} has no title for ${name}`)
    }
  }
  assert.equal(titleOf('spot.place', 'entry', 'order.accepted', 'traded', 'outcome'), 'Spot order placed')
  assert.equal(titleOf('algo.place', 'algo.placed', 'outcome'), 'TWAP or scaled order placed')
  assert.equal(titleOf(undefined, 'entry', 'traded', 'order.closed', 'entry'), 'Order filled')
  assert.equal(titleOf(undefined, 'entry', 'order.accepted', 'traded', 'perp.position', 'perp.liquidated'), 'Position liquidated')
  assert.equal(titleOf(undefined, 'entry', 'option.settled'), 'Second order settled')
  assert.equal(titleOf(undefined, 'entry', 'entry'), 'Balance changed')
  assert.equal(titleOf(undefined, 'entry', 'something.new'), 'something.new')
  assert.equal(titleOfText('no receipt', 'convert.filled', translateOf('en')), 'Conversion done')
})

test('UI-PROOF-014: a command that was refused has another title than one that was done, in every language', () => {
  const text = (facts: object): string =>
    receiptText({ seq: 7, at: 0, user: '100000001' }, receiptLine('command', 'spot.place', {}) + receiptLine('event', 'outcome', facts))
  const [done, refused] = [text({ order: 7 }), text({ refusal: 'INSUFFICIENT_BALANCE' })]
  assert.equal(titleOfText(refused, '', translateOf('en')), 'Refused: Spot order placed')
  for (const { code } of locales) {
    const t = translateOf(code)
    const [was, none] = [titleOfText(done, '', t), titleOfText(refused, '', t)]
    assert.ok(none.includes(was) && none.length > was.length + 3, `${code}: ${none}`)
  }
})
