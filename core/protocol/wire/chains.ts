import type { Decimal } from '../../money/brand.ts'

/** How a network writes addresses, and how its transactions look. */
export type NetworkKind = 'evm' | 'tron'

/** A network on which coins come and go. `label`: how customers know it, `TRC20`. */
export type WireNetwork = { readonly name: string; readonly label: string; readonly kind: NetworkKind }

/** Terms of withdrawals of a coin, in the coin. Up to `autoMax` nobody has to approve, up to `singleMax` one person, above it two. */
export type WireWithdrawTerms = {
  readonly isOpen: boolean
  /** Smallest amount, fee included. */
  readonly min: Decimal
  readonly fee: Decimal
  readonly autoMax: Decimal
  readonly singleMax: Decimal
}

/** A coin on a network. `contract`: absent for the network's own coin. */
export type WireNetworkCoin = {
  readonly asset: string
  readonly contract?: string
  /** Smallest deposit that is credited by itself; null: the coin can't be deposited. */
  readonly depositMin: Decimal | null
  /** Null: there are no withdrawals of the coin. */
  readonly withdrawal: WireWithdrawTerms | null
}

/**
 * A network with its coins. `confirmations`: blocks after which a deposit is credited; 0: when its block is final. `creditMs`, `finalMs`:
 * the usual time until it is credited, and until it may be withdrawn. `explorer`: page of a transaction, with `{txid}` in it.
 */
export type WireChainNetwork = WireNetwork & {
  readonly confirmations: number
  readonly creditMs: number
  readonly finalMs: number
  readonly explorer: string | null
  readonly coins: readonly WireNetworkCoin[]
}

/** See `core/proof/deposit-address.ts`. */
export type WireWalletKeyChange = { readonly from: string; readonly to: string; readonly signature: string }

/**
 * The networks of the exchange; none: deposits and withdrawals are not open. `walletKey`: the Ed25519 key that signs deposit addresses, 32
 * bytes in hex. `walletKeyChanges`: how it followed on earlier ones, oldest first; a device that knows an earlier one takes no other
 * explanation. `hasTestDeposits`: test coins can be asked for.
 */
export type WireChains = {
  readonly walletKey: string | null
  readonly walletKeyChanges: readonly WireWalletKeyChange[]
  readonly hasTestDeposits: boolean
  readonly networks: readonly WireChainNetwork[]
}

/** The asset of the debt to repay, and the debts that are left. */
export type WireDebtRepayment = { readonly asset: string }
export type WireDebts = { readonly debts: readonly WireAmount[] }

/** A customer's own address on a network. `signature`: of the wallet service, 64 bytes in hex; see `core/proof/deposit-address.ts`. */
export type WireDepositAddress = {
  readonly network: string
  readonly address: string
  readonly uid: string
  readonly signature: string
}

/**
 * `confirming`: in a block. `credited`: in the account, and may still be taken back. `final`: may be withdrawn. `small`: waits for others.
 * `held`: a person looks at it. `orphaned`: its block vanished. `failed`: it did not happen.
 */
export const depositStates = ['confirming', 'credited', 'final', 'small', 'held', 'orphaned', 'failed'] as const
export type WireDepositState = (typeof depositStates)[number]

export type WireDeposit = {
  readonly id: string
  readonly network: string
  readonly asset: string
  readonly amount: Decimal
  readonly state: WireDepositState
  /** Blocks so far, that of the deposit included, and how many there must be; 0: the block must be final. */
  readonly confirmations: number
  readonly needed: number
  readonly address: string
  readonly txid: string
  readonly seenAt: number
  readonly creditedAt?: number
  readonly finalAt?: number
  /** Of a small one: what waits on the network altogether, and the sum at which it is credited. */
  readonly waiting?: { readonly sum: Decimal; readonly min: Decimal }
}

export type WireAmount = { readonly asset: string; readonly amount: Decimal }

/** `debts`: what the customer owes for deposits that vanished after they were spent. */
export type WireDeposits = { readonly items: readonly WireDeposit[]; readonly next?: string; readonly debts: readonly WireAmount[] }

/** Test coins for the customer's own address; sandbox only. */
export type WireTestDeposit = { readonly network: string; readonly asset: string; readonly amount: Decimal }

/** What limits withdrawals of a customer now. `today`: limit and use of the UTC day, in USDT. `isKeyNeeded`: a passkey signs each. */
export type WireWithdrawStanding = {
  readonly today: { readonly limit: Decimal; readonly used: Decimal }
  /** Deposits that their networks may still drop. They stay in the account. */
  readonly unfinal: readonly WireAmount[]
  readonly debts: readonly WireAmount[]
  readonly isKeyNeeded: boolean
}

/** `address`: id on the withdrawal list. `amount` leaves the account, `amount` − `fee` arrives. */
export type WireWithdrawalWish = {
  readonly clientId: string
  readonly asset: string
  readonly network: string
  readonly address: string
  readonly amount: Decimal
  readonly fee: Decimal
}

/** A wish that can be requested. `passkey`: options for `navigator.credentials.get`, if a passkey must sign it. */
export type WirePreparedWithdrawal = {
  readonly address: string
  readonly received: Decimal
  /** People who have to approve it. */
  readonly people: 0 | 1 | 2
  readonly passkey?: Readonly<Record<string, unknown>>
}

/** `passkey`: the browser's answer to the options. */
export type WireNewWithdrawal = WireWithdrawalWish & {
  readonly paymentPassword: string
  readonly passkey?: Readonly<Record<string, unknown>>
}

export const withdrawalStatuses = ['under-review', 'completed', 'rejected', 'cancelled'] as const
export type WireWithdrawalStatus = (typeof withdrawalStatuses)[number]

/** Steps of a withdrawal. `confirmed`: final on its network, and being booked. `failed`: proved impossible, the amount is back. */
export const withdrawalSteps = ['requested', 'approved', 'sent', 'confirmed', 'completed', 'rejected', 'cancelled', 'failed'] as const
export type WireWithdrawalStep = (typeof withdrawalSteps)[number]

/** `id`: its order number. `label`: the name of the address, while it is on the list. `reason`: of a rejection, as the staff wrote it. */
export type WireWithdrawal = {
  readonly id: string
  readonly network: string
  readonly asset: string
  readonly amount: Decimal
  readonly fee: Decimal
  readonly received: Decimal
  readonly address: string
  readonly label?: string
  readonly status: WireWithdrawalStatus
  readonly step: WireWithdrawalStep
  readonly requestedAt: number
  readonly decidedAt?: number
  readonly endedAt?: number
  readonly reason?: string
  readonly txid?: string
}
