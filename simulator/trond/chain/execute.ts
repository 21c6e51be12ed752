/** Carries out one transaction in a state: checks, fees, then the contract. What fails there is refused and changes nothing. */
import { addressOf, isAddress, nothing } from '../wire/bytes.ts'
import type { Account, State } from '../state/state.ts'
import type { Payload, Permission, Transaction } from '../wire/transaction.ts'
import { checkSignatures } from './permissions.ts'
import { Refusal } from './refusal.ts'
import { type Bill, energyLeft, type Paid, payBandwidth, payEnergy, take, terms } from './resources.ts'
import { contractAddress, type Log, type Vm, type VmResult } from './vm.ts'

/** What a block says of a transaction in it. Fees in sun. */
export type Receipt = Paid &
  Bill & {
    readonly energyTotal: number
    /** Absent for a transaction without a contract call. */
    readonly result?: VmResult
    readonly contract?: string
    readonly output: Uint8Array
    readonly message: string
    readonly logs: readonly Log[]
  }

export type Moment = { readonly number: number; readonly time: number }

const dayMs = 86_400_000
const energyMax = 100_000_000

/** What the chain knows and a state doesn't. */
export type Surroundings = {
  readonly vm: Vm
  readonly hasTransaction: (txid: string) => boolean
  /** Bytes 8 to 15 of the id of the block with these last two bytes of its number, as hex. */
  readonly reference: (bytes: string) => string | undefined
  /** Time of the newest block. */
  readonly headTime: number
  /** Tries a transaction that nobody has signed yet: signatures and bandwidth are left out. */
  readonly isUnsigned?: boolean
}

/** throws  Refusal, with the state as it was */
export async function execute(state: State, transaction: Transaction, moment: Moment, around: Surroundings): Promise<Receipt> {
  const mark = state.mark()
  try {
    if (around.isUnsigned !== true) checkSignatures(state, transaction)
    checkPlace(transaction, around)
    const paid = around.isUnsigned === true ? unpaid : payForPlace(state, transaction, moment.time)
    const done = await carryOut(state, transaction, moment, around.vm)
    return { ...paid, ...done, fee: paid.fee + done.fee }
  } catch (cause) {
    state.back(mark)
    throw cause
  }
}

const unpaid: Paid = { netUsage: 0, netFee: 0, fee: 0 }

function payForPlace(state: State, transaction: Transaction, time: number): Paid {
  const { payload, signatures } = transaction
  const opensAccount = payload.kind === 'TransferContract' && state.account(payload.to) === undefined
  const paid = payBandwidth(state, transaction, time, opensAccount)
  return signatures.length > 1 ? { ...paid, fee: paid.fee + take(state, payload.owner, terms.multiSignFee) } : paid
}

/** The rules of time and place: reference block, expiry, size, number of contracts, and that the transaction is new. */
function checkPlace(transaction: Transaction, { hasTransaction, reference, headTime }: Surroundings): void {
  const { id, refBytes, refHash, expiration, size, contractCount } = transaction
  const found = reference(refBytes)
  if (found === undefined || found !== refHash) {
    throw new Refusal('TAPOS_ERROR', `Tapos check error. Tapos failed, different block hash, [${refBytes}, ${refHash}]`)
  }
  if (size > terms.transactionBytesMax) throw new Refusal('TOO_BIG_TRANSACTION_ERROR', `Transaction size is too big: ${size}`)
  if (expiration <= headTime || expiration > headTime + dayMs) {
    throw new Refusal(
      'TRANSACTION_EXPIRATION_ERROR',
      `Transaction expired. Transaction expiration, transaction expiration time is ${expiration}, but headBlockTime is ${headTime}`,
    )
  }
  if (contractCount !== 1) throw invalid(`contract size should be exactly 1, this is extend feature ,actual :${contractCount}`)
  if (hasTransaction(id)) throw new Refusal('DUP_TRANSACTION_ERROR', 'Dup transaction. dup trans')
}

type Done = Bill & Omit<Receipt, keyof Paid | keyof Bill> & { readonly fee: number }

const quiet = { energyUsage: 0, energyFee: 0, energyTotal: 0, output: nothing, message: '', logs: [] }

async function carryOut(state: State, transaction: Transaction, moment: Moment, vm: Vm): Promise<Done> {
  const { payload } = transaction
  if (payload.kind === 'TransferContract') return { ...quiet, fee: transfer(state, payload, moment.time) }
  if (payload.kind === 'AccountPermissionUpdateContract') return { ...quiet, fee: updatePermissions(state, payload) }
  return call(state, transaction, payload, moment, vm)
}

function transfer(state: State, { owner, to, amount }: Payload & { readonly kind: 'TransferContract' }, time: number): number {
  const source = accountOf(state, owner)
  if (!isAddress(to)) throw invalid('Invalid toAddress!')
  if (owner === to) throw invalid('Cannot transfer TRX to yourself.')
  if (amount <= 0n) throw invalid('Amount must be greater than 0.')
  const target = state.account(to)
  if (target?.isContract === true) throw invalid('Cannot transfer TRX to a smartContract.')
  const fee = target === undefined ? terms.accountFee : 0
  if (source.balance < amount + BigInt(fee)) throw invalid('Validate TransferContract error, balance is not sufficient.')

  state.setAccount(owner, { ...source, balance: source.balance - amount - BigInt(fee) })
  const opened = state.openAccount(to, time)
  state.setAccount(to, { ...opened, balance: opened.balance + amount })
  return fee
}

