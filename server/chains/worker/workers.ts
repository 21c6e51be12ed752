/** What the process of chains does, again and again: reads networks, credits deposits, issues addresses, pays withdrawals. */
import type { AssetId, NetworkNumber } from '@candor/core/protocol/ids.ts'
import type { Ask, Submit } from '@candor/core/protocol/port.ts'
import type { Refusal } from '@candor/core/protocol/refusal.ts'
import type pg from 'pg'
import type { Clock } from '../../ports.ts'
import { Refused } from '../../refused.ts'
import { AddressBook } from '../addresses/book.ts'
import { Resigner } from '../addresses/resigner.ts'
import type { ChainsConfig, NetworkConfig } from '../config.ts'
import type { DigestSigner } from '../keys.ts'
import { Poster } from '../deposits/poster.ts'
import { noteDigits } from '../deposits/unlisted.ts'
import { Endings } from '../payout/endings.ts'
import { LastingLink } from '../payout/link.ts'
import type { Issue } from '../addresses/wallet.ts'
import { signDead } from './dead.ts'
import type { TokenGate } from '../tokens/gate.ts'
import type { TokenReport } from '../tokens/traits.ts'
import { ReserveMaker } from '../reserves/maker.ts'
import { Treasury } from '../treasury/treasury.ts'
import { Issuer } from './issuer.ts'
import { Keyring } from './keyring.ts'
import { Loop } from './loop.ts'
import { anchorerOf, finisher, type Log, partsOf } from './network.ts'
import { Operators } from './operators.ts'

export type WorkersOptions = {
  readonly pool: pg.Pool
  readonly config: ChainsConfig
  readonly ask: Pick<Ask, 'listing' | 'chainFlows'>
  readonly submit: Submit
  /** Signs for the reconciliation. */
  readonly sign: DigestSigner
  readonly clock: Clock
  readonly log: Log
}

export type Workers = AsyncDisposable & {
  readonly signer: LastingLink
  /** Issues addresses now. */
  poke(): void
}

const scanMs = 1_000
const payMs = 1_500
/** Between two comparisons that found all as it should be, and between looks until one does. */
const compareMs = 60_000
const impatientMs = 5_000
const issueMs = 2_000
const reserveMs = 10_000
const anchorMs = 5_000
const policyMs = 10_000

export async function startWorkers(options: WorkersOptions): Promise<Workers> {
  const { pool, config, ask, clock, log } = options
  const submit = orFault(options.submit)
  await using parts = new AsyncDisposableStack()
  const { assets } = await ask.listing()
  await noteDigits(pool, config.networks)
  const signer = parts.use(new LastingLink(config.signer))
  const poster = new Poster({
    ...{ pool, submit, clock, log },
    networkOf: (name) => numberOf(config, name),
    assetOf: (symbol) => {
      const asset = assets.find((one) => one.symbol === symbol)
      if (asset === undefined) throw new Error(`There is no asset ${symbol}`)
      return asset.id as AssetId
    },
  })
  const loop = (what: string, pollMs: number, turn: () => Promise<unknown>): Loop =>
    parts.use(new Loop({ turn, pollMs, onFault: (cause) => log({ message: `${what} stopped for a moment, trying again`, cause }) }))
  loop('Posting deposits', scanMs, () => poster.turn())
  const wallet = { issue: (about: Issue) => signer.through((link) => link.issue(about)) }
  const book = new AddressBook({ pool, wallet, walletKey: Uint8Array.from(Buffer.from(config.walletKey, 'hex')), clock })
  const resigner = new Resigner({ pool, wallet, walletKey: config.walletKey, changes: config.walletKeyChanges ?? [], log })
  loop('Signing addresses with another key', issueMs, () => resigner.turn())
  const issuer = new Issuer(pool, book)
  const issuing = loop('Issuing addresses', issueMs, () => issuer.turn())
  const keyring = new Keyring(pool, signer, clock)
  loop('Telling the signer of passkeys', issueMs, () => keyring.turn())
  const endings = new Endings({ pool, signer, finish: finisher(submit), clock, log })
  loop('Ending withdrawals without a payment', issueMs, () => endings.turn())
  const operators = new Operators(pool, signer)
  loop('Reading the operators of the signer’s policy', policyMs, () => operators.turn())
  const gates = new Map(
    config.networks.map((network) => [
      network.name,
      startNetwork(network, { ...options, submit, assets, signer, loop, book, policy: () => operators.policy }),
    ]),
  )
  const stoppedTokens = (network: string): readonly TokenReport[] => gates.get(network)?.stopped ?? []
  const reserves = new ReserveMaker({ pool, config, signer, clock })
  loop('Making the statement of reserves', reserveMs, () => reserves.turn().then(() => false))
  for (const network of config.networks) {
    const anchorer = anchorerOf(network, { pool, signer, clock })
    if (anchorer !== undefined) loop(`Writing the newest head to ${network.name}`, anchorMs, () => anchorer.pass())
  }
  // Last, so that it ends first: its turns wait for the readers.
  const treasury = new Treasury({ pool, config, assets, ask, signer, sign: options.sign, clock, log, stoppedTokens })
  let next = 0
  loop('Comparing chains and books', impatientMs, async () => {
    if (clock() >= next && (await treasury.turn())) next = clock() + compareMs
  })
  const owned = parts.move()
  return { signer, poke: () => issuing.poke(), [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

type Ground = WorkersOptions & {
  readonly assets: Awaited<ReturnType<WorkersOptions['ask']['listing']>>['assets']
  readonly signer: LastingLink
  readonly book: AddressBook
  readonly policy: () => number | undefined
  readonly loop: (what: string, pollMs: number, turn: () => Promise<unknown>) => Loop
}

function startNetwork(network: NetworkConfig, { loop, book, ...ground }: Ground): TokenGate {
  const { scanner, crediting, payout, gate } = partsOf({
    ...{ ...ground, network, isAddressGood: (deposit) => book.isGood(deposit) },
    signDead: (name, withdrawal, txids) => signDead({ ...ground, networks: ground.config.networks }, name, withdrawal, txids),
  })
  loop(`Looking at tokens on ${network.name}`, scanMs, () => gate.turn())
  loop(`Reading ${network.name}`, scanMs, async () => {
    const hasMore = await scanner.turn()
    await crediting.turn()
    return hasMore
  })
  loop(`Paying on ${network.name}`, payMs, () => payout.pass().then(() => false))
  return gate
}

/** Refusals that say nothing about a command: it is sent again. */
const passing: readonly Refusal[] = ['UNAVAILABLE', 'STATUS_UNKNOWN', 'CLOCK_UNSYNCED', 'EXCHANGE_FULL']

/** Throws where the core could not take the command now. */
function orFault(submit: Submit): Submit {
  return async (command, keyId) => {
    const outcome = await submit(command, keyId)
    if (outcome.refusal !== undefined && passing.includes(outcome.refusal)) throw new Refused(outcome.refusal)
    return outcome
  }
}

function numberOf(config: ChainsConfig, name: string): NetworkNumber {
  const network = config.networks.find((one) => one.name === name)
  if (network === undefined) throw new Error(`There is no network ${name}`)
  return network.number as NetworkNumber
}
