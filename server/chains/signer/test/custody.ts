/** A signer's folder, and all who sign for it: engine, reconciliation, login, two operators, customers with passkeys. Tests bend them. */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { HDKey } from '@scure/bip32'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SoftPasskey } from '../../../identity/factors/test/soft-passkey.ts'
import { addressOfKey, type ChainSigner } from '../chain-signer.ts'
import { SignerLink } from '../connect.ts'
import { writeAccount, writeGround, writeKey } from '../file-signer.ts'
import { beginJournal } from '../journal.ts'
import { type Policy, parsePolicy, policyName, policySignatureName } from '../policy.ts'
import { Signer } from '../signer.ts'
import type { Lock } from '../sealed.ts'
import * as statement from '../statement.ts'
import { type Answer, type Assertion, request as requestSchema, type RequestJson } from '../wire.ts'
import { cheapLock } from './cheap.ts'

export const passphrase = 'correct horse battery staple'
export const page = 'https://candor.example'
export const usdt = '0xdac17f958d2ee523a2206206994597c13d831ec7'
export const usdtTron = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
export const customer = '0x1111111111111111111111111111111111111111'
export const customerTron = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
export const factory = '0x0000000000000000000000000000000000000f12'
export const sink = '0x00000000000000000000000000000000000000c0'
export const sinkTron = 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH'
export const startedAt = Date.UTC(2026, 0, 1)

