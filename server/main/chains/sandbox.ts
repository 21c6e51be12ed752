/**
 * The chains of a sandbox: keys that nobody saw, a signed policy, and the file of networks, all in one folder. Production has them from
 * a ceremony and from its operator.
 */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type ChainsConfig, chainsFileName, parseChains } from '../../chains/config.ts'
import { keyFile, keyNames, readKey } from '../../chains/keys.ts'
import { drawAnchor, drawKeys, type Public, publicName } from '../../chains/signer/ceremony.ts'
import { addressOfKey } from '../../chains/signer/chain-signer.ts'
import { credentialName } from '../../chains/signer/passphrase.ts'
import { policyKeyName, signPolicy } from '../../chains/signer/policy-file.ts'
import { parsePolicy, policyName } from '../../chains/signer/policy.ts'
import type { Lock } from '../../chains/signer/sealed.ts'
import { ed25519Public } from '../../chains/signer/statement.ts'
import { socketPath } from '../../engine/link-path.ts'

/** Folders and files of a sandbox's chains. */
export const placesIn = (dataFolder: string) => {
  const folder = join(dataFolder, 'chains')
  return {
    folder,
    /** Of the signer alone. */
    signer: join(folder, 'signer'),
    credentials: join(folder, 'credentials'),
    /** Blocks of the test chains. */
    blocks: join(folder, 'blocks'),
    door: socketPath(join(folder, 'door'), 'signer.sock'),
  }
}
export type Places = ReturnType<typeof placesIn>

const sealedBy = (passphrase: string): Lock => passphrase

type Own = { readonly hot: string; readonly gas: string; readonly sink: string }
/** `anchor`: the address that writes heads to the chain. */
export type OwnAddresses = { readonly ethereum: Own & { readonly anchor: string }; readonly tron: Own }
type Chain = { readonly url: string; readonly chainId: number; readonly token: string }
/** What the process of the test chains tells. */
export type TestChainsReady = {
  readonly ethereum: Chain
  readonly tron: Chain & { readonly solidUrl: string }
  readonly factory: string
  readonly faucet: string
}

/** Makes what is missing. Returns the exchange's own addresses. `lockOf`: what seals the keys, given the passphrase. */
export async function prepareKeys(places: Places, lockOf = sealedBy): Promise<OwnAddresses> {
  const { folder, signer, credentials, door } = places
  for (const each of [folder, credentials, dirname(door)]) mkdirSync(each, { recursive: true, mode: 0o700 })
  for (const name of keyNames) once(keyFile(folder, name), () => randomBytes(32).toString('hex'))
  const passphrase = once(join(credentials, credentialName), () => randomBytes(24).toString('base64url'))
  const sinks = JSON.parse(once(join(folder, 'cold.json'), () => JSON.stringify(coldKeys()))) as Record<'ethereum' | 'tron', string>
  // A stop within the drawing leaves keys that nothing was ever sent to.
  if (!existsSync(join(signer, publicName))) await drawKeys(signer, lockOf(passphrase))
  const { addresses } = readPublic(places)
  const sinkOf = (network: 'ethereum' | 'tron'): string =>
    addressOfKey(network === 'tron' ? 'tron' : 'evm', secp256k1.getPublicKey(Buffer.from(sinks[network], 'hex'), false))
  const own = (network: 'ethereum' | 'tron'): Own => ({
    ...{ hot: addresses.hot[network]!, gas: addresses.gas[network]!, sink: sinkOf(network) },
  })
  return { ethereum: { ...own('ethereum'), anchor: await anchorOf(places, lockOf(passphrase)) }, tron: own('tron') }
}

/** Drawn once. A stop before its address is noted leaves a key that nothing was ever sent to. */
async function anchorOf({ folder, signer }: Places, lock: Lock): Promise<string> {
  const noted = join(folder, 'anchor.json')
  if (!existsSync(noted)) {
    rmSync(join(signer, 'anchor-ethereum.json'), { force: true })
    replace(noted, JSON.stringify(await drawAnchor(signer, 'ethereum', lock)))
  }
  return JSON.parse(readFileSync(noted, 'utf8')) as string
}

/** Keys of the addresses that take what customers sent. A sandbox keeps them here; production, far from every machine. */
function coldKeys(): Record<'ethereum' | 'tron', string> {
  const draw = (): string => Buffer.from(secp256k1.utils.randomSecretKey()).toString('hex')
  return { ethereum: draw(), tron: draw() }
}

