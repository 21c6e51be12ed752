import assert from 'node:assert/strict'
import { randomBytes, randomUUID, webcrypto } from 'node:crypto'
import { after, before, test } from 'node:test'
import { isDepositAddressSigned } from '@candor/core/proof/deposit-address.ts'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { HDKey } from '@scure/bip32'
import { mnemonicToSeedSync } from '@scure/bip39'
import { type ScratchServer, startScratchServer } from '../../store/test/scratch.ts'
import { AddressBook } from '../addresses/book.ts'
import { forwarderAddress, forwarderPlace } from '../evm/forwarder.ts'
import { TronAddresses } from '../tron/deposit-addresses.ts'
import type { WalletService } from '../addresses/wallet.ts'
import { artifactOf } from '../contracts/artifacts.ts'
import { fromBase58, toBase58, toHex20 } from '../tron/address.ts'
import { keyChangeOf, Wallet, walletKeyOf } from '../signer/wallet.ts'
import { Issuer } from '../worker/issuer.ts'
import { type Anvil, chainId, startAnvil } from './anvil.ts'
import { parseChains } from '../config.ts'
import { ChainsFolder } from './chains-folder.ts'
import { uid } from './world.ts'

type Hex = `0x${string}`
const sink = '0x00000000000000000000000000000000000000c0'
const words = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about'
const account = HDKey.fromMasterSeed(mnemonicToSeedSync(words)).derive("m/44'/195'/0'")
const factory: Hex = '0x0000000000000000000000000000000000000012'