/** An Ed25519 key and its public part as hex. */
export class Key {
  readonly #key = statement.ed25519Private(randomBytes(32))
  readonly public = statement.ed25519Public(this.#key)

  sign(digest: Buffer): string {
    return statement.signDigest(this.#key, digest)
  }
}

export const passkeyOf = (soft: SoftPasskey): { readonly id: string; readonly publicKey: string } => {
  const made = soft.create({ options: { challenge: 'x', rp: { id: 'candor.example' } } })
  const object = Buffer.from((made['response'] as { attestationObject: string }).attestationObject, 'base64url')
  // The key is the last part of the object: 77 bytes of COSE.
  return { id: made['id'] as string, publicKey: object.subarray(-77).toString('base64url') }
}

export function assertion(soft: SoftPasskey, digest: Buffer, bent: Parameters<SoftPasskey['sign']>[1] = {}): Assertion {
  const made = soft.sign({ options: { challenge: digest.toString('base64url'), rpId: 'candor.example' } }, bent)
  return { id: made['id'] as string, ...(made['response'] as Omit<Assertion, 'id'>) }
}

/** The people and programs around one signer. */
export class Custody implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'candor-signer-'))
  readonly run = join(this.folder, 'run')
  readonly door = join(this.run, 's')
  readonly engine = new Key()
  readonly reconciliation = new Key()
  readonly login = new Key()
  readonly owner = new Key()
  readonly ada = new Key()
  readonly ben = new Key()
  /** An operator with a passkey. */
  readonly cleo = new SoftPasskey(page)
  readonly passkey = new SoftPasskey(page)
  readonly journalKey = randomBytes(32)
  readonly walletSeed = randomBytes(32)
  readonly evmKey = secp256k1.utils.randomSecretKey()
  readonly tronKey = secp256k1.utils.randomSecretKey()
  readonly gasKeys = { ethereum: secp256k1.utils.randomSecretKey(), tron: secp256k1.utils.randomSecretKey() }
  /** Writes heads to the chain, where the policy says so. */
  readonly anchorKey = secp256k1.utils.randomSecretKey()
  /** The account of TRON's deposit addresses. */
  readonly deposits = HDKey.fromMasterSeed(randomBytes(32)).derive("m/44'/195'/0'")
  policy: Policy
  now = startedAt

  constructor(change: (policy: PolicyJson, custody: Custody) => unknown = () => undefined) {
    chmodSync(this.folder, 0o700)
    mkdirSync(this.run, { mode: 0o700 })
    this.policy = this.writePolicy(change)
    beginJournal(this.folder, this.journalKey)
  }

  from(kind: 'evm' | 'tron'): string {
    return addressOfKey(kind, secp256k1.getPublicKey(kind === 'evm' ? this.evmKey : this.tronKey, false))
  }

  gas(network: 'ethereum' | 'tron'): string {
    return addressOfKey(network === 'tron' ? 'tron' : 'evm', secp256k1.getPublicKey(this.gasKeys[network], false))
  }

  get anchor(): string {
    return addressOfKey('evm', secp256k1.getPublicKey(this.anchorKey, false))
  }

  writePolicy(change: (policy: PolicyJson, custody: Custody) => unknown = () => undefined, owner = this.owner): Policy {
    const policy = policyJson(this)
    change(policy, this)
    return this.#writePolicy(policy, owner)
  }

  /** The next version of the policy in force. */
  changePolicy(change: (policy: PolicyJson) => unknown): Policy {
    const policy = JSON.parse(readFileSync(join(this.folder, policyName), 'utf8')) as PolicyJson
    policy.version++
    change(policy)
    return this.#writePolicy(policy, this.owner)
  }

  #writePolicy(policy: PolicyJson, owner: Key): Policy {
    const text = JSON.stringify(policy, undefined, 2)
    writeFileSync(join(this.folder, policyName), text)
    writeFileSync(join(this.folder, policySignatureName), owner.sign(statement.policyDigest(text)))
    this.policy = parsePolicy(text)
    return this.policy
  }

  /** Writes the sealed files, which the signer's process needs. */
  async seal(lock: Lock = cheapLock(passphrase)): Promise<void> {
    await writeGround(this.folder, { journalKey: this.journalKey, walletSeed: this.walletSeed, owner: this.owner.public }, lock)
    const place = { folder: this.folder, role: 'hot' } as const
    await writeKey({ ...place, network: 'ethereum', kind: 'evm' }, this.evmKey, lock)
    await writeKey({ ...place, network: 'tron', kind: 'tron' }, this.tronKey, lock)
    const gas = { folder: this.folder, role: 'gas' } as const
    await writeKey({ ...gas, network: 'ethereum', kind: 'evm' }, this.gasKeys.ethereum, lock)
    await writeKey({ ...gas, network: 'tron', kind: 'tron' }, this.gasKeys.tron, lock)
    await writeKey({ folder: this.folder, role: 'anchor', network: 'ethereum', kind: 'evm' }, this.anchorKey, lock)
    await writeAccount(this.folder, 'tron', this.deposits, lock)
  }

  /** A signer in this process, with the clock of the test. */
  signer(change: Partial<ConstructorParameters<typeof Signer>[0]> = {}): Signer {
    const { folder, journalKey, walletSeed, policy } = this
    const digest = statement.policyDigest(JSON.stringify(policyText(policy))).toString('hex')
    const keys = new Map([
      ['ethereum', softSigner(this.evmKey)],
      ['tron', softSigner(this.tronKey)],
    ])
    const gas = new Map([
      ['ethereum', softSigner(this.gasKeys.ethereum)],
      ['tron', softSigner(this.gasKeys.tron)],
    ])
    const branch = this.deposits.deriveChild(0)
    const account = { at: (place: number) => softSigner(branch.deriveChild(place).privateKey!), [Symbol.dispose]: () => undefined }
    const deposits = new Map([['tron', account]])
    const anchors = new Map([['ethereum', softSigner(this.anchorKey)]])
    return new Signer({
      ...{ gas, deposits, anchors, folder, journalKey, walletSeed, policy, policyDigest: digest, keys, clock: () => this.now },
      ...change,
    })
  }

  /** A signer that knows the customer's passkey for a day, and that the books match. */
  async ready(change: Partial<ConstructorParameters<typeof Signer>[0]> = {}): Promise<Signer> {
    const signer = this.signer(change)
    await ask(signer, this.keyRequest())
    this.now += 86_400_000
    await this.beat(signer)
    return signer
  }

  async beat(signer: Signer, isMatch = true): Promise<Answer> {
    const { seq, head } = await statusOf(signer)
    return ask(signer, this.heartbeat({ at: this.now, isMatch, seq, head }))
  }

  heartbeat(heartbeat: statement.Heartbeat, key = this.reconciliation): RequestJson {
    return { kind: 'heartbeat', heartbeat, signature: key.sign(statement.heartbeatDigest(heartbeat)) }
  }

  keyRequest(user = 7, soft = this.passkey): Extract<RequestJson, { kind: 'key.add' }> {
    const { id, publicKey } = passkeyOf(soft)
    return { kind: 'key.add', user, id, publicKey, engine: this.engine.sign(statement.keyDigest(user, id, publicKey)) }
  }

  payment(change: Partial<statement.Payment> = {}): statement.Payment {
    const withdrawal = change.withdrawal ?? 1
    return {
      ...{ withdrawal, user: 7, clientId: `w${withdrawal}`, network: 'ethereum', chainId: 1 },
      ...{ contract: usdt, to: customer, value: 25_000_000n, ...change },
    }
  }

  payTron(change: Partial<statement.Payment> = {}): statement.Payment {
    return this.payment({ network: 'tron', chainId: 728126428, contract: usdtTron, to: customerTron, ...change })
  }

  /** A request in which everything is right. */
  request(payment = this.payment(), change: Partial<SignJson> = {}): SignJson {
    const slot = payment.network === 'tron' ? this.tronSlot({ timestamp: this.now + payment.withdrawal }) : evmSlot(payment.withdrawal - 1)
    return {
      ...{ kind: 'sign', payment: { ...payment, value: payment.value.toString() }, slot, approvals: [] },
      engine: this.engine.sign(statement.intentDigest(payment)),
      customer: { kind: 'passkey', assertion: assertion(this.passkey, statement.wishDigest(payment)) },
      ...change,
    }
  }

  tronSlot(change: Partial<Extract<SignJson['slot'], { kind: 'tron' }>> = {}): SignJson['slot'] {
    const times = { timestamp: this.now, expiration: this.now + 60_000 }
    return { kind: 'tron', refBytes: 'a1b2', refHash: '0011223344556677', ...times, feeLimit: 30_000_000, ...change }
  }

  approval(name: 'ada' | 'ben', payment = this.payment(), key = this[name]): SignJson['approvals'][number] {
    return { kind: 'ed25519', operator: name, signature: key.sign(statement.approvalDigest(payment)) }
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}