/** Writes the file of networks, and the policy if it says something new. `origins`: pages on which customers use their passkeys. */
export async function writeSettings(
  places: Places,
  own: OwnAddresses,
  ready: TestChainsReady,
  origins: readonly string[],
  lockOf = sealedBy,
): Promise<ChainsConfig> {
  const { folder, signer, door } = places
  const shared = readPublic(places)
  const config = parseChains(
    JSON.stringify({
      ...{ walletKey: shared.walletKey, signer: door, faucet: ready.faucet },
      networks: [
        {
          ...{ name: 'tron', number: 2, kind: 'tron', label: 'TRC20', chainId: ready.tron.chainId },
          ...{ nodes: [{ url: ready.tron.url, solidUrl: ready.tron.solidUrl }], confirmations: 0 },
          tokens: [
            { asset: 'USDT', contract: ready.tron.token, decimals: 6, depositMin: '1' },
            { asset: 'TRX', decimals: 6, depositMin: '5' },
          ],
          ...{ ...own.tron, deposits: { xpub: shared.deposit['tron']! }, feeMax: '50000000' },
        },
        {
          ...{ name: 'ethereum', number: 1, kind: 'evm', label: 'ERC20', chainId: ready.ethereum.chainId },
          ...{ nodes: [{ url: ready.ethereum.url }], confirmations: 12 },
          tokens: [
            { asset: 'USDT', contract: ready.ethereum.token, decimals: 6, depositMin: '1' },
            { asset: 'ETH', decimals: 18, depositMin: '0.001' },
          ],
          ...{ ...own.ethereum, deposits: { factory: ready.factory }, feeMax: '20000000000000000' },
        },
      ],
    } satisfies ChainsConfig),
  )
  await writePolicy(places, config, origins, lockOf)
  replace(join(folder, chainsFileName), JSON.stringify(config, undefined, 2))
  if (!existsSync(join(signer, policyName))) throw new Error('The policy of the sandbox is missing')
  return config
}

/** What a coin is worth to the caps, in hundredths of a USDT: at least as much as its simulated price. */
const cents: Readonly<Record<string, number>> = { USDT: 105, ETH: 400_000, TRX: 50 }

/** Caps of a sandbox, in hundredths of a USDT: high enough to practise with, low enough to meet. */
const caps = { payment: 5_000_000, hour: 20_000_000, day: 50_000_000 }

async function writePolicy(
  { folder, signer, credentials }: Places,
  { networks }: ChainsConfig,
  origins: readonly string[],
  lockOf: (passphrase: string) => Lock,
): Promise<void> {
  const publicOf = (name: (typeof keyNames)[number]): string => ed25519Public(readKey(folder, name))
  const rpId = new URL(origins[0]!).hostname
  const policyOf = (version: number): string =>
    JSON.stringify(
      {
        ...{ version, engine: publicOf('engine'), reconciliation: publicOf('reconciliation'), login: publicOf('login') },
        ...{ operators: [], passkeys: { rpId, origins } },
        networks: networks.map(({ name, kind, chainId, hot, gas, sink, anchor, tokens, feeMax, deposits }) => ({
          ...{ name, kind, chainId, from: hot, gas, sink, deposits },
          tokens: tokens.map(({ asset, contract, decimals }) => ({
            asset,
            ...(contract === undefined ? {} : { contract }),
            decimals,
            cents: cents[asset]!,
          })),
          ...{ denied: [gas, sink], feeMax, feeDay: String(BigInt(feeMax) * 500n), caps },
          reserves: { deposits: 200 },
          ...(anchor === undefined ? {} : { anchor: { from: anchor, feeMax, feeDay: feeMax } }),
        })),
        caps: { hour: 30_000_000, day: 60_000_000, userDay: 10_000_000 },
        ...{ approvalAbove: 5_000_000, attested: { payment: 5_000_000, userDay: 10_000_000, day: 50_000_000 } },
      },
      undefined,
      2,
    )
  const path = join(signer, policyName)
  const version = existsSync(path) ? parsePolicy(readFileSync(path, 'utf8')).version : 0
  if (version > 0 && readFileSync(path, 'utf8') === policyOf(version)) return
  replace(path, policyOf(version + 1))
  await signPolicy(signer, join(signer, policyKeyName), lockOf(readFileSync(join(credentials, credentialName), 'utf8')))
}

const readPublic = ({ signer }: Places): Public => JSON.parse(readFileSync(join(signer, publicName), 'utf8')) as Public

/** The content of a file that only this user reads, made now if it is missing. */
function once(file: string, make: () => string): string {
  if (!existsSync(file)) replace(file, make())
  return readFileSync(file, 'utf8')
}

function replace(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}
