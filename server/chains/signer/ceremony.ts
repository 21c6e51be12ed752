/**
 * The ceremony: draws the keys of a signer's folder, shows the backup words of each once and asks for them again. Nothing is written
 * before all words were repeated. What the other programs may know goes into a file of its own.
 */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { HDKey } from '@scure/bip32'
import { entropyToMnemonic, mnemonicToSeed, validateMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { createHmac, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { NetworkKind } from '../ports.ts'
import { type Role, roles, writeAccount, writeGround, writeKey } from './file-signer.ts'
import { beginJournal } from './journal.ts'
import { draftName, draftPolicy, policyKeyName } from './policy-file.ts'
import { CustodyFault } from './reasons.ts'
import { type Lock, passphraseMin, writeNew, writeSealed } from './sealed.ts'
import { ed25519Private, ed25519Public } from './statement.ts'
import type { Terminal } from './terminal.ts'
import { walletKeyOf, walletSeedOf } from './wallet.ts'

/** Who gets words of their own: the owner of the policy, and each role of keys. */
const holders = ['policy', ...roles] as const
type Holder = (typeof holders)[number]
/** BIP-44 accounts. */
const accounts: Readonly<Record<NetworkKind, string>> = { evm: "m/44'/60'/0'", tron: "m/44'/195'/0'" }
const networks = [
  { network: 'ethereum', kind: 'evm' },
  { network: 'tron', kind: 'tron' },
] as const
const wordCount = 24
const triesMax = 3
/** Clears a terminal's screen and what scrolled out of it. */
const clear = '\u001b[2J\u001b[3J\u001b[H'

/** File with what other programs may know: addresses, and public keys from which deposit addresses are derived. */
export const publicName = 'public.json'

export type Public = {
  /** Public key of the policy's owner. */
  readonly owner: string
  /** Public key by which deposit addresses are checked. */
  readonly walletKey: string
  readonly addresses: Readonly<Record<Exclude<Role, 'deposit'>, Readonly<Record<string, string>>>>
  /** Extended public keys of the accounts of deposits, by network. */
  readonly deposit: Readonly<Record<string, string>>
}

type Ceremony = {
  readonly folder: string
  readonly terminal: Terminal
  /** The words exist on paper: they are asked for instead of drawn. */
  readonly isRestored?: boolean
}

/** throws  CustodyFault when the folder is not empty, or words or passphrase were not repeated rightly; then nothing is left behind */
export async function holdCeremony({ folder, terminal, isRestored = false }: Ceremony): Promise<Public> {
  if (existsSync(folder) && readdirSync(folder).length > 0) throw new CustodyFault(`${folder} is not empty`)
  const passphrase = await newPassphrase(terminal)
  const words = new Map<Holder, string>()
  for (const holder of holders) {
    words.set(holder, isRestored ? await oldWords(holder, terminal) : await newWords(holder, terminal))
    if (new Set(words.values()).size < words.size) throw new CustodyFault('These words were given for another role already')
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return writeAll(folder, words, passphrase)
}

/** Keys without a ceremony, for a sandbox: nobody ever sees the words. */
export function drawKeys(folder: string, lock: Lock): Promise<Public> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return writeAll(folder, new Map(holders.map((holder) => [holder, drawWords()])), lock)
}

/** Draws the key that writes heads to an EVM network. Returns its address. throws  CustodyFault when there is one */
export function drawAnchor(folder: string, network: string, lock: Lock): Promise<string> {
  return writeKey({ folder, role: 'anchor', network, kind: 'evm' }, secp256k1.utils.randomSecretKey(), lock)
}

const drawWords = (): string => entropyToMnemonic(randomBytes(32), wordlist)

async function newPassphrase(terminal: Terminal): Promise<string> {
  const first = await terminal.askHidden(`Passphrase of the key files, at least ${passphraseMin} characters: `)
  if (first.length < passphraseMin) throw new CustodyFault(`The passphrase has at least ${passphraseMin} characters`)
  if ((await terminal.askHidden('The same again: ')) !== first) throw new CustodyFault('The two are not the same')
  return first
}

async function newWords(holder: Holder, terminal: Terminal): Promise<string> {
  const words = drawWords()
  const rows = words.split(' ').map((word, i) => `${String(i + 1).padStart(2)} ${word.padEnd(10)}`)
  terminal.show(`Backup words of ${holder}. Write them on paper. They are not shown again.`)
  for (let i = 0; i < rows.length; i += 6) terminal.show(`  ${rows.slice(i, i + 6).join(' ')}`)
  await terminal.ask('Press Enter once they are on paper. ')
  terminal.show(clear)
  for (let tries = 0; tries < triesMax; tries++) {
    if ((await askWords(holder, terminal)) === words) return words
    terminal.show('These are not the words.')
  }
  throw new CustodyFault(`The words of ${holder} were not repeated: nothing was written`)
}

async function oldWords(holder: Holder, terminal: Terminal): Promise<string> {
  for (let tries = 0; tries < triesMax; tries++) {
    const words = await askWords(holder, terminal)
    if (words.split(' ').length === wordCount && validateMnemonic(words, wordlist)) return words
    terminal.show('These are no backup words.')
  }
  throw new CustodyFault(`The words of ${holder} were not given: nothing was written`)
}

async function askWords(holder: Holder, terminal: Terminal): Promise<string> {
  const line = await terminal.askHidden(`The ${wordCount} words of ${holder}, with spaces between: `)
  return line.trim().toLowerCase().split(/\s+/).join(' ')
}

async function writeAll(folder: string, words: ReadonlyMap<Holder, string>, lock: Lock): Promise<Public> {
  const seedOf = (holder: Holder): Promise<Uint8Array> => mnemonicToSeed(words.get(holder) ?? '')
  const policyKey = policyKeyOf(await seedOf('policy'))
  const owner = ed25519Public(ed25519Private(policyKey))
  await writeSealed(join(folder, policyKeyName), { what: 'policy', owner }, policyKey, lock)
  const journalKey = randomBytes(32)
  const walletSeed = walletSeedOf(await seedOf('deposit'))
  await writeGround(folder, { journalKey, walletSeed, owner }, lock)
  const addresses = { hot: {} as Record<string, string>, gas: {} as Record<string, string> }
  const deposit: Record<string, string> = {}
  for (const { network, kind } of networks) {
    for (const role of ['hot', 'gas'] as const) {
      const { privateKey } = accountOf(await seedOf(role), kind)
        .deriveChild(0)
        .deriveChild(0)
      if (privateKey === null) throw new CustodyFault('No private key follows from the words')
      addresses[role][network] = await writeKey({ folder, role, network, kind }, privateKey, lock)
    }
    const account = accountOf(await seedOf('deposit'), kind)
    deposit[network] = account.publicExtendedKey
    await writeAccount(folder, network, account, lock)
  }
  beginJournal(folder, journalKey)
  const shown: Public = { owner, walletKey: walletKeyOf(walletSeed), addresses, deposit }
  writeNew(join(folder, publicName), `${JSON.stringify(shown, undefined, 2)}\n`, 0o644)
  writeNew(join(folder, draftName), draftPolicy({ ...addresses, deposit }), 0o644)
  return shown
}

const accountOf = (seed: Uint8Array, kind: NetworkKind): HDKey => HDKey.fromMasterSeed(seed).derive(accounts[kind])

const policyKeyOf = (seed: Uint8Array): Buffer => createHmac('sha256', 'candor policy 1').update(seed).digest()
