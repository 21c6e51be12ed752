import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { Bank, longestGap, type Outcome } from '../bank/bank.ts'
import { exact, isFlawless } from '../bank/compare.ts'
import { Program } from '../bank/program.ts'
import type { Told } from '../bank/record.ts'
import { until } from '../machines/until.ts'
import { type Lie, lies, startFake } from './fake-exchange.ts'

const maxMs = 60_000
const answersWanted = 150

/** Three customers of an exchange that lies as told, and the lines that they wrote down. */
async function bankOf(lie?: Lie): Promise<{ readonly outcome: Outcome; readonly silences: number; readonly lines: readonly Told[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'candor-bank-'))
  try {
    await using fake = await startFake(lie)
    const programs = [0, 1, 2].map((nth) => new Program([fake.url], { key: `key${nth}`, secret: 'secret' }, nth))
    const log = join(folder, 'bank.ndjson')
    const bank = await Bank.open({ programs, perSecond: 600, price: 60_000, mark: 'test', log })
    await until('enough answers', maxMs, () => bank.acknowledged >= answersWanted)
    const outcome = await bank.close()
    const lines = readFileSync(log, 'utf8').trim().split('\n')
    return { outcome, silences: fake.silences, lines: lines.map((line) => JSON.parse(line) as Told) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

test('RIG-BANK-001: requests without an answer are sent again, and an honest exchange is found flawless', async () => {
  const { outcome, silences, lines } = await bankOf()
  assert.deepEqual([outcome.lost, outcome.doubled, outcome.unbalanced], [[], [], []])
  assert.ok(isFlawless(outcome))
  assert.ok(silences > 0)
  assert.equal(outcome.repeated, lines.filter(({ tries }) => tries > 1).length)
  assert.ok(outcome.repeated > 0 && outcome.refused > 0)
  assert.equal(lines.filter(({ isAcknowledged }) => isAcknowledged).length, outcome.acknowledged)
  for (const { answeredAt, firstSentAt } of lines) assert.ok(answeredAt >= firstSentAt)
})

const found: Readonly<Record<Lie, 'lost' | 'doubled' | 'unbalanced'>> = {
  'loses an order': 'lost',
  'changes an order': 'lost',
  'doubles an order': 'doubled',
  'keeps a refused order': 'doubled',
  'forgets a cancel': 'lost',
  'loses a transfer': 'lost',
  'doubles a transfer': 'doubled',
  'takes money': 'unbalanced',
  'fills without a trade': 'unbalanced',
}

for (const lie of lies) {
  test(`RIG-BANK-002: an exchange that ${lie} is found out`, async () => {
    const { outcome } = await bankOf(lie)
    assert.ok(outcome[found[lie]].length > 0, `${lie}: ${JSON.stringify(outcome)}`)
    assert.ok(!isFlawless(outcome))
  })
}

test('RIG-BANK-003: the longest gap lies between acknowledgements, refusals left out, or at an end', () => {
  const at = (answeredAt: number, isAcknowledged = true): Told => ({
    ...{ customer: 0, request: { kind: 'cancel', id: '', target: '' }, number: 1, tries: 1, firstSentAt: 0 },
    ...{ answeredAt, isAcknowledged },
  })
  assert.equal(longestGap([at(1_400), at(1_100), at(1_300, false)], 1_000, 1_500), 300)
  assert.equal(longestGap([at(1_100)], 1_000, 2_000), 900)
  assert.equal(longestGap([], 1_000, 3_000), 2_000)
})

test('RIG-BANK-004: sums are compared exactly', () => {
  assert.equal(exact('0.1') + exact('0.2'), exact('0.3'))
  assert.equal(exact('-1.5'), -exact('1.500000000000'))
  assert.throws(() => exact('1e3'))
  assert.throws(() => exact('0.0000000000001'))
})
