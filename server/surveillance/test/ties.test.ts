import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Millis } from '@candor/core/money/brand.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import { spanOf } from '../days.ts'
import { type Link, linkedAccounts, pairKey } from '../detect/links.ts'
import { pairsOf } from '../read/ties.ts'
import { thresholds } from '../thresholds.ts'

const groupOf = (size: number) => ({ users: Array.from({ length: size }, (_, place) => `${place + 1}`), count: size, at: 1 as Millis })

test('CONSOLE-SURVEIL-012: any two accounts of a browser are tied, also when many others stand between them', () => {
  const ties = pairsOf('device', groupOf(13))
  assert.equal(ties.length, (13 * 12) / 2)
  assert.ok(ties.some(({ one, other }) => one === 12 && other === 13))
  assert.equal(pairsOf('device', groupOf(100)).length, (100 * 99) / 2)
  // A public terminal: each is tied to the first.
  assert.equal(pairsOf('device', groupOf(1_000)).length, 999)
})

test('CONSOLE-SURVEIL-012: a chain of any number of accounts is one group', () => {
  const links = new Map<string, Link>()
  // The newest pair first, which makes the longest way to the first account.
  for (let user = 50_000; user > 1; user--) {
    const [one, other] = [(user - 1) as UserId, user as UserId]
    links.set(pairKey(one, other), { one, other, score: 100, ties: [{ kind: 'device', one, other, count: 1, at: 1 as Millis }] })
  }
  const parts = { links, span: spanOf('2026-11-27'), roleOf: () => 'customer' as const, toldOf: () => 0, who: String }
  const [group, ...others] = linkedAccounts(parts, thresholds)
  assert.deepEqual([group?.users.length, others], [50, []])
  assert.match(group!.text, /^These 50,000 accounts may belong to one person\./)
})
