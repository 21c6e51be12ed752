import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Evidence, evidenceVerdict, readEvidence } from './evidence.ts'
import { contradictionOf, isAnew, type Remembered, type Shown } from './remembered.ts'
import { fileVerdict } from './any-file.ts'
import { headKeyText } from './head.ts'
import { HeadKeys, keysMax } from './head-keys.ts'
import { both, check, draw, first, keys, type Signer, signed, Story } from './test/story.ts'

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
      // Of no date, and more than a host where it is printed.
      ...[-1, 1.5, 8_640_000_000_000_001].map((at) => ({ ...evidence, at })),
      ...['x\nother.json: right', 'x\u001b[2J', 'x (y)', 'a'.repeat(300)].map((host) => ({ ...evidence, host })),
    ],
  ]
  for (const shape of shapes) assert.equal(readEvidence(shape), undefined, JSON.stringify(shape))
})

test('PROOF-KEPT-005: a verdict on evidence names the first key, and says whether the file proves the contradiction by itself', async () => {
  const found = { evidence: 'candor heads 1', at: 1_790_000_000_000, host: 'exchange.example', path: null } as const
  const verdictOf = async (evidence: Evidence) => {
    const verdict = await fileVerdict(check, JSON.stringify(evidence))
    return verdict.kind === 'evidence' ? verdict.verdict : assert.fail(verdict.kind)
  }
  const twin = await verdictOf({ ...found, found: 'twin', remembered: kept(11), shown: shown(11, other) })
  assert.deepEqual([twin.wrong, twin.isComplete, twin.firstKey], [undefined, true, first.publicKey])
  // An older head that the exchange did publish, and a path that it did not give: anybody can write these files.
  for (const made of [
    { ...found, found: 'gone', remembered: kept(11), shown: shown(10) },
    { ...found, found: 'path', remembered: kept(11), shown: shown(30) },
    { ...found, found: 'keys', remembered: kept(25), shown: { keys, head: story.head(26) } },
  ] as const) {
    const { wrong, isComplete, firstKey } = await verdictOf(made)
    assert.deepEqual([wrong, isComplete, firstKey], [undefined, false, first.publicKey], made.found)
  }
  // With a key of one's own, anybody can sign two heads with one number.
  const forger = draw()
  const forged = [11, 12].map((n) => {
    const text = story.head(n).text.replace(/^n .*$/m, 'n 11')
    return { keys: [{ key: 1, publicKey: forger.publicKey, signature: null }], head: { n: 11, text, signature: signed(forger, text) } }
  })
  const own = await verdictOf({ ...found, found: 'twin', remembered: forged[0]!, shown: forged[1]! })
  assert.deepEqual([own.wrong, own.firstKey], [undefined, forger.publicKey])
})

test('PROOF-HEAD-011: a list has at most 200 keys', async () => {
  const all = [...keys]
  for (let [before, key]: [Signer, number] = [first, 2]; key <= keysMax + 1; key++) {
    const next = draw()
    all.push({ key, publicKey: next.publicKey, signature: signed(before, headKeyText({ key, publicKey: next.publicKey })) })
    before = next
  }
  assert.equal(await new HeadKeys(check).take(all.slice(0, keysMax)), undefined)
  assert.match((await new HeadKeys(check).take(all))!, /more than 200 keys/)
})

test('PROOF-HEAD-012: a key whose order is small is none, however it is written', async () => {
  const ends = `${'ff'.repeat(30)}7f`
  const weak = [
    ...[`00${'00'.repeat(31)}`, `00${'00'.repeat(30)}80`, `01${'00'.repeat(31)}`, `01${'00'.repeat(30)}80`, `ec${ends}`, `ed${ends}`],
    ...[`ee${ends}`, `ee${'ff'.repeat(31)}`, '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05'],
    ...[
      '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
      'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
      'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
    ],
  ]
  // Such a signature is one of any text for a library that does not look at the key.
  const lenient = () => Promise.resolve(true)
  for (const publicKey of weak) {
    assert.equal(await new HeadKeys(lenient).take([{ key: 1, publicKey, signature: null }]), 'has a key that is none', publicKey)
    const announced = { key: 2, publicKey, signature: signed(first, headKeyText({ key: 2, publicKey })) }
    assert.equal(await new HeadKeys(check).take([...keys, announced]), 'has a key that is none', publicKey)
  }
})
