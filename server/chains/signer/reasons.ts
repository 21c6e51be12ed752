/** Why the signer refuses, each with a sentence for the staff. The names travel over the link. */
export const reasons = {
  BAD_REQUEST: 'the request does not follow its schema',
  BUSY: 'too many requests wait',
  HALTED: 'an alarm stopped the signer for good: its keys must be replaced',
  CLOCK_BACK: 'the clock is behind the last entry of the journal',
  NETWORK_UNKNOWN: 'the policy knows no such network',
  CHAIN_WRONG: 'the chain id is not the one of the network',
  ENGINE_SIGNATURE: 'the engine did not sign this',
  INTENT_CHANGED: 'the withdrawal was seen before with other contents',
  PROOF_USED: 'another withdrawal already used this request of the customer',
  ADDRESS_BAD: 'the recipient is no address of the network',
  CONTRACT_UNKNOWN: 'the policy allows no such token',
  DESTINATION_DENIED: 'the policy denies this recipient',
  HEARTBEAT_SIGNATURE: 'the statement about the books is not signed by the reconciliation',
  HEARTBEAT_STALE: 'no statement about the books in the last ten minutes',
  BOOKS_DIFFER: 'books and chain differ',
  JOURNAL_BEHIND: 'the reconciliation knows a later or another journal than this one',
  CUSTOMER_PROOF: 'the customer did not sign this',
  CUSTOMER_KEY: 'the customer has no such key, or it is too new',
  PASSKEY_NEEDED: 'the customer has or had a passkey and did not use it',
  APPROVAL_BAD: 'an approval does not fit',
  APPROVALS_MISSING: 'two operators must approve a payment of this size',
  ENDED: 'two members of the staff ended the withdrawal: nothing is ever signed for it',
  ALREADY_BOUND: 'the withdrawal has its place on the chain and may have been signed',
  SLOT_WRONG: 'the slot does not fit the network',
  FEE_TOO_HIGH: 'the network’s fee is above its cap',
  NONCE_BOUND: 'the withdrawal keeps its first nonce',
  NONCE_TAKEN: 'another withdrawal has this nonce',
  SLOT_TAKEN: 'another withdrawal has this very transaction',
  NONCE_GAP: 'the nonce is not the next one',
  BUMP_TOO_SMALL: 'a replacement offers at least 12.5 % more on both fees',
  NOT_DEAD: 'an earlier transaction of the withdrawal may still be included',
  EXPIRATION: 'the expiration is not within the next hour',
  CAP_PAYMENT: 'above the cap of one payment',
  CAP_HOUR: 'above the cap of an hour',
  CAP_DAY: 'above the cap of a day',
  CAP_USER: 'above the cap of a customer and day',
  CAP_ATTESTED: 'above a cap for payments without a passkey',
  CAP_FEES: 'above the cap of fees and day',
  NO_ADDRESSES: 'the policy names no deposit addresses for the network',
  PLACE_TAKEN: 'the place belongs to another customer',
  JOB_CHANGED: 'the sweep was seen before with other contents',
  SWEEP_WRONG: 'no sweep can be built from this',
  CAP_FUEL: 'above the cap of fuel',
  NO_RESERVES: 'the policy lets no address of the network sign for reserves',
  NO_ANCHOR: 'the policy names no address that writes heads to the network',
  DAY_WRONG: 'it is not of the present day by the signer’s clock',
  DAY_TAKEN: 'another head was signed for this day',
  CAP_DEPOSITS: 'above the number of deposit addresses that sign in a day',
  KEY_KNOWN: 'the passkey is or was known',
  NOT_A_TRANSFER: 'no plain transfer can be built from this',
  KEY_FAILED: 'the key gave no valid signature',
  JOURNAL_FAILED: 'the journal can’t be written',
  FAULT: 'the signer failed in an unforeseen way: its own messages say how',
} as const

export type Reason = keyof typeof reasons

/** The signer's definite no: nothing was signed by this request. */
export class SignerRefused extends Error {
  readonly reason: Reason

  constructor(reason: Reason, options?: ErrorOptions) {
    super(`${reason}: ${reasons[reason]}`, options)
    this.reason = reason
  }
}

/** The signer's keys, policy or journal are damaged or do not belong together. It doesn't start, or stops. */
export class CustodyFault extends Error {}
