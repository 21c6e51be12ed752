/** Why a node refuses a transaction, in the words of TRON's `/wallet/broadcasttransaction`. */
export type BroadcastCode =
  | 'SIGERROR'
  | 'CONTRACT_VALIDATE_ERROR'
  | 'CONTRACT_EXE_ERROR'
  | 'BANDWITH_ERROR'
  | 'DUP_TRANSACTION_ERROR'
  | 'TAPOS_ERROR'
  | 'TOO_BIG_TRANSACTION_ERROR'
  | 'TRANSACTION_EXPIRATION_ERROR'
  | 'SERVER_BUSY'
  | 'NOT_ENOUGH_EFFECTIVE_CONNECTION'
  | 'OTHER_ERROR'

export class Refusal extends Error {
  readonly code: BroadcastCode

  constructor(code: BroadcastCode, message: string) {
    super(message)
    this.name = 'Refusal'
    this.code = code
  }
}
