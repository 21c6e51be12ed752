import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TerminalLayout, terminalPanes } from '@candor/core/protocol/wire/own/preferences.ts'
import { type Arrangement, arrange, arrangeTablet, onDesk, resized, swapped, toggledPane, usualTerminal } from './arrange.ts'

const wide = { width: 1432, height: 752 }
const cellOf = ({ panes }: Arrangement, name: string): string => {
  const found = panes.find(({ pane }) => pane === name)
  return found === undefined ? 'none' : `${found.column.join('-')} ${found.row.join('-')}`
}
const hiding = (...hidden: TerminalLayout['hidden']): TerminalLayout => ({ ...usualTerminal, hidden })

test('the usual layout has four columns, and the account ends on the line of the orders', () => {
  const found = arrange(usualTerminal, wide)
  assert.equal(found.columns, '216px minmax(0, 1fr) 268px 296px')
  assert.deepEqual(
    terminalPanes.map((pane) => cellOf(found, pane)),
    ['1-2 1-2', '1-2 2-3', '2-3 1-3', '3-4 1-3', '4-5 1-3', '1-4 3-4', '4-5 3-4'],
  )
})

test('from 1,600 pixels trades have a column beside the book', () => {
  const found = arrange(usualTerminal, { width: 1912, height: 900 })
  assert.equal(found.columns, '216px minmax(0, 1fr) 268px 220px 296px')
  assert.equal(cellOf(found, 'trades'), '4-5 1-3')
  assert.equal(cellOf(found, 'markets'), '1-2 1-3')
})

test('as a narrow bar, and where the chart would be under 400 pixels, the markets leave the trades to the book', () => {
  for (const found of [
    arrange({ ...usualTerminal, isRail: true }, wide),
    arrange(resized(resized(usualTerminal, 'markets', 400), 'ticket', 480), { width: 1280, height: 700 }),
  ]) {
    assert.match(found.columns, /^40px /)
    assert.equal(cellOf(found, 'book'), '3-4 1-2')
    assert.equal(cellOf(found, 'trades'), '3-4 2-3')
    assert.equal(found.panes.find(({ pane }) => pane === 'markets')?.isRail, true)
  }
})

test('a hidden pane gives its room away, and each pane that is shown has a cell of its own', () => {
  for (let set = 0; set < 2 ** terminalPanes.length - 1; set += 1) {
    const hidden = terminalPanes.filter((_, index) => (set >> index) % 2 === 1)
    for (const width of [1272, 1432, 1912]) {
      for (const isRail of [false, true]) {
        const found = arrange({ ...hiding(...hidden), isRail }, { width, height: 752 })
        const columns = found.columns.split(/ (?![^(]*\))/).length
        const rows = found.rows.split(/ (?![^(]*\))/).length
        const cells = new Set<string>()
        for (const { pane, column, row } of found.panes) {
          assert.ok(column[0] >= 1 && column[1] <= columns + 1 && column[0] < column[1], `${pane} of ${hidden.join()}: ${column}`)
          assert.ok(row[0] >= 1 && row[1] <= Math.max(rows, 3) + 1 && row[0] < row[1], `${pane} of ${hidden.join()}: ${row}`)
          for (let x = column[0]; x < column[1]; x += 1) {
            for (let y = row[0]; y < row[1]; y += 1) {
              assert.ok(!cells.has(`${x} ${y}`), `two panes at ${x} ${y} without ${hidden.join()}, ${width} ${isRail}`)
              cells.add(`${x} ${y}`)
            }
          }
        }
        assert.equal(found.panes.length, terminalPanes.length - hidden.length)
        assert.equal(found.columns.match(/1fr/g)?.length, 1, `${hidden.join()}: ${found.columns}`)
      }
    }
  }
})

test('sizes stay between what can be used and what leaves the chart 400 pixels', () => {
  const found = arrange(resized(resized(usualTerminal, 'book', 90), 'ticket', 2000), wide)
  assert.equal(found.columns, '216px minmax(0, 1fr) 220px 480px')
  const usual = arrange(usualTerminal, wide)
  const book = usual.handles.find(({ size }) => size === 'book')
  assert.deepEqual([book?.now, book?.min, book?.max], [268, 220, 268 + 1432 - 216 - 268 - 296 - 12 - 400])
  assert.deepEqual(usual.handles.map(({ size }) => size).toSorted(), ['below', 'book', 'markets', 'orders', 'ticket'])
})

test('panes change their places and the last one can’t be hidden', () => {
  const found = arrange(swapped(usualTerminal, 'book', 'markets'), wide)
  assert.equal(cellOf(found, 'markets'), '3-4 1-3')
  assert.equal(cellOf(found, 'book'), '1-2 1-2')
  let layout = usualTerminal
  for (const pane of terminalPanes) layout = toggledPane(layout, pane)
  assert.deepEqual(layout.hidden, terminalPanes.slice(0, -1))
  assert.deepEqual(
    toggledPane(layout, 'chart').hidden,
    layout.hidden.filter((pane) => pane !== 'chart'),
  )
})

test('a tablet has two panes: chart over orders, and ticket beside book, 1.42 to 1', () => {
  const found = arrangeTablet(usualTerminal, { width: 1016, height: 600 }, 'ticket')
  assert.equal(found.columns, 'minmax(0, 1fr) 216px 152px')
  assert.deepEqual(
    ['chart', 'orders', 'ticket', 'book', 'markets'].map((pane) => cellOf(found, pane)),
    ['1-2 1-3', '1-2 3-4', '2-3 2-4', '3-4 2-4', 'none'],
  )
  assert.equal(cellOf(arrangeTablet(usualTerminal, { width: 1016, height: 600 }, 'trades'), 'trades'), '2-4 2-4')
})

test('a desk without a book gives its room to the others, and its last pane stays', () => {
  const own = terminalPanes.filter((pane) => pane !== 'book' && pane !== 'trades')
  const found = arrange(onDesk(usualTerminal, own), wide)
  assert.equal(found.columns, '216px minmax(0, 1fr) 296px')
  assert.deepEqual(
    terminalPanes.map((pane) => cellOf(found, pane)),
    ['1-2 1-3', 'none', '2-3 1-3', 'none', '3-4 1-3', '1-3 3-4', '3-4 3-4'],
  )
  let layout = usualTerminal
  for (const pane of own) layout = toggledPane(layout, pane, own)
  assert.deepEqual(layout.hidden, own.slice(0, -1))
  // A layout of another desk, where only the book was shown.
  const foreign = arrange(onDesk(hiding(...terminalPanes.filter((pane) => pane !== 'book')), own), wide)
  assert.deepEqual(
    foreign.panes.map(({ pane }) => pane),
    ['ticket'],
  )
  const tablet = arrangeTablet(usualTerminal, { width: 1016, height: 600 }, 'ticket', false)
  assert.deepEqual([cellOf(tablet, 'ticket'), cellOf(tablet, 'book')], ['2-4 2-4', 'none'])
})