function updatePermissions(state: State, payload: Payload & { readonly kind: 'AccountPermissionUpdateContract' }): number {
  const account = accountOf(state, payload.owner)
  const { ownerPermission, actives } = payload
  if (ownerPermission === undefined) throw invalid('owner permission is missed')
  if (actives.length === 0) throw invalid('active permission is missed')
  if (actives.length > 8) throw invalid('active permission is too many')
  if (ownerPermission.type !== 'Owner') throw invalid('owner permission type is error')
  if (actives.some(({ type }) => type !== 'Active')) throw invalid('active permission type is error')
  for (const permission of [ownerPermission, ...actives]) checkPermission(permission)
  if (account.balance < BigInt(terms.permissionFee))
    throw invalid('Validate AccountPermissionUpdateContract error, balance is not sufficient.')

  const numbered = actives.map((active, index): Permission => ({ ...active, id: index + 2 }))
  const balance = account.balance - BigInt(terms.permissionFee)
  state.setAccount(payload.owner, { ...account, balance, owner: { ...ownerPermission, id: 0 }, actives: numbered })
  return terms.permissionFee
}

function checkPermission({ type, keys, threshold, operations, name }: Permission): void {
  if (keys.length === 0) throw invalid("key's count should be greater than 0")
  if (keys.length > 5) throw invalid('number of keys in permission should not be greater than 5')
  if (threshold <= 0) throw invalid("permission's threshold should be greater than 0")
  if (name.length > 32) throw invalid("permission's name is too long")
  if (new Set(keys.map(({ address }) => address)).size < keys.length) throw invalid('address should be distinct in permission')
  if (keys.some(({ address }) => !isAddress(address))) throw invalid('key is not a validate address')
  if (keys.some(({ weight }) => weight <= 0)) throw invalid("key's weight should be greater than 0")
  if (keys.reduce((sum, { weight }) => sum + weight, 0) < threshold) {
    throw invalid("sum of all key's weight should not be less than threshold in permission")
  }
  if (type === 'Active' && operations.length !== 64) throw invalid('operations size must 32')
  if (type !== 'Active' && operations !== '') throw invalid("permission needn't operations")
}

type Call = Payload & { readonly kind: 'TriggerSmartContract' | 'CreateSmartContract' }

/** A reverted or exhausted call is in its block like any other: it keeps its fees, and nothing else. */
async function call(state: State, transaction: Transaction, payload: Call, moment: Moment, vm: Vm): Promise<Done> {
  const { owner, value } = payload
  const caller = accountOf(state, owner)
  if (transaction.feeLimit < 0 || transaction.feeLimit > terms.feeLimitMax) {
    throw invalid(`feeLimit must be >= 0 and <= ${terms.feeLimitMax}`)
  }
  if (value < 0n) throw invalid('callValue must be >= 0')
  if (caller.balance < value) throw invalid('Validate InternalTransfer error, balance is not sufficient.')
  const isCreation = payload.kind === 'CreateSmartContract'
  const to = isCreation ? contractAddress(transaction.id, owner) : payload.contract
  if (isCreation && payload.origin !== owner) throw invalid('OwnerAddress is not equals OriginAddress')
  if (!isCreation && state.contract(to) === undefined) throw invalid('No contract or not a valid smart contract')

  const energyLimit = energyLimitOf(caller, value, transaction.feeLimit, moment.time)
  const data = isCreation ? payload.code : payload.data
  const { result, energy, output, logs } = await vm.run(state, { caller: owner, to, isCreation, data, value, energyLimit, block: moment })
  const contract = state.contract(to)
  if (isCreation && result === 'SUCCESS' && contract !== undefined) state.setContract(to, { ...contract, terms: payload.terms })
  const bill = payEnergy(state, owner, energy, moment.time)
  const message = messageOf(result, energyLimit)
  return { ...bill, fee: bill.energyFee, energyTotal: energy, result, contract: to, output, message, logs }
}

/** Energy that a call may use: `fee_limit` caps staked energy as well. */
export function energyLimitOf(caller: Account, value: bigint, feeLimit: number, time: number): number {
  const affordable = energyLeft(caller, time) + Number((caller.balance - value) / BigInt(terms.energyFee))
  return Math.min(affordable, Math.floor(feeLimit / terms.energyFee), energyMax)
}

/** As `resMessage` and the answers of constant calls say it. */
export function messageOf(result: VmResult, energyLimit: number): string {
  if (result === 'SUCCESS') return ''
  if (result === 'REVERT') return 'REVERT opcode executed'
  if (result === 'OUT_OF_ENERGY') return `Not enough energy: all of ${energyLimit} are used`
  return `The call ended with ${result}`
}

function accountOf(state: State, owner: string): Account {
  if (addressOf(owner) === undefined) throw invalid('Invalid ownerAddress')
  const account = state.account(owner)
  if (account === undefined) throw invalid(`Account [${owner}] does not exist`)
  return account
}

function invalid(message: string): Refusal {
  return new Refusal('CONTRACT_VALIDATE_ERROR', `Contract validate error : ${message}`)
}
