/** Starts a signer from its folder: keys, journal and policy, and the door at which it answers. */
import { statSync } from 'node:fs'
import { type ChainSigner } from './chain-signer.ts'
import { type DepositKeys, openAccount, openGround, openKey } from './file-signer.ts'
import { canonicalAddress, type NetworkPolicy, type Policy, policyText, readPolicy } from './policy.ts'
import { readPassphrase } from './passphrase.ts'
import { CustodyFault } from './reasons.ts'
import type { Lock } from './sealed.ts'
import { takeDoor } from './serve.ts'
import { Signer } from './signer.ts'
import { policyDigest } from './statement.ts'

export type StartOptions = {
  /** Holds keys, journal and policy. Only the signer's user may enter it. */
  readonly folder: string
  /** Path of the socket. */
  readonly door: string
  /** Opens the sealed files. */
  readonly lock: Lock
  /** Opens the key that pays on a network. The default is the sealed file of the role `hot`. */
  readonly openKey?: (network: NetworkPolicy) => Promise<ChainSigner>
  readonly clock?: () => number
  readonly onAlarm?: (why: string) => void
  readonly onFault?: (cause: unknown) => void
}

/** throws  CustodyFault when keys, journal and policy do not belong together, or a signer runs already */
export async function startSigner(options: StartOptions): Promise<AsyncDisposable> {
  const { folder, lock, clock, onAlarm, onFault = () => undefined } = options
  if (process.platform !== 'win32' && (statSync(folder).mode & 0o077) !== 0)
    throw new CustodyFault(`${folder} is open to others: its mode must be 700`)
  await using parts = new AsyncDisposableStack()
  const { journalKey, walletSeed, owner } = await openGround(folder, lock)
  const door = await takeDoor(options.door)
  parts.defer(() => door[Symbol.asyncDispose]())
  const policy = readPolicy(folder, owner)
  const keys = new Map<string, ChainSigner>()
  for (const network of policy.networks) {
    const { name, kind, from } = network
    const open = options.openKey ?? (() => openKey({ folder, role: 'hot', network: name, kind }, canonicalAddress(kind, from), lock))
    keys.set(name, await open(network))
  }
  const { gas, deposits, anchors } = await treasuryKeys(folder, policy, lock)
  const digest = policyDigest(policyText(folder)).toString('hex')
  const signer = new Signer({
    ...{ folder, journalKey, walletSeed, policy, policyDigest: digest, keys, gas, deposits, anchors },
    ...(clock ? { clock } : {}),
    ...(onAlarm ? { onAlarm } : {}),
  })
  parts.defer(() => signer[Symbol.dispose]())
  door.open(signer, onFault)
  // The door closes first, so that no request meets a closed journal.
  parts.use(door)
  return parts.move()
}

/** The keys that sweeps and anchors need, for the networks of which the policy names their addresses. */
async function treasuryKeys(folder: string, policy: Policy, lock: Lock) {
  const gas = new Map<string, ChainSigner>()
  const deposits = new Map<string, DepositKeys>()
  const anchors = new Map<string, ChainSigner>()
  for (const { name, kind, ...own } of policy.networks) {
    const place = { folder, role: 'gas', network: name, kind } as const
    if (own.gas !== undefined) gas.set(name, await openKey(place, canonicalAddress(kind, own.gas), lock))
    const xpub = own.deposits !== undefined && 'xpub' in own.deposits ? own.deposits.xpub : undefined
    if (own.anchor !== undefined) {
      const { from } = own.anchor
      anchors.set(name, await openKey({ ...place, role: 'anchor' }, canonicalAddress(kind, from), lock))
    }
    if (xpub !== undefined) deposits.set(name, await openAccount(folder, name, xpub, lock))
  }
  return { gas, deposits, anchors }
}

type Change = Pick<StartOptions, 'clock'> & {
  /** What opens the files, given the passphrase. The default is the passphrase alone. */
  readonly lockOf?: (passphrase: string) => Lock
}

/** The signer as a process, which ends when it is told to or can't start. `args`: its folder, and the path of its socket. */
export async function runSigner(args: readonly string[], { lockOf = (passphrase) => passphrase, ...change }: Change = {}): Promise<void> {
  const [folder, door] = args
  if (folder === undefined || door === undefined) {
    say('Usage: node server/chains/signer/main.ts FOLDER SOCKET')
    process.exit(2)
  }
  try {
    const signer = await startSigner({
      ...{ ...change, folder, door, lock: lockOf(await readPassphrase()) },
      onAlarm: (why) => say(`ALARM: ${why}. The signer signs nothing any more.`),
      onFault: (cause) => say(`The signer could not answer: ${cause instanceof Error ? cause.message : ''}`),
    })
    say('The signer is ready')
    process.send?.({ type: 'ready' })
    const stop = (): void => void signer[Symbol.asyncDispose]().then(() => process.exit(0))
    process.once('SIGTERM', stop)
    process.once('SIGINT', stop)
    process.once('disconnect', stop)
  } catch (cause) {
    say(cause instanceof Error ? cause.message : String(cause))
    process.exit(1)
  }
}

const say = (text: string): void => void process.stderr.write(`${text}\n`)