export type SignJson = Extract<RequestJson, { kind: 'sign' }>
export type PolicyJson = ReturnType<typeof policyJson>

export const evmSlot = (nonce: number, fee = 30_000_000_000n): SignJson['slot'] => ({
  ...{ kind: 'evm', nonce, gas: '90000', maxFee: fee.toString(), maxTip: (fee / 10n).toString() },
})

function policyJson(custody: Custody) {
  const caps = () => ({ payment: 10_000_000, hour: 20_000_000, day: 50_000_000 })
  return {
    version: 1,
    ...{ engine: custody.engine.public, reconciliation: custody.reconciliation.public, login: custody.login.public },
    operators: [
      { name: 'ada', keys: [{ kind: 'ed25519', publicKey: custody.ada.public }] },
      { name: 'ben', keys: [{ kind: 'ed25519', publicKey: custody.ben.public }] },
      { name: 'cleo', keys: [{ kind: 'passkey', ...passkeyOf(custody.cleo) }] },
    ],
    passkeys: { rpId: 'candor.example', origins: [page] },
    networks: [
      {
        ...{ name: 'ethereum', kind: 'evm', chainId: 1, from: custody.from('evm') },
        tokens: [
          { asset: 'USDT', contract: usdt, decimals: 6, cents: 100 },
          { asset: 'ETH', decimals: 18, cents: 500_000 },
        ],
        denied: ['0x2222222222222222222222222222222222222222'],
        ...{ deposits: { factory }, sink, gas: custody.gas('ethereum') },
        ...{ feeMax: '10000000000000000', feeDay: '100000000000000000', caps: caps() },
      },
      {
        ...{ name: 'tron', kind: 'tron', chainId: 728126428, from: custody.from('tron') },
        tokens: [
          { asset: 'USDT', contract: usdtTron, decimals: 6, cents: 100 },
          { asset: 'TRX', decimals: 6, cents: 40 },
        ],
        ...{ deposits: { xpub: custody.deposits.publicExtendedKey }, sink: sinkTron, gas: custody.gas('tron') },
        ...{ denied: [], feeMax: '50000000', feeDay: '500000000', caps: caps() },
      },
    ],
    caps: { hour: 30_000_000, day: 80_000_000, userDay: 12_000_000 },
    approvalAbove: 1_000_000,
    attested: { payment: 100_000, userDay: 150_000, day: 1_000_000 },
  }
}

const policyText = (policy: Policy): unknown =>
  JSON.parse(JSON.stringify(policy, (_, value) => (typeof value === 'bigint' ? `${value}` : value)))

export function softSigner(key: Uint8Array): ChainSigner {
  return {
    publicKey: secp256k1.getPublicKey(key, false),
    sign: async ({ digest }) => secp256k1.Signature.fromBytes(secp256k1.sign(digest, key, { prehash: false }), 'compact'),
    [Symbol.dispose]: () => undefined,
  }
}

/** Sends a request as the link would. */
export function ask(signer: Pick<Signer, 'answer'>, json: RequestJson): Promise<Answer> {
  return signer.answer(requestSchema.parse(JSON.parse(JSON.stringify(json))))
}

export async function statusOf(signer: Pick<Signer, 'answer'>) {
  const answer = await signer.answer({ kind: 'status' })
  if (!('status' in answer)) throw new Error('no status')
  return answer.status
}

/** The signer's own process. `entry`: `'main.ts'` opens files of the standard cost only, as in production. */
export async function startProcess(
  custody: Custody,
  entry = 'test/cheap-signer.ts',
): Promise<{ readonly child: ChildProcess; readonly said: () => string }> {
  writeFileSync(join(custody.run, 'candor-signer'), `${passphrase}\n`, { mode: 0o600 })
  const child = spawn(process.execPath, [join(import.meta.dirname, '..', entry), custody.folder, custody.door], {
    env: { CREDENTIALS_DIRECTORY: custody.run },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  await new Promise<void>((resolve) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text
      if (said.includes('ready')) resolve()
    })
    child.on('exit', () => resolve())
  })
  return { child, said: () => said }
}

export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await gone
}

export const openLink = (custody: Custody): Promise<SignerLink> => SignerLink.open(custody.door)
