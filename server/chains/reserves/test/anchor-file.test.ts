/** What anybody can check in a downloaded file of anchors, and what is refused. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anchorData, readAnchor, readAnchorData } from '@candor/core/proof/chain/anchor.ts'
import { headHash } from '@candor/core/proof/chain/possession.ts'
import { fileVerdict } from '@candor/core/proof/any-file.ts'
import { keccak256 } from 'viem'
import { check } from '../../../../core/proof/test/story.ts'
import { anchorLineOf, anchorRaw, at, ChainKey, headAt } from './reserve-file.ts'

const key = new ChainKey()
const head = headAt(7, at)

const wrongOf = async (text: string): Promise<string | undefined> => {
  const verdict = await fileVerdict(check, text)
  return verdict.kind === 'anchors' ? verdict.wrong?.why : verdict.kind
}

test('PROOF-ANCHOR-001: the data is a prefix of sixteen bytes, the number of the head in eight, and its leaf; nothing else is read as one', async () => {
  const hash = 'ab'.repeat(32)
  const data = anchorData({ n: 300, hash })
  assert.equal(data, `0x63616e646f7220616e63686f7220310a000000000000012c${hash}`)
  assert.equal(Buffer.from(data.slice(2, 34), 'hex').toString(), 'candor anchor 1\n')
  assert.deepEqual(readAnchorData(data), { n: 300, hash })
  for (const other of [
    `${data}00`,
    data.slice(0, -2),
    data.replace('63616e', '63616f'),
    anchorData({ n: 0, hash }),
    data.replace('0000', '0100'),
  ])
    assert.equal(readAnchorData(other), undefined, other)
  const raw = await anchorRaw(head, key)
  assert.deepEqual(readAnchor(raw), { chainId: 1, from: key.address('evm'), txid: keccak256(raw), n: 7, hash: headHash(head.text) })
})

test('PROOF-ANCHOR-002: a transaction to somebody else, with a value, an access list or other data is no anchor', async () => {
  const other = new ChainKey().address('evm')
  const accessList = [{ address: other, storageKeys: [] }]
  const data = `${anchorData({ n: 7, hash: headHash(head.text) })}00`
  for (const change of [{ to: other }, { value: 1n }, { accessList }, { data }, { data: '0x' }, { to: undefined }])
    assert.equal(
      readAnchor(await anchorRaw(head, key, change)),
      undefined,
      JSON.stringify(change, (_, value) => String(value)),
    )
  for (const change of [{ nonce: 0 }, { nonce: 70_000 }, { chainId: 11_155_111 }, { gas: 21_000n, maxPriorityFeePerGas: 0n }])
    assert.notEqual(
      readAnchor(await anchorRaw(head, key, change)),
      undefined,
      JSON.stringify(change, (_, value) => String(value)),
    )
})

test('PROOF-ANCHOR-003: a file of anchors is refused when any byte was changed, an anchor is doubled, or two heads have one number', async () => {
  const [line, next] = [await anchorLineOf(head, key), await anchorLineOf(headAt(8, at + 60_000), key, { nonce: 4 })]
  assert.equal(await wrongOf(`${line}\n${next}\n`), undefined)
  for (let place = Math.floor(Math.random() * 5); place < line.length; place += 5) {
    const letter = line[place] === '1' ? '2' : '1'
    const changed = line.slice(0, place) + letter + line.slice(place + 1)
    const isFreeText = /"(network|number|hash)":"?[^"]*$/.test(line.slice(0, place + 1))
    if (!isFreeText)
      assert.notEqual(await wrongOf(`${changed}\n`), undefined, `${place}: ${changed.slice(Math.max(0, place - 20), place + 5)}`)
  }
  assert.match((await wrongOf(`${line}\n${line}\n`))!, /was there before/)
  assert.match((await wrongOf(`${line}\n${await anchorLineOf(headAt(7, at + 1), key, { nonce: 4 })}\n`))!, /another head 7/)
  // A head that its transaction does not carry.
  const { anchor, ...rest } = JSON.parse(next) as { anchor: string; txid: string }
  assert.match((await wrongOf(JSON.stringify({ anchor, ...rest, head })))!, /another head than its transaction/)
})