let anvil: Anvil
let server: ScratchServer
before(async () => {
  anvil = await startAnvil()
  server = await startScratchServer()
})
after(async () => {
  await anvil[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

/** The signer's wallet, in this process. */
function walletOf(seed: Uint8Array): WalletService & { readonly publicKey: Uint8Array<ArrayBuffer> } {
  const signing = new Wallet(seed, [
    { name: 'ethereum', chainId, deposits: { factory } },
    { name: 'tron', chainId: 1, deposits: { xpub: account.publicExtendedKey } },
  ])
  const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'))
  const issue: WalletService['issue'] = async (about) => {
    const { address, signature } = signing.issue(about)
    return { address, signature: bytes(signature) }
  }
  return { publicKey: bytes(signing.publicKey), issue }
}
const wallet = walletOf(randomBytes(32))

/** A book with accounts in the core: 1 to 3, and one that the core does not know. */
async function book() {
  const store = await server.store()
  const accounts = [1, 2, 3, null].map((user) => ({ id: randomUUID(), user }))
  for (const [place, { id, user }] of accounts.entries())
    await store.pool.query(
      `insert into accounts (id, uid, core_user, email, password, password_changed_at, lang, invitation_code, class, created_at)
       values ($1, $2, $3, $4, '', 0, 'en', $2, 'retail', 0)`,
      [id, uid(place + 1), user, `a${place}@example.com`],
    )
  const made = new AddressBook({ pool: store.pool, wallet, walletKey: wallet.publicKey, clock: () => 5 })
  return { store, made, ids: accounts.map(({ id }) => id) }
}

test('DEPOSIT-ADDRESS-001: an account has one address on each network, also when it is asked for many times at once', async () => {
  const { store, made, ids } = await book()
  await using _ = store
  const asked = await Promise.all([0, 0, 1, 0, 1, 2].map((place) => made.of('ethereum', ids[place]!)))
  assert.equal(new Set(asked.map(({ address }) => address)).size, 3)
  assert.deepEqual(await made.of('ethereum', ids[0]!), asked[0])
  const tron = await made.of('tron', ids[0]!)
  assert.equal(tron.address, new TronAddresses(account.publicExtendedKey).at(1))
  const { rows } = await store.pool.query<{ place: number }>(
    `select place from deposit_addresses where network = 'ethereum' order by place`,
  )
  assert.deepEqual(
    rows.map(({ place }) => place),
    [1, 2, 3],
  )
  await assert.rejects(made.of('ethereum', ids[3]!), /needs an account that the core knows/)
  await assert.rejects(made.of('dogecoin', ids[0]!), /NO_ADDRESSES/)
})

test('DEPOSIT-ADDRESS-007: an address is issued only on a network that is being read', async () => {
  const { store, made, ids } = await book()
  await using _ = store
  const issuer = new Issuer(store.pool, made)
  await store.pool.query('insert into deposit_address_requests values ($1, $2, 1), ($3, $2, 2)', ['ethereum', ids[0], 'tron'])
  const issued = async () => (await store.pool.query('select network from deposit_addresses')).rows.map(({ network }) => network)
  await issuer.turn()
  assert.deepEqual(await issued(), [])
  await store.pool.query(`insert into chain_cursors (network, block, final, audited) values ('tron', 5, 5, 5)`)
  await issuer.turn()
  assert.deepEqual(await issued(), ['tron'])
  const { rows } = await store.pool.query('select network from deposit_address_requests')
  assert.deepEqual(rows, [{ network: 'ethereum' }])
})

test('DEPOSIT-ADDRESS-002: a browser can check that an address is the customer’s, with the wallet service’s key alone', async () => {
  const { store, made, ids } = await book()
  await using _ = store
  const { signature, ...about } = await made.of('tron', ids[1]!)
  const check = (more: object, given = signature, by = wallet.publicKey) =>
    isDepositAddressSigned(webcrypto.subtle, by, { ...about, ...more }, given)
  assert.equal(await check({}), true)
  assert.equal(await check({ uid: uid(1) }), false)
  assert.equal(await check({ network: 'ethereum' }), false)
  assert.equal(await check({ address: new TronAddresses(account.publicExtendedKey).at(9) }), false)
  assert.equal(
    await check(
      {},
      Uint8Array.from(signature, (byte, place) => (place === 63 ? byte ^ 1 : byte)),
    ),
    false,
  )
  const other = walletOf(randomBytes(32))
  assert.equal(await check({}, signature, other.publicKey), false)
  await assert.rejects(check({ uid: `${uid(1)}\nx` }), /printable/)
})

test('DEPOSIT-ADDRESS-003: a changed row is neither shown nor credited', async () => {
  const { store, made, ids } = await book()
  await using _ = store
  const { address } = await made.of('ethereum', ids[0]!)
  const deposit = { network: 'ethereum', address, account: ids[0]!, user_no: 1 }
  assert.equal(await made.isGood(deposit), true)
  assert.equal(await made.isGood({ ...deposit, user_no: 2 }), false)
  assert.equal(await made.isGood({ ...deposit, account: ids[1]! }), false)
  // The address of a thief on the customer's page.
  await store.pool.query('update deposit_addresses set address = $1', [forwarderAddress({ chainId, factory }, 99)])
  await assert.rejects(made.of('ethereum', ids[0]!), /is not signed for its customer/)
  // The deposits of a customer in a thief's account.
  await store.pool.query('update deposit_addresses set address = $1, account = $2, user_no = 2', [address, ids[1]])
  await assert.rejects(made.of('ethereum', ids[1]!), /is not signed for its customer/)
  assert.equal(await made.isGood({ ...deposit, account: ids[1]!, user_no: 2 }), false)
})

test('DEPOSIT-ADDRESS-008: a change of the wallet service’s key counts only if the key before has signed it', () => {
  using folder = new ChainsFolder()
  const [seed, thief] = [randomBytes(32), randomBytes(32)]
  const to = folder.config.walletKey
  const change = keyChangeOf(seed, to)
  assert.deepEqual([change.from, change.to], [walletKeyOf(seed), to])
  const parsed = (made: object) => parseChains(JSON.stringify({ ...folder.config, walletKeyChanges: [made] })).walletKeyChanges
  assert.deepEqual(parsed(change), [change])
  for (const wrong of [{ from: walletKeyOf(thief) }, { to: walletKeyOf(thief) }, { signature: keyChangeOf(thief, to).signature }])
    assert.throws(() => parsed({ ...change, ...wrong }), /is not signed with it/)
})

test('DEPOSIT-ADDRESS-004: the address of a forwarder follows from chain, factory and place, as the contract computes it', async () => {
  const made = await anvil.deploy('ForwarderFactory', [sink])
  const { abi } = artifactOf('ForwarderFactory')
  const told = (place: number) =>
    anvil.client.readContract({ address: made, abi, functionName: 'addressOf', args: [forwarderPlace(place)] })
  for (const place of [1, 2, 77, 2 ** 31 - 1]) assert.equal(forwarderAddress({ chainId, factory: made }, place), await told(place))
  const places = [
    forwarderAddress({ chainId, factory: made }, 1),
    forwarderAddress({ chainId: 1, factory: made }, 1),
    forwarderAddress({ chainId, factory }, 1),
  ]
  assert.equal(new Set(places).size, 3)
})

test('DEPOSIT-ADDRESS-005: addresses of TRON come from the public key of the account, and are those of the backup words', () => {
  const addresses = new TronAddresses(account.publicExtendedKey)
  for (const place of [0, 1, 12_345]) {
    const secret = account.derive(`m/0/${place}`).privateKey!
    const hash = keccak_256(secp256k1.getPublicKey(secret, false).subarray(1))
    assert.equal(addresses.at(place), toBase58(Uint8Array.of(0x41, ...hash.subarray(-20))))
  }
  // Known from other wallets for these words.
  assert.equal(addresses.at(0), 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH')
  assert.throws(() => new TronAddresses(account.privateExtendedKey), /private key/)
  assert.throws(() => new TronAddresses(account.deriveChild(0).publicExtendedKey), /first account/)
})

test('DEPOSIT-ADDRESS-006: an address of TRON is written in base58 with its checksum, and in no other way', () => {
  const good = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
  assert.equal(toHex20(good), '0xa614f803b6fd780986a42c78ec9c7f77e6ded13c')
  assert.equal(toBase58(fromBase58(good)), good)
  for (const bad of [
    ...['', ' ', `${good} `, good.slice(0, -1), `${good}a`, good.toLowerCase(), good.replace('R', '0')],
    ...['41a614f803b6fd780986a42c78ec9c7f77e6ded13c', '0xa614f803b6fd780986a42c78ec9c7f77e6ded13c', good.replace('7', '8')],
    ...['1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', `\u0422${good.slice(1)}`],
  ])
    assert.throws(() => fromBase58(bad), bad)
})

test('DEPOSIT-SWEEP-001: forwarders send all to the one sink, in batches that no failing address and no lying answer stops', async () => {
  const { abi } = artifactOf('ForwarderFactory')
  for (const name of ['TestToken', 'TestTokenFalse'] as const) {
    const usdt = await anvil.deploy(name, [6])
    const made = await anvil.deploy('ForwarderFactory', [sink])
    const [one, frozen, three, empty] = [1, 2, 3, 4].map((place) => forwarderAddress({ chainId, factory: made }, place))
    await anvil.call(usdt, name, 'issue', [anvil.owner, 10n ** 12n])
    for (const to of [one, frozen, three]) await anvil.call(usdt, name, 'transfer', [to, 5_000_000n])
    await anvil.call(usdt, name, 'setBlackListed', [frozen, true])
    await anvil.mine()
    const balance = (owner: string) =>
      anvil.client.readContract({ address: usdt, abi: artifactOf(name).abi, functionName: 'balanceOf', args: [owner] })
    const flush = async (): Promise<readonly unknown[]> => {
      const hash = await anvil.call(made, 'ForwarderFactory', 'flush', [[1, 2, 3, 4].map(forwarderPlace), usdt], { gas: 3_000_000n })
      await anvil.mine()
      const { blockHash, status } = await anvil.client.getTransactionReceipt({ hash })
      assert.equal(status, 'success')
      const logs = await anvil.client.getContractEvents({ address: made, abi, eventName: 'Flushed', blockHash })
      return logs.map((log) => (log as unknown as { args: { moved: bigint } }).args.moved)
    }
    assert.deepEqual(await flush(), [5_000_000n, 0n, 5_000_000n, 0n])
    assert.deepEqual(await Promise.all([sink, one, frozen, three, empty].map((owner) => balance(owner!))), [
      10_000_000n,
      0n,
      5_000_000n,
      0n,
      0n,
    ])
    // A second time the forwarders are there already.
    await anvil.call(usdt, name, 'setBlackListed', [frozen, false])
    await anvil.call(usdt, name, 'setParams', [100n, 10n ** 9n])
    assert.deepEqual(await flush(), [0n, 4_950_000n, 0n, 0n])
    await anvil.call(one as Hex, 'Forwarder', 'flush', [usdt])
    await anvil.mine()
    assert.equal(await balance(sink), 14_950_000n)
  }
})
