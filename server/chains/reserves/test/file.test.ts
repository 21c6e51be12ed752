/** What anybody can check in a downloaded statement of reserves, and what is refused. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { addressOfPublicKey, forwarderOf } from '@candor/core/proof/chain/address.ts'
import { keccak256 } from '@candor/core/proof/chain/keccak.ts'
import { dayOf, startOf } from '@candor/core/proof/chain/day.ts'
import { headHash, isPossessed, ownHead, type Possession, possessionBytes, possessionText } from '@candor/core/proof/chain/possession.ts'
import { reserveLines } from '@candor/core/proof/chain/reading.ts'
import { readReserveText, reserveText } from '@candor/core/proof/chain/reserve-text.ts'
import { checkReserves, checkReserveText, type ReserveFile } from '@candor/core/proof/chain/reserves.ts'
import { recoveredKey } from '@candor/core/proof/chain/secp256k1.ts'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { hashMessage, verifyMessage } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { check, first, second, signed } from '../../../../core/proof/test/story.ts'
import { forwarderAddress } from '../../evm/forwarder.ts'
import { addressOfKey } from '../../signer/chain-signer.ts'
import { at, ChainKey, day, factory, fileOf, fileParts, headAt } from './reserve-file.ts'

const wrongOf = async (file: unknown): Promise<string | undefined> => {
  const found = await checkReserves(file, check)
  return 'wrong' in found ? found.wrong : undefined
}
/** With the exchange's signature of whatever the text says. */
const resigned = (file: ReserveFile, reserves: string): ReserveFile => ({ ...file, reserves, signature: signed(first, reserves) })

test('PROOF-RESERVE-001: Keccak-256, public keys of signatures, addresses and forwarders are those of other libraries', () => {
  for (let length = 0; length < 300; length++) {
    const bytes = randomBytes(length)
    assert.deepEqual(Buffer.from(keccak256(bytes)), Buffer.from(keccak_256(bytes)))
  }
  for (let round = 0; round < 20; round++) {
    const [key, digest] = [new ChainKey(), randomBytes(32)]
    const signature = secp256k1.Signature.fromBytes(
      secp256k1.sign(digest, key.secret, { prehash: false, format: 'recovered' }),
      'recovered',
    )
    const { r, s, recovery } = signature as { r: bigint; s: bigint; recovery: number }
    const found = recoveredKey(digest, { r, s, recovery })!
    const publicKey = secp256k1.getPublicKey(key.secret, false)
    assert.deepEqual(Buffer.from(found), Buffer.from(publicKey.subarray(1)))
    for (const kind of ['evm', 'tron'] as const) assert.equal(addressOfPublicKey(kind, found), addressOfKey(kind, publicKey))
    // The other form of the same signature is none.
    assert.equal(recoveredKey(digest, { r, s: secp256k1.Point.CURVE().n - s, recovery: 1 - recovery }), undefined)
    const place = 1 + round * 7919
    assert.equal(forwarderOf({ chainId: 1, factory, place }), forwarderAddress({ chainId: 1, factory }, place).toLowerCase())
  }
})

test('PROOF-RESERVE-002: the message of an address is these lines, and wallets sign it as EIP-191 or as a message of TRON', async () => {
  const key = new ChainKey()
  const about: Possession = {
    ...{ network: 'ethereum', chainId: 1, address: key.address('evm'), day, head: { n: 7, hash: 'ab'.repeat(32) } },
    kind: 'evm',
  }
  const text = possessionText(about)
  assert.equal(
    text,
    `candor reserves address 1\nThis says who holds an address. It moves nothing and allows nothing.\nnetwork ethereum\nchain 1\n` +
      `address ${about.address}\nday 2026-11-30\nhead 7 ${'ab'.repeat(32)}`,
  )
  assert.equal(hashMessage(text), `0x${Buffer.from(keccak256(possessionBytes(about))).toString('hex')}`)
  const wallet = privateKeyToAccount(`0x${Buffer.from(key.secret).toString('hex')}`)
  const given = await wallet.signMessage({ message: text })
  assert.ok(isPossessed(about, given.slice(2)))
  assert.ok(await verifyMessage({ address: wallet.address, message: text, signature: `0x${key.sign(about)}` }))
  // Neither another day, head, chain, network nor another key's address.
  for (const other of [
    ...[{ day: '2026-12-01' }, { head: { n: 8, hash: 'ab'.repeat(32) } }, { head: { n: 7, hash: 'ac'.repeat(32) } }, { chainId: 5 }],
    ...[{ network: 'other' }, { address: new ChainKey().address('evm') }, { kind: 'tron' as const, address: key.address('tron') }],
  ])
    assert.equal(isPossessed({ ...about, ...other }, given.slice(2)), false, JSON.stringify(other))
  const tron: Possession = { ...about, kind: 'tron', address: key.address('tron') }
  assert.ok(isPossessed(tron, key.sign(tron)))
  // Whatever a chain signs for a transaction begins with another byte.
  for (const one of [about, tron]) assert.equal(possessionBytes(one)[0], 0x19)
})

