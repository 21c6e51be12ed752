import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileVerdict } from '../any-file.ts'
import { tapeGenesis } from '../tape.ts'
import { toHex } from '../sha256.ts'
import { check } from './story.ts'
import { tapeLines } from './tape-lines.ts'

async function wrongOf(lines: readonly string[]): Promise<string | undefined> {
  const verdict = await fileVerdict(check, `${lines.join('\n')}\n`)
  assert.ok(verdict.kind === 'tape', lines[0])
  return verdict.wrong && `${verdict.wrong.line} ${verdict.wrong.why}`
}

test('TAPE-FILE-001: a piece of the tape is checked from its first line on, in both formats, and pieces may follow one another', async () => {
  for (const format of [1, 2] as const) {
    const lines = tapeLines(1, 6, format)
    const verdict = await fileVerdict(check, lines.join('\n'))
    assert.ok(verdict.kind === 'tape')
    assert.deepEqual([verdict.wrong, verdict.count, verdict.first?.tick, verdict.last?.tick], [undefined, 6, 1, 6])
    const [later, end] = [tapeLines(3, 4, format), tapeLines(5, 6, format)]
    assert.deepEqual([await wrongOf(later), await wrongOf([...later, ...end])], [undefined, undefined])
    assert.match((await wrongOf([...end, ...later]))!, /^4 does not continue the ticks before$/)
    assert.match((await wrongOf([...tapeLines(1, 2, format), ...end]))!, /^4 does not continue/)
    assert.equal((await fileVerdict(check, lines[1]!)).kind, 'unknown')
  }
  const none = await fileVerdict(check, tapeLines(4, 3, 2).join('\n'))
  assert.ok(none.kind === 'tape' && none.wrong === undefined && none.count === 0)
})

test('TAPE-FILE-002: with any byte of a tick or of the hash before it changed, a piece is refused; so it is with a tick lost, doubled or moved', async () => {
  for (const format of [1, 2] as const) {
    const lines = tapeLines(1, 4, format)
    // In the first line, only the hash before is proved; and that of the newest tick, where it is in the file.
    const [begin, newest] = [lines[0]!.indexOf('"before"'), lines[0]!.lastIndexOf('"hash"')]
    for (const [n, line] of lines.entries()) {
      for (let at = n === 0 ? begin : 0; at < line.length; at = n === 0 && at === begin + 75 ? newest : at + 1)
        for (const flip of [1, 2, 16]) {
          const other = line.slice(0, at) + String.fromCharCode(line.charCodeAt(at) ^ flip) + line.slice(at + 1)
          assert.notEqual(
            await wrongOf(lines.with(n, other)).catch(() => 'no tape'),
            undefined,
            `line ${n}: ${other.slice(at - 20, at + 20)}`,
          )
        }
      if (n === 0) continue
      if (n < lines.length - 1) assert.notEqual(await wrongOf(lines.toSpliced(n, 1)), undefined)
      assert.notEqual(await wrongOf(lines.toSpliced(n, 0, line)), undefined)
      if (n > 1) assert.notEqual(await wrongOf(lines.with(n, lines[n - 1]!).with(n - 1, line)), undefined)
    }
  }
})

test('TAPE-FILE-003: a tick is written in one way only, time never runs backwards, and the first tick alone follows from zeros', async () => {
  const lines = tapeLines(1, 3, 2)
  const [first, tick] = [lines[0]!, lines[2]!]
  for (const other of [
    ...[
      tick.replace('{"tick"', '{ "tick"'),
      `${tick} `,
      tick.replace('"isGood":true', '"isGood":1'),
      tick.replace('"format":2', '"format":3'),
    ],
    ...[
      tick.replace(/"price":"(\d+)"/, '"price":"0$1"'),
      tick.replace(/"price":"(\d+)"/, '"price":$1'),
      tick.replace(/"price":"(\d+)"/, '"price":"$1.0"'),
    ],
    ...[
      tick.replace('"sources":3', '"sources":3,"more":1'),
      tick.replace('"venue":0', '"venue":32'),
      tick.replace('"venue":0', '"venue":-0'),
    ],
    ...[tick.replace('"prices":[', '"prices":[null,'), tick.replace(/"prices":.*/, '"prices":{}}'), tick.replace(/,"shift":-?\d+/, '')],
  ]) {
    assert.notEqual(other, tick)
    assert.match((await wrongOf(lines.with(2, other)))!, /^3 is not written as the exchange writes it$|^3 is no JSON$/, other.slice(0, 200))
  }
  assert.match((await wrongOf(tapeLines(1, 3, 2, { backwards: true })))!, /^3 has a tick 2 that is earlier/)
  // A made-up tape that begins later, and one that names zeros before a later tick.
  const zeros = toHex(tapeGenesis)
  assert.match((await wrongOf(tapeLines(2, 3, 2, { before: zeros })))!, /^2 has a tick 2 that does not follow/)
  assert.match((await wrongOf(tapeLines(1, 2, 2, { before: 'ab'.repeat(32) })))!, /^2 has a tick 1 that does not follow/)
  // The newest tick that the exchange names is the one in the file.
  assert.match((await wrongOf(lines.with(0, first.replace(/"head":\{"tick":3/, '"head":{"tick":2'))))!, /^3 has another tick 2/)
})
