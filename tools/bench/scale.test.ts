import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { Exchange } from '../../core/exchange/exchange.ts'
import { dumped, Side } from './scale/side.ts'

const bench = new URL('scale.ts', import.meta.url).pathname

/** Runs the benchmark over a few accounts, with another limit for the most expensive command. */
function run(limitMs: number): Promise<{ readonly code: number; readonly text: string }> {
  const words = ['--only', 'crowds', '--accounts', '20', '--limit-ms', String(limitMs)]
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [bench, ...words], (_, out, err) => resolve({ code: child.exitCode!, text: out + err }))
  })
}

test('the benchmark of a large exchange exits with 1 when a target is missed, and names it', async () => {
  const missed = await run(0)
  assert.equal(missed.code, 1, missed.text)
  assert.match(missed.text, /^MISSED {2}funding of all positions: /m)
  assert.match(missed.text, /targets are missed: .*funding of all positions/)
  const met = await run(600_000)
  assert.equal(met.code, 0, met.text)
  assert.match(met.text, /All targets are met/)
})

test('a restore that yields another state than the dumped one is noticed, even at the same command', () => {
  const grown = (assets: number, markets: number): Side => {
    const side = new Side({ users: 10, assets, markets, orders: 5 }, false)
    side.grow()
    return side
  }
  const other = grown(4, 3).exchange
  const side = grown(5, 2)
  assert.equal(side.exchange.seq, other.seq)
  assert.equal(dumped(side, () => other).isSame, false)
  assert.equal(dumped(grown(5, 2), (dump) => Exchange.restore(dump)).isSame, true)
})
