/** Blocks, transactions, receipts and accounts as `/wallet/*` writes them. Values that are zero or empty are left out. */
import { type Block, headerJson } from '../chain/block.ts'
import type { Found } from '../chain/chain.ts'
import { permissionOf } from '../chain/permissions.ts'
import { left, terms } from '../chain/resources.ts'
import type { State } from '../state/state.ts'
import { toBase58, toHex } from '../wire/bytes.ts'
import { typeOf } from '../wire/definitions.ts'
import { decodeJson, type Json } from '../wire/json.ts'
import { type Permission, type Transaction, transactionJson } from '../wire/transaction.ts'

export function blockJson(block: Block, isVisible: boolean, isDetailed = true): Json {
  const transactions = block.transactions.map((transaction, place) => minedJson(transaction, block.receipts[place].result, isVisible))
  return {
    blockID: block.id,
    block_header: headerJson(block),
    ...(isDetailed && transactions.length > 0 ? { transactions } : {}),
  }
}

export function foundJson({ transaction, receipt }: Found, isVisible: boolean): Json {
  return minedJson(transaction, receipt.result, isVisible)
}

function minedJson(transaction: Transaction, result: string | undefined, isVisible: boolean): Json {
  return { ret: [{ contractRet: result ?? 'SUCCESS' }], ...transactionJson(transaction, isVisible) }
}

/** The receipt as `gettransactioninfobyid` writes it. Addresses of logs have 20 bytes. */
export function infoJson({ block, transaction, receipt }: Found, isVisible: boolean): Json {
  const { result, contract, logs, message } = receipt
  const isFailed = result !== undefined && result !== 'SUCCESS'
  return {
    id: transaction.id,
    ...present({ fee: receipt.fee }),
    blockNumber: block.number,
    blockTimeStamp: block.time,
    contractResult: [toHex(receipt.output)],
    ...(contract === undefined ? {} : { contract_address: printed(contract, isVisible) }),
    receipt: {
      ...present({
        energy_usage: receipt.energyUsage,
        energy_fee: receipt.energyFee,
        energy_usage_total: receipt.energyTotal,
        net_usage: receipt.netUsage,
        net_fee: receipt.netFee,
      }),
      ...(result === undefined ? {} : { result }),
    },
    ...(logs.length === 0 ? {} : { log: logs }),
    ...(isFailed ? { result: 'FAILED', resMessage: toHex(new TextEncoder().encode(message)) } : {}),
  }
}

export function accountJson(state: State, address: string, isVisible: boolean): Json {
  const account = state.account(address)
  if (account === undefined) return {}
  const actives = account.actives ?? (account.isContract ? [] : [permissionOf(state, address, 2) as Permission])
  return {
    ...(account.isContract ? { type: 'Contract' } : {}),
    address: printed(address, isVisible),
    ...present({ balance: Number(account.balance), create_time: account.createdAt, free_net_usage: account.free.used }),
    owner_permission: permissionJson(permissionOf(state, address, 0) as Permission, isVisible),
    ...(actives.length === 0 ? {} : { active_permission: actives.map((active) => permissionJson(active, isVisible)) }),
  }
}

function permissionJson({ type, id, name, threshold, operations, keys }: Permission, isVisible: boolean): Json {
  return {
    ...(type === 'Owner' ? {} : { type, id }),
    permission_name: name,
    threshold,
    ...(operations === '' ? {} : { operations }),
    keys: keys.map(({ address, weight }) => ({ address: printed(address, isVisible), weight })),
  }
}

export function resourceJson(state: State, address: string, time: number): Json {
  const account = state.account(address)
  if (account === undefined) return {}
  return {
    ...present({ freeNetUsed: left(account.free, time) }),
    freeNetLimit: terms.freeBandwidth,
    ...present({
      NetUsed: left(account.bandwidth, time),
      NetLimit: account.bandwidth.limit,
      EnergyUsed: left(account.energy, time),
      EnergyLimit: account.energy.limit,
    }),
  }
}

export function contractJson(state: State, address: string, isVisible: boolean): Json {
  const contract = state.contract(address)
  if (contract === undefined) return {}
  const { call_value: _, ...told } = decodeJson(typeOf('SmartContract'), contract.terms, isVisible)
  return { ...told, contract_address: printed(address, isVisible), code_hash: toHex(contract.codeHash) }
}

function printed(address: string, isVisible: boolean): string {
  return isVisible ? toBase58(address) : address
}

function present(numbers: { readonly [name: string]: number }): Json {
  return Object.fromEntries(Object.entries(numbers).filter(([, value]) => value !== 0))
}
