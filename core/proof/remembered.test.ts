import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Evidence, evidenceVerdict, readEvidence } from './evidence.ts'
import { contradictionOf, isAnew, type Remembered, type Shown } from './remembered.ts'
import { both, check, draw, first, keys, signed, Story } from './test/story.ts'

const story = new Story(40, { keyFrom: 20 })
const other = new Story(40, { from: 11 })
const kept = (n: number, of = story): Remembered => ({ keys: n < 20 ? keys : both, head: of.head(n) })
const shown = (n: number, of = story): Shown => ({ keys: both, head: of.head(n) })

test('PROOF-KEPT-001: any later head of the same story follows from any earlier one, across a change of the key', async () => {
  assert.equal(await contradictionOf(check, undefined, shown(40), undefined), undefined)
  for (let n = 1; n <= 40; n++)
    for (const later of [n, n + 1, n + 7, 40].filter((one) => one <= 40))
      assert.equal(await contradictionOf(check, kept(n), shown(later), story.path(n, later)), undefined, `${n} ${later}`)
})

test('PROOF-KEPT-002: a head of another story is found: by its path, its number, its journal, its keys or its signature', async () => {
  const found = (old: Remembered | undefined, now: Shown, path?: readonly string[]) => contradictionOf(check, old, now, path)
  // Both stories are the same up to head 10.
  assert.equal(await found(kept(10), shown(30, other), other.path(10, 30)), undefined)
  assert.equal(await found(kept(11), shown(30, other), other.path(11, 30)), 'path')
  assert.equal(await found(kept(11), shown(30, other), story.path(11, 30)), 'path')
  assert.equal(await found(kept(11), shown(30)), 'path')
  assert.equal(await found(kept(11), shown(30), ['zz', ...story.path(11, 30).slice(1)]), 'path')
  assert.equal(await found(kept(11), shown(11, other)), 'twin')
  assert.equal(await found(kept(11), shown(10)), 'gone')
  assert.equal(await found(kept(11), { keys: both, head: null }), 'gone')
  assert.equal(await found(kept(30), { keys, head: story.head(19) }), 'keys')
  const stranger = draw()
  assert.equal(await found(kept(3), { keys: [{ key: 1, publicKey: stranger.publicKey, signature: null }], head: null }), 'keys')
  const uncalled = { key: 2, publicKey: stranger.publicKey, signature: signed(stranger, 'x') }
  assert.equal(await found(undefined, { keys: [...keys, uncalled], head: story.head(3) }), 'keys')
  const { n, text, signature } = story.head(12)
  const flipped = `${signature.slice(0, -1)}${signature.endsWith('0') ? '1' : '0'}`
  assert.equal(await found(kept(11), { keys: both, head: { n, text, signature: flipped } }, story.path(11, 12)), 'signature')
  assert.equal(await found(kept(11), { keys: both, head: { n: 13, text, signature } }, story.path(11, 12)), 'signature')
  for (const [line, wrong] of [
    [/^seq .*$/m, 'seq 1'],
    [/^at .*$/m, 'at 1'],
  ] as const) {
    const back = text.replace(line, wrong)
    assert.equal(await found(kept(11), { keys: both, head: { n, text: back, signature: signed(first, back) } }, story.path(11, 12)), 'back')
  }
})

test('PROOF-KEPT-003: another first key, or data that went back, is a beginning anew; another story with the same key is not', () => {
  assert.equal(isAnew(kept(11), shown(30, other)), false)
  assert.equal(isAnew(kept(11), shown(11, other)), false)
  assert.equal(isAnew(kept(11), shown(5)), true)
  assert.equal(isAnew(kept(11), { keys, head: null }), true)
  assert.equal(isAnew(kept(11), { keys: [{ key: 1, publicKey: draw().publicKey, signature: null }], head: story.head(30) }), true)
})

test('PROOF-KEPT-004: a file of evidence holds both heads and is checked again from them alone; without a contradiction it is refused', async () => {
  const evidence: Evidence = {
    ...{ evidence: 'candor heads 1', found: 'path', at: 1_790_000_000_000, host: 'exchange.example' },
    ...{ remembered: kept(11), shown: shown(30, other), path: other.path(11, 30) },
  }
  const read = (value: unknown): Evidence => readEvidence(JSON.parse(JSON.stringify(value)))!
  const wrong = async (value: Evidence) => (await evidenceVerdict(check, read(value))).wrong
  assert.equal(await wrong(evidence), undefined)
  assert.equal(await wrong({ ...evidence, shown: { keys: both, head: null }, path: null, found: 'gone' }), undefined)
  assert.equal(await wrong({ ...evidence, found: 'twin' }), 'agrees')
  assert.equal(await wrong({ ...evidence, shown: shown(30), path: story.path(11, 30) }), 'agrees')
  const alone = { ...evidence, remembered: null, path: null, found: 'signature' } as const
  assert.equal(await wrong({ ...alone, shown: { keys: both, head: { ...story.head(11), n: 12 } } }), undefined)
  assert.equal(await wrong({ ...alone, shown: shown(11) }), 'agrees')
  const invented = { ...story.head(11), signature: '00'.repeat(64) }
  assert.equal(await wrong({ ...evidence, remembered: { keys, head: invented } }), 'unsigned')
  assert.equal(await wrong({ ...evidence, remembered: { ...kept(11), keys: [{ ...keys[0]!, key: 2 }] } }), 'key')
  const shapes = [
    ...[null, 7, 'x', [], {}, { ...evidence, evidence: 'candor heads 2' }, { ...evidence, found: 'other' }, { ...evidence, at: '1' }],
    ...[
      { ...evidence, remembered: {} },
      { ...evidence, shown: { keys: both } },
      { ...evidence, path: [7] },
      { ...evidence, host: 7 },
    ],
  ]
  for (const shape of shapes) assert.equal(readEvidence(shape), undefined, JSON.stringify(shape))
})
