import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { chmodSync, copyFileSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { addressOfKey, type ChainSigner, checked } from '../chain-signer.ts'
import { openGround, openKey, writeKey } from '../file-signer.ts'
import { pkcs11Signer } from '../pkcs11.ts'
import { readPolicy } from '../policy.ts'
import { CustodyFault } from '../reasons.ts'
import { remoteSigner } from '../remote-signer.ts'
import { writeSealed } from '../sealed.ts'
import { assembleEvm, buildEvm } from '../../evm/build.ts'
import { assembleTron, buildTron } from '../../tron/build.ts'
import type { Unsigned } from '../../unsigned.ts'
import { cheapLock } from './cheap.ts'
import { ask, Custody, customerTron, evmSlot, Key, passphrase, softSigner, startProcess, statusOf, usdtTron } from './custody.ts'

const order = secp256k1.Point.CURVE().n

test('SIGNER-KEY-001: a key lies encrypted on disk, readable by its user only, and opens with its passphrase alone', async () => {
  using custody = new Custody()
  await custody.seal(passphrase)
  const path = join(custody.folder, 'hot-ethereum.json')
  assert.equal(statSync(path).mode & 0o777, 0o600)
  const text = readFileSync(path, 'utf8')
  const secret = Buffer.from(custody.evmKey)
  for (const form of ['hex', 'base64', 'latin1'] as const) assert.ok(!text.includes(secret.toString(form)))
  const place = { folder: custody.folder, role: 'hot', network: 'ethereum', kind: 'evm' } as const
  using key = await openKey(place, custody.from('evm'), passphrase)
  assert.equal(addressOfKey('evm', key.publicKey), custody.from('evm'))
  await assert.rejects(openKey(place, custody.from('evm'), `${passphrase}.`), /does not open/)
  await assert.rejects(writeKey(place, custody.evmKey, passphrase), /may exist already/)
  await assert.rejects(writeSealed(join(custody.folder, 'x'), {}, secret, 'short'), /at least 12/)
  chmodSync(path, 0o640)
  await assert.rejects(openKey(place, custody.from('evm'), passphrase), /read by others/)
})

test('SIGNER-KEY-002: a file under another name, or with another label, is refused', async () => {
  using custody = new Custody()
  await custody.seal()
  const { folder } = custody
  const path = (name: string): string => join(folder, `${name}.json`)
  const open = (role: 'hot' | 'gas', address = custody.from('evm')) =>
    openKey({ folder, role, network: 'ethereum', kind: 'evm' }, address, cheapLock(passphrase))
  copyFileSync(path('hot-ethereum'), path('gas-ethereum'))
  await assert.rejects(open('gas'), /not of role gas/)
  // With the label changed, too.
  const text = readFileSync(path('gas-ethereum'), 'utf8')
  writeFileSync(path('gas-ethereum'), text.replace('"role": "hot"', '"role": "gas"'))
  await assert.rejects(open('gas'), /does not open/)
  await assert.rejects(open('hot', custody.from('tron')), /not of address/)
  // The key of another network, with its label.
  const tron = readFileSync(path('hot-tron'), 'utf8')
  writeFileSync(path('hot-ethereum'), tron)
  await assert.rejects(open('hot'), /not of network/)
  writeFileSync(
    path('hot-ethereum'),
    tron.replace('"network": "tron"', '"network": "ethereum"').replace(custody.from('tron'), custody.from('evm')),
  )
  await assert.rejects(open('hot'), /does not open/)
  // The owner of the policy is sealed, too.
  const ground = readFileSync(path('ground'), 'utf8')
  writeFileSync(path('ground'), ground.replace(custody.owner.public, new Key().public))
  await assert.rejects(openGround(folder, cheapLock(passphrase)), /does not open/)
})

test('SIGNER-KEY-003: a signature is checked against key and digest, with the low s and the right recovery id', () => {
  const secret = secp256k1.utils.randomSecretKey()
  const publicKey = secp256k1.getPublicKey(secret, false)
  for (let i = 0; i < 40; i++) {
    const digest = createHash('sha256').update(`${i}`).digest()
    const { r, s } = secp256k1.Signature.fromBytes(secp256k1.sign(digest, secret, { prehash: false }), 'compact')
    const low = checked(digest, { r, s }, publicKey)
    assert.deepEqual(checked(digest, { r, s: order - s }, publicKey), low)
    assert.ok(low.s <= order / 2n)
    assert.throws(() => checked(digest, { r: r + 1n, s }, publicKey))
    assert.throws(() => checked(createHash('sha256').update(digest).digest(), { r, s }, publicKey))
    assert.throws(() => checked(digest, { r, s }, secp256k1.getPublicKey(secp256k1.utils.randomSecretKey(), false)))
  }
})

test('SIGNER-KEY-004: a key in a file signs by RFC 6979', async () => {
  using custody = new Custody()
  const one = Buffer.from('1'.padStart(64, '0'), 'hex')
  const place = { folder: custody.folder, role: 'hot', network: 'ethereum', kind: 'evm' } as const
  using key = await openKey(place, await writeKey(place, one, passphrase), passphrase)
  const digest = createHash('sha256').update('Satoshi Nakamoto').digest()
  const { r, s } = await key.sign({ bytes: digest, digest })
  assert.equal(r.toString(16), '934b1ea10a4b3c1757e2b0c017d0b6143ce3c9a7e6a4a49860d7a6ab210ee3d8')
  assert.equal(s.toString(16), '2442ce9d2b916064108014783e923ec36b49743e2ffa1c4496f01a512aafd9e5')
})

/** A broken device: it signs everything with the same nonce. */
function repeating(secret: Uint8Array): ChainSigner {
  const k = 12_345n
  const r = secp256k1.Point.BASE.multiply(k).toAffine().x % order
  const inverse = secp256k1.Point.Fn.inv(k)
  const d = BigInt(`0x${Buffer.from(secret).toString('hex')}`)
  const sign = async ({ digest }: Unsigned) => ({ r, s: (inverse * (BigInt(`0x${Buffer.from(digest).toString('hex')}`) + r * d)) % order })
  return { publicKey: secp256k1.getPublicKey(secret, false), sign, [Symbol.dispose]: () => undefined }
}

test('SIGNER-KEY-005: a repeated nonce of a signature gives no signature out, and stops the signer for good', async () => {
  using custody = new Custody()
  const alarms: string[] = []
  const keys = new Map([
    ['ethereum', repeating(custody.evmKey)],
    ['tron', softSigner(custody.tronKey)],
  ])
  const signer = await custody.ready({ keys, onAlarm: (why) => alarms.push(why) })
  assert.equal((await ask(signer, custody.request())).ok, true)
  assert.deepEqual(await ask(signer, custody.request(custody.payment({ withdrawal: 2 }))), { ok: false, reason: 'HALTED' })
  assert.deepEqual(alarms, ['the key of ethereum repeated a nonce'])
  assert.equal((await statusOf(signer)).isHalted, true)
  signer[Symbol.dispose]()
  using again = custody.signer()
  assert.equal((await statusOf(again)).isHalted, true)
  assert.deepEqual(await ask(again, custody.request(custody.payTron({ withdrawal: 3 }))), { ok: false, reason: 'HALTED' })
})

test('SIGNER-KEY-006: a key that gives wrong signatures or none is reported, and the same request works once it is right', async () => {
  using custody = new Custody()
  let isBroken = true
  const key = softSigner(custody.evmKey)
  const other = softSigner(secp256k1.utils.randomSecretKey())
  const sign: ChainSigner['sign'] = (unsigned) => (isBroken ? other : key).sign(unsigned)
  using signer = await custody.ready({
    keys: new Map([
      ['ethereum', { ...key, sign }],
      ['tron', softSigner(custody.tronKey)],
    ]),
  })
  assert.deepEqual(await ask(signer, custody.request()), { ok: false, reason: 'KEY_FAILED' })
  assert.deepEqual(await ask(signer, custody.request(custody.payment(), { slot: evmSlot(1) })), { ok: false, reason: 'NONCE_BOUND' })
  isBroken = false
  assert.equal((await ask(signer, custody.request())).ok, true)
  const { publicKey: _, ...wrong } = other
  assert.throws(
    () =>
      custody.signer({
        keys: new Map([
          ['ethereum', { ...wrong, publicKey: other.publicKey }],
          ['tron', other],
        ]),
      }),
    CustodyFault,
  )
})

test('SIGNER-KEY-007: a signature of a hardware module gets the low s and its recovery id', async () => {
  const secret = secp256k1.utils.randomSecretKey()
  const point = secp256k1.getPublicKey(secret, false)
  for (const ecPoint of [point, Buffer.concat([Buffer.of(4, 65), point])]) {
    const session = {
      ecPoint: async () => ecPoint,
      signEcdsa: async (_: string, digest: Uint8Array) => {
        const { r, s } = secp256k1.Signature.fromBytes(secp256k1.sign(digest, secret, { prehash: false }), 'compact')
        return new secp256k1.Signature(r, order - s).toBytes('compact')
      },
      close: () => undefined,
    }
    using key = await pkcs11Signer(session, 'hot')
    const digest = createHash('sha256').update('x').digest()
    assert.ok(checked(digest, await key.sign({ bytes: digest, digest }), key.publicKey).s <= order / 2n)
  }
  const without = { ecPoint: async () => point.subarray(0, 33), signEcdsa: async () => new Uint8Array(), close: () => undefined }
  await assert.rejects(pkcs11Signer(without, 'hot'), CustodyFault)
})

test('SIGNER-KEY-008: a remote keeper gives back exactly the transaction that was built, signed', async () => {
  const secret = secp256k1.utils.randomSecretKey()
  const key = softSigner(secret)
  const intent = { withdrawal: 1, network: 'x', chainId: 1, to: `0x${'11'.repeat(20)}`, value: 5n }
  const slot = { kind: 'evm', nonce: 1, gas: 21_000n, maxFee: 2n, maxTip: 1n } as const
  const tronSlot = { kind: 'tron', refBytes: 'a1b2', refHash: '0011223344556677', timestamp: 1, expiration: 2, feeLimit: 3 } as const
  const cases = [
    { kind: 'evm', mine: buildEvm(intent, slot), other: buildEvm({ ...intent, value: 6n }, slot), assemble: assembleEvm },
    {
      kind: 'tron',
      mine: buildTron({ ...intent, to: customerTron, contract: usdtTron }, tronSlot, addressOfKey('tron', key.publicKey)),
      other: buildTron({ ...intent, to: customerTron }, tronSlot, addressOfKey('tron', key.publicKey)),
      assemble: assembleTron,
    },
  ] as const
  for (const { kind, mine, other, assemble } of cases) {
    const keeper = (signs: Unsigned, bend = (raw: string) => raw) => ({
      sign: async () => {
        const { raw, txid } = assemble(signs, checked(signs.digest, await key.sign(signs), key.publicKey))
        return { raw: bend(raw), txid }
      },
    })
    assert.deepEqual(
      await remoteSigner(keeper(mine), kind, key.publicKey).sign(mine),
      checked(mine.digest, await key.sign(mine), key.publicKey),
    )
    await assert.rejects(remoteSigner(keeper(other), kind, key.publicKey).sign(mine))
    await assert.rejects(
      remoteSigner(
        keeper(mine, (raw) => raw.slice(0, -2)),
        kind,
        key.publicKey,
      ).sign(mine),
    )
    await assert.rejects(remoteSigner({ sign: async () => ({ raw: '', txid: '' }) }, kind, key.publicKey).sign(mine))
  }
})

test('SIGNER-KEY-010: files are sealed at the standard cost of a guess, and a cheaper one does not open', async () => {
  using custody = new Custody()
  const place = { folder: custody.folder, role: 'hot', network: 'ethereum', kind: 'evm' } as const
  const address = await writeKey(place, custody.evmKey, passphrase)
  const path = join(custody.folder, 'hot-ethereum.json')
  const text = readFileSync(path, 'utf8')
  assert.match(text, /"n": 131072,/)
  const withCost = (n: number): void => writeFileSync(path, text.replace('131072', String(n)), { mode: 0o600 })
  // What the file says of its cost is sealed with it.
  withCost(1_024)
  await assert.rejects(openKey(place, address, passphrase), /too cheaply: its N is 1024, and 131072 is the least/)
  await assert.rejects(openKey(place, address, cheapLock(passphrase)), /does not open/)
  withCost(262_144)
  await assert.rejects(openKey(place, address, passphrase), /no sealed file/)

  rmSync(path)
  await writeKey(place, custody.evmKey, cheapLock(passphrase))
  ;(await openKey(place, address, cheapLock(passphrase)))[Symbol.dispose]()
  await assert.rejects(openKey(place, address, passphrase), /too cheaply/)
  await assert.rejects(openKey(place, address, { passphrase, cost: 2_048 }), /too cheaply/)
})

test('SIGNER-KEY-010: the signer’s process does not start with cheaper files', async () => {
  using custody = new Custody()
  await custody.seal()
  const { child, said } = await startProcess(custody, 'main.ts')
  assert.match(said(), /ground\.json is sealed too cheaply/)
  assert.equal(child.exitCode, 1)
})

test('SIGNER-POLICY-002: a policy counts with its owner’s signature alone, and never an older one', async () => {
  using custody = new Custody()
  const { folder, owner } = custody
  assert.equal(readPolicy(folder, owner.public).version, 1)
  const text = readFileSync(join(folder, 'policy.json'), 'utf8')
  writeFileSync(join(folder, 'policy.json'), text.replace('"approvalAbove": 1000000', '"approvalAbove": 9000000'))
  assert.throws(() => readPolicy(folder, owner.public), /did not sign/)
  writeFileSync(join(folder, 'policy.json'), text)
  assert.throws(() => readPolicy(folder, new Key().public), /did not sign/)
  renameSync(join(folder, 'policy.sig'), join(folder, 'old.sig'))
  assert.throws(() => readPolicy(folder, owner.public), CustodyFault)

  custody.writePolicy((policy) => Object.assign(policy, { version: 3 }))
  custody.signer()[Symbol.dispose]()
  custody.writePolicy((policy) => Object.assign(policy, { version: 3, approvalAbove: 5 }))
  assert.throws(() => custody.signer(), /same number/)
  custody.writePolicy((policy) => Object.assign(policy, { version: 2 }))
  assert.throws(() => custody.signer(), /older than number 3/)
})

test('SIGNER-POLICY-003: a policy that contradicts itself is refused', () => {
  using custody = new Custody()
  const bad: readonly ((policy: Parameters<NonNullable<ConstructorParameters<typeof Custody>[0]>>[0]) => unknown)[] = [
    (policy) => policy.networks.push(policy.networks[0]!),
    (policy) => policy.operators.push(policy.operators[0]!),
    (policy) => policy.operators.push({ name: 'dan', keys: policy.operators[0]!.keys }),
    (policy) => policy.operators.push({ name: 'dan', keys: [{ kind: 'ed25519', publicKey: policy.engine }] }),
    (policy) => Object.assign(policy, { login: policy.engine }),
    (policy) => Object.assign(policy, { more: 1 }),
    (policy) => Object.assign(policy, { approvalAbove: -1 }),
    (policy) => Object.assign(policy.networks[0]!, { from: custody.from('tron') }),
    (policy) => Object.assign(policy.networks[1]!, { denied: ['0x'] }),
    (policy) => Object.assign(policy.networks[1]!, { feeMax: 1 }),
  ]
  for (const [i, change] of bad.entries()) assert.throws(() => custody.writePolicy(change), `change ${i}`)
})