test('PROOF-RESERVE-003: a statement proves both ratios and the surplus or shortfall of each asset; what is on no chain has no reserves', async () => {
  const found = await checkReserves(fileOf(fileParts()), check)
  assert.ok(!('wrong' in found), 'wrong' in found ? found.wrong : '')
  const of = (asset: string) => found.coins.find((one) => one.asset === asset)!
  assert.deepEqual(of('USDT'), {
    ...{ asset: 'USDT', decimals: 6, isOnChain: true, reserves: 9_500_000n, gross: 10_000_000n, debts: 4_000_000n },
    ...{ overGross: -500_000n, overNet: 3_500_000n, grossPpm: 950_000n, netPpm: 1_583_333n },
  })
  assert.equal(of('BTC').isOnChain, false)
  assert.equal(of('BTC').overGross, -500n)
  assert.equal(of('ETH').grossPpm, undefined)
  const lines = reserveLines(found, at).join('\n')
  assert.match(lines, /USDT: holds 9\.5, owes 10: 95\.00 %, SHORTFALL 0\.5; less debts of 4: 158\.33 %, surplus 3\.5/)
  assert.match(lines, /BTC: NO RESERVES/)
  assert.match(lines, /tron .*ONE SOURCE ONLY/)
  assert.match(lines, /ethereum: forwarders belong to whom they pay: sink\(\) of 0x[0-9a-f]{40} must be/)
  assert.doesNotMatch(lines, /OLD/)
  assert.match(reserveLines(found, at + 37 * 3_600_000).join('\n'), /OLD, a newer one should be there/)
})

test('PROOF-RESERVE-004: a file in which any byte was changed is refused', async () => {
  const text = `${JSON.stringify(fileOf(fileParts()))}\n`
  assert.equal('wrong' in (await checkReserveText(text, check)), false)
  // Each character would take a minute of signatures: every seventh, and each of them in some run.
  for (let place = Math.floor(Math.random() * 7); place < text.length; place += 7) {
    const other = text[place] === '1' ? '2' : '1'
    const found = await checkReserveText(text.slice(0, place) + other + text.slice(place + 1), check)
    assert.ok('wrong' in found, `${place}: ${text.slice(place - 20, place + 20)}`)
  }
})

test('PROOF-RESERVE-005: what is not signed by its key does not count, nor a forwarder that does not follow', async () => {
  // The exchange signs the statement as it pleases; whoever reads it checks.
  const parts = fileParts()
  const file = fileOf(parts)
  const stranger = new ChainKey()
  const { head } = file
  const about: Possession = {
    ...{ network: 'ethereum', chainId: 1, address: parts.keys.hot.address('evm'), day },
    ...{ kind: 'evm', head: ownHead(first.publicKey, head) },
  }
  const forged = file.signatures.map((each, index) => (index === 0 ? { ...each, signature: stranger.sign(about) } : each))
  assert.match((await wrongOf({ ...file, signatures: forged }))!, /is not signed by its key/)
  assert.match((await wrongOf({ ...file, signatures: file.signatures.slice(1) }))!, /one signature for each/)
  assert.match((await wrongOf({ ...file, signatures: file.signatures.toReversed() }))!, /of another address/)
  const elsewhere = fileParts((each) => {
    const [network] = each.networks
    const at = network!.addresses.findIndex(({ role }) => role === 'forwarder')
    Object.assign(network!.addresses[at]!, { place: 18 })
  })
  assert.match((await wrongOf(fileOf(elsewhere)))!, /is not the forwarder at place 18/)
  // Named without a signature, it is shown and not counted.
  const unsigned = await checkReserves(
    fileOf(fileParts((each) => void Object.assign(each.networks[0]!.addresses[0]!, { signed: undefined }))),
    check,
  )
  assert.ok(!('wrong' in unsigned))
  assert.equal(unsigned.coins.find(({ asset }) => asset === 'USDT')?.reserves, 6_500_000n)
})

