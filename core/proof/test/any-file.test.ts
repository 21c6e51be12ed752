import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileVerdict } from '../any-file.ts'
import { headText, readHeadText } from '../head.ts'
import { HeadFile } from '../head-file.ts'
import { nodeHash } from '../merkle.ts'
import { receiptLeaf, receiptLine, receiptText } from '../receipt.ts'
import { toHex } from '../sha256.ts'
import { both, check, first, keys, signed, Story } from './story.ts'
import { makeStatement } from './sum-trees.ts'

const story = new Story(3)
const salt = new Uint8Array(32)
const texts = [41, 42].map((seq) => receiptText({ seq, at: 1_790_000_000_123, user: '123456789' }, receiptLine('event', 'traded', {})))
const leaves = texts.map((text) => receiptLeaf(salt, text))

/** Lines of a download: two receipts in one head. `epoch`: makes it another head with the same number. */
function lines(epoch: number): readonly string[] {
  const text = headText({
    ...readHeadText(story.head(2).text)!,
    ...{ epoch, seq: 50, receipts: { size: 2, root: toHex(nodeHash(leaves[0]!, leaves[1]!)) } },
  })
  const head = { n: 2, text, signature: signed(first, text) }
  return texts.map((one, index) =>
    JSON.stringify({ ...{ text: one, salt: toHex(salt), index }, path: [toHex(leaves[1 - index]!)], head, keys }),
  )
}

test('PROOF-VERIFIER-004: receipts that are doubled or out of order, and two heads with one number, are refused', async () => {
  const wrongOf = async (...all: readonly string[]): Promise<string | undefined> => {
    const verdict = await fileVerdict(check, `${all.join('\n')}\n`)
    assert.ok(verdict.kind === 'receipts')
    return verdict.wrong?.why
  }
  const [one, next] = lines(1) as [string, string]
  assert.equal(await wrongOf(one, next), undefined)
  assert.match((await wrongOf(one, one))!, /out of order/)
  assert.match((await wrongOf(next, one))!, /out of order/)
  assert.match((await wrongOf(one, lines(2)[1]!))!, /another head 2/)
})

test('PROOF-VERIFIER-004: a proof of liabilities is refused when it is written in another way, as with a second customer', async () => {
  const leaf = { uid: '123456789', split: 0, amount: 1_250_000 }
  const proof = JSON.stringify(makeStatement([{ asset: 'USDT', kind: 'claims', leaves: [leaf] }]).proofOf('123456789'))
  const wrongOf = async (text: string): Promise<string | undefined> => {
    const verdict = await fileVerdict(check, text)
    return verdict.kind === 'liabilities' ? verdict.wrong : verdict.kind
  }
  for (const text of [proof, `${proof}\n`]) assert.equal(await wrongOf(text), undefined)
  for (const text of [
    ...[`${proof} `, ` ${proof}`, `${proof}\n\n`, proof.replace('"uid":', '"uid": ')],
    ...[proof.replace('"uid":', '"uid":"987654321","uid":'), proof.replace('"split":0', '"split":-0')],
  ])
    assert.equal(await wrongOf(text), 'It is not written as the exchange writes it', text.slice(0, 60))
})

test('PROOF-VERIFIER-004: what is nested too deeply is refused like any other text', async () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  assert.equal((await fileVerdict(check, deep)).kind, 'unknown')
  assert.notEqual(await new HeadFile(check).take(`{"keys":${deep}}`), undefined)
  for (const text of [`{"keys":${deep}}\n`, `{"salt":${deep}}\n`, `{"statement":${deep}}`]) {
    const verdict = await fileVerdict(check, text)
    assert.notEqual('wrong' in verdict ? verdict.wrong : undefined, undefined, text.slice(0, 20))
  }
  const evidence = {
    evidence: 'candor heads 1',
    found: 'twin',
    at: 0,
    host: '',
    remembered: null,
    shown: { keys: both, head: null },
    path: null,
  }
  const verdict = await fileVerdict(check, JSON.stringify(evidence).replace('"keys":[', `"keys":[${deep},`))
  assert.equal(verdict.kind === 'evidence' && verdict.verdict.wrong, 'agrees')
})
