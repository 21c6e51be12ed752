import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { HDKey } from '@scure/bip32'
import { mnemonicToSeedSync } from '@scure/bip39'
import { mnemonicToAccount } from 'viem/accounts'
import { holdCeremony } from '../ceremony.ts'
import { SignerLink } from '../connect.ts'
import { openGround, openKey } from '../file-signer.ts'
import { signPolicy } from '../policy-file.ts'
import { readPolicy } from '../policy.ts'
import { startSigner } from '../start.ts'
import type { Terminal } from '../terminal.ts'
import { factory, passphrase, sink, sinkTron } from './custody.ts'

/** A person at a terminal, who writes the words on paper and types them in again. */
class Person implements Terminal {
  readonly paper = new Map<string, string>()
  readonly screen: string[] = []
  passphrases: string[] = [passphrase, passphrase]
  /** How often the words of a role are typed wrongly. */
  readonly wrong: Map<string, number>
  #holder = ''

  constructor(wrong: Record<string, number> = {}) {
    this.wrong = new Map(Object.entries(wrong))
  }

  show(line: string): void {
    this.screen.push(line)
    const title = /^Backup words of (\w+)/.exec(line)?.[1]
    if (title !== undefined) this.paper.set((this.#holder = title), '')
    else if (/^ +\d+ [a-z]/.test(line)) {
      const words = line
        .trim()
        .split(/\s+/)
        .filter((each) => !/^\d/.test(each))
      this.paper.set(this.#holder, `${this.paper.get(this.#holder)} ${words.join(' ')}`.trim())
    }
  }

  ask = async (): Promise<string> => ''

  askHidden = async (question: string): Promise<string> => {
    const holder = /words of (\w+)/.exec(question)?.[1]
    if (holder === undefined) return this.passphrases.shift() ?? ''
    const left = this.wrong.get(holder) ?? 0
    this.wrong.set(holder, left - 1)
    const words = this.paper.get(holder) ?? ''
    return left > 0 ? words.split(' ').toReversed().join(' ') : ` ${words.toUpperCase()}  `
  }
}

function place(): { readonly folder: string } & Disposable {
  const base = mkdtempSync(join(tmpdir(), 'candor-ceremony-'))
  return { folder: join(base, 'signer'), [Symbol.dispose]: () => rmSync(base, { recursive: true }) }
}

test('SIGNER-CEREMONY-001: each role gets 24 words of its own, shown once and asked for again; the same words give the same addresses', async () => {
  using first = place()
  const person = new Person({ hot: 2 })
  const shown = await holdCeremony({ folder: first.folder, terminal: person })
  assert.deepEqual([...person.paper.keys()], ['policy', 'deposit', 'hot', 'gas'])
  assert.equal(new Set(person.paper.values()).size, 4)
  for (const words of person.paper.values()) {
    assert.equal(words.split(' ').length, 24)
    assert.equal(person.screen.filter((line) => line.includes(words.split(' ').slice(0, 2).join(' '))).length <= 1, true)
  }
  // Each screen of words is cleared before they are asked for.
  assert.equal(person.screen.filter((line) => line.includes('\u001b[2J')).length, 4)
  const hot = person.paper.get('hot') ?? ''
  assert.equal(shown.addresses.hot['ethereum'], mnemonicToAccount(hot).address.toLowerCase())
  const account = HDKey.fromMasterSeed(mnemonicToSeedSync(person.paper.get('deposit') ?? '')).derive("m/44'/195'/0'")
  assert.equal(shown.deposit['tron'], account.publicExtendedKey)

  using second = place()
  const again = new Person()
  for (const [holder, words] of person.paper) again.paper.set(holder, words)
  assert.deepEqual(await holdCeremony({ folder: second.folder, terminal: again, isRestored: true }), shown)
})

test('SIGNER-CEREMONY-002: what is written opens with the passphrase alone, and the public file holds nothing secret', async () => {
  using at = place()
  const person = new Person()
  const { addresses, owner } = await holdCeremony({ folder: at.folder, terminal: person })
  assert.equal(statSync(at.folder).mode & 0o777, 0o700)
  assert.equal((await openGround(at.folder, passphrase)).owner, owner)
  for (const role of ['hot', 'gas'] as const) {
    for (const [network, kind] of [
      ['ethereum', 'evm'],
      ['tron', 'tron'],
    ] as const) {
      const key = await openKey({ folder: at.folder, role, network, kind }, addresses[role][network] ?? '', passphrase)
      key[Symbol.dispose]()
    }
  }
  for (const name of readdirSync(at.folder)) {
    const text = readFileSync(join(at.folder, name), 'utf8')
    assert.ok(!text.includes('xprv'), name)
    for (const words of person.paper.values())
      assert.ok(
        !words
          .split(' ')
          .slice(0, 2)
          .every((word) => text.includes(`${word} `)),
        name,
      )
    const isOpen = ['public.json', 'policy.draft.json'].includes(name)
    assert.equal(statSync(join(at.folder, name)).mode & 0o777, isOpen ? 0o644 : 0o600, name)
  }
})

test('SIGNER-CEREMONY-003: words or a passphrase that are not repeated leave nothing behind, and a used folder is left alone', async () => {
  using at = place()
  const short = new Person()
  short.passphrases = ['short', 'short']
  const different = new Person()
  different.passphrases = [passphrase, `${passphrase}.`]
  const noWords = new Person()
  const same = new Person()
  const words = `${'abandon '.repeat(23)}art`
  for (const holder of ['policy', 'deposit', 'hot', 'gas']) same.paper.set(holder, words)
  const cases = [
    [{ terminal: short }, /at least 12/],
    [{ terminal: different }, /not the same/],
    [{ terminal: new Person({ gas: 3 }) }, /nothing was written/],
    [{ terminal: noWords, isRestored: true }, /nothing was written/],
    [{ terminal: same, isRestored: true }, /another role/],
  ] as const
  for (const [options, message] of cases) {
    await assert.rejects(holdCeremony({ folder: at.folder, ...options }), message)
    assert.ok(!existsSync(at.folder))
  }
  mkdirSync(at.folder)
  writeFileSync(join(at.folder, 'ground.json'), '')
  await assert.rejects(holdCeremony({ folder: at.folder, terminal: new Person() }), /not empty/)
})

test('SIGNER-CEREMONY-004: the draft of a policy can’t be signed before it is filled in; signed, the signer starts with it', async () => {
  using at = place()
  const { folder } = at
  const { owner, walletKey } = await holdCeremony({ folder, terminal: new Person() })
  const draft = readFileSync(join(folder, 'policy.draft.json'), 'utf8')
  const policy = join(folder, 'policy.json')
  const keyFile = join(folder, 'policy-key.json')
  writeFileSync(policy, draft)
  await assert.rejects(signPolicy(folder, keyFile, passphrase), /not complete/)
  let digit = 0
  const filled = draft
    .replace(/<(?:first|second) operator>/g, () => `operator-${++digit}`)
    .replace(/<id>/g, () => `passkey-${++digit}`)
    .replace(/<public key[^>]*>/g, () => String(++digit).repeat(64).slice(0, 64))
    .replace('<address of the factory of forwarders>', factory)
    .replace('<address that takes what customers sent>', sink)
    .replace('<address that takes what customers sent>', sinkTron)
    .replace(/<(https:\/\/)?domain[^>]*>/g, (_, scheme = '') => `${scheme}candor.example`)
  writeFileSync(policy, filled)
  await assert.rejects(signPolicy(folder, keyFile, `${passphrase}.`), /does not open/)
  assert.equal(await signPolicy(folder, keyFile, passphrase), 1)
  assert.equal(readPolicy(folder, owner).approvalAbove, 500_000)
  mkdirSync(join(folder, 'run'), { mode: 0o700 })
  const door = join(folder, 'run', 's')
  await using _ = await startSigner({ folder, door, lock: passphrase })
  using link = await SignerLink.open(door)
  assert.equal((await link.status()).walletKey, walletKey)
})