test('PROOF-RESERVE-006: signatures of another day or head are refused: hot ones of the day, cold ones of the last 35 days', async () => {
  const dayMs = 86_400_000
  const coldAt = (days: number) =>
    fileParts((each) => {
      each.cold = headAt(3, at - days * dayMs)
      Object.assign(each.networks[0]!.addresses[1]!, { signed: dayOf(at - days * dayMs) })
    })
  assert.equal(await wrongOf(fileOf(coldAt(35))), undefined)
  assert.match((await wrongOf(fileOf(coldAt(36))))!, /too long ago/)
  for (let round = 0; round < 1_000; round++) {
    const time = Math.floor(Math.random() * 3e13)
    assert.equal(dayOf(time), new Date(time).toISOString().slice(0, 10))
    assert.equal(startOf(dayOf(time)), Date.parse(dayOf(time)))
  }
  // A hot signature of yesterday, and a cold one that names a day which its head is not of.
  const yesterday = fileParts((each) => void Object.assign(each.networks[0]!.addresses[0]!, { signed: dayOf(at - dayMs) }))
  assert.match((await wrongOf(fileOf(yesterday)))!, /signed no head of/)
  const dated = fileParts((each) => void Object.assign(each.networks[0]!.addresses[1]!, { signed: day }))
  assert.match((await wrongOf(fileOf(dated)))!, /signed no head of/)
  // A whole statement under the head of another day, or behind its head.
  const moved = fileParts((each) => (each.head = headAt(7, at - dayMs)))
  assert.match((await wrongOf(fileOf(moved)))!, /not of the day of its head/)
  const before = fileParts((each) => (each.head = headAt(7, at + 1)))
  assert.match((await wrongOf(fileOf(before)))!, /not of the day of its head/)
  const oldBlock = fileParts((each) => void Object.assign(each.networks[0]!.block!, { at: at - dayMs - 1 }))
  assert.match((await wrongOf(fileOf(oldBlock)))!, /more than a day away/)
  const file = fileOf(fileParts())
  assert.match((await wrongOf({ ...file, heads: [headAt(2, at - 20 * dayMs), ...file.heads] }))!, /no address signed/)
})

test('PROOF-RESERVE-007: no address, contract, chain or network counts twice, and sums that are not those of the addresses are no statement', async () => {
  const { networks, head } = fileParts()
  const [ethereum, tron] = networks as [(typeof networks)[number], (typeof networks)[number]]
  const about = { n: 5, at, day, head: { n: head.n, hash: headHash(head.text) } }
  const text = reserveText({ ...about, networks })
  assert.notEqual(readReserveText(text), undefined)
  const twice = [ethereum.addresses[0]!, ...ethereum.addresses]
  const another = [...ethereum.coins, { asset: 'USDC', decimals: 6, contract: ethereum.coins[0]!.contract }]
  for (const wrong of [
    [{ ...ethereum, addresses: twice }],
    [ethereum, { ...ethereum, name: 'other' }],
    [ethereum, { ...tron, name: 'ethereum' }],
    [{ ...ethereum, coins: another, addresses: ethereum.addresses.map((one) => ({ ...one, balances: [...one.balances, 1n] })) }],
    [{ ...ethereum, sources: ['a.example'] }],
    [{ ...ethereum, sources: ['a.example', 'a.example'] }],
    [{ ...ethereum, state: 'differ' as const }],
    [{ ...ethereum, factory: undefined }],
  ])
    assert.throws(
      () => reserveText({ ...about, networks: wrong }),
      /no statement/,
      JSON.stringify(wrong, (_, value) => String(value)),
    )
  for (const other of [text.replace('sum USDT 6 9500000', 'sum USDT 6 9500001'), text.replace(/sum ETH.*\n/, ''), `${text}sum XX 2 0\n`]) {
    assert.equal(readReserveText(other), undefined)
    assert.match((await wrongOf(resigned(fileOf(fileParts()), other)))!, /sums are not those/)
  }
})

test('PROOF-RESERVE-014: signatures for one exchange count for no other, also where that one signs the same heads with keys of its own', async () => {
  const file = fileOf(fileParts())
  // The other one has its own first key, and may even announce the key of the first exchange as its next one.
  const again = <Head extends { readonly text: string }>(head: Head) => ({ ...head, signature: signed(second, head.text) })
  const copied = {
    ...file,
    signature: signed(second, file.reserves),
    head: again(file.head),
    keys: [{ key: 1, publicKey: second.publicKey, signature: null }],
    heads: file.heads.map(again),
  }
  assert.match((await wrongOf(copied))!, /is not signed by its key/)
})

test('PROOF-RESERVE-008: what sources differ about, or do not tell, does not count, and the statement says which it is', async () => {
  for (const state of ['differ', 'silent'] as const) {
    const parts = fileParts((each) => {
      each.networks[0] = { ...each.networks[0]!, state, block: undefined, factory: undefined, addresses: [] }
    })
    const found = await checkReserves(fileOf(parts), check)
    assert.ok(!('wrong' in found), 'wrong' in found ? found.wrong : '')
    assert.equal(found.coins.find(({ asset }) => asset === 'USDT')?.reserves, 500_000n)
    assert.equal(found.coins.find(({ asset }) => asset === 'ETH')?.isOnChain, true)
    assert.match(reserveLines(found, at).join('\n'), /ethereum \(chain 1\): NOT COUNTED/)
  }
})
