/** Why a payment does not move, and what to do. The codes are those of the payout and of the signer. */
export type Reason = { readonly what: string; readonly advice: string }

const again = 'It is tried again by itself.'
const stop = 'Stop withdrawals of this asset, and look at the signer’s own messages.'

export const troubles: Readonly<Record<string, Reason>> = {
  WOULD_FAIL: {
    what: 'The payment would fail now.',
    advice: 'Look whether the token is paused or the recipient is blocked by it. It is tried again.',
  },
  TOKEN_REFUSED: {
    what: 'The contract of its token does what no listed token may.',
    advice: 'Look at the treasury page. It goes on once the token does what it should again.',
  },
  TOKEN_UNKNOWN: { what: 'Its token was not looked at yet, or no transfer of it could be tried.', advice: again },
  HOT_EMPTY: {
    what: 'The paying address has too little.',
    advice: 'Refill it from the cold store; the treasury page says how much. Then it goes on by itself.',
  },
  FEE_TOO_HIGH: {
    what: 'The network asks for more than the cap of fees.',
    advice: 'Wait until fees fall, or raise the cap in the file of networks and in the signer’s policy.',
  },
  NODE_FAULT: { what: 'No node answers as it should.', advice: 'Look at the nodes of the network. It is tried again by itself.' },
  NONCE_FOREIGN: {
    what: 'Another transaction used this nonce: the key may be in other hands.',
    advice: 'Alarm: stop withdrawals on this network and follow the page about custody.',
  },
  SIGNER_AWAY: {
    what: 'The signer does not answer.',
    advice: 'Look whether its process runs. It may have signed; the same question gets the same answer.',
  },
  CORE_AWAY: { what: 'The engine could not be told.', advice: again },
  DEAD_UNPROVED: { what: 'Earlier transactions are not proved dead yet.', advice: again },
  NO_EFFECT: {
    what: 'The transaction succeeded, but its token logged no transfer to the recipient.',
    advice: 'Look at the transaction in the explorer before anything else. Nothing is booked meanwhile.',
  },
  HALTED: { what: 'An alarm stopped the signer for good.', advice: 'Its keys must be replaced: follow the page about custody.' },
  CLOCK_BACK: { what: 'The signer’s clock is behind its journal.', advice: 'Set the clock of its machine right.' },
  HEARTBEAT_STALE: {
    what: 'The signer has no fresh statement that books and chain match.',
    advice: 'Look at the reconciliation on the treasury page.',
  },
  BOOKS_DIFFER: { what: 'Books and chain differ.', advice: 'Nothing is paid until the differences on the treasury page are explained.' },
  JOURNAL_BEHIND: { what: 'The signer’s journal is not the newest one.', advice: stop },
  APPROVALS_MISSING: {
    what: 'It is above the signer’s limit: two operators of its policy have to sign it.',
    advice: 'Two different members whose passkeys are in the policy sign it below. Then it goes on by itself.',
  },
  APPROVAL_BAD: { what: 'A signature of an operator does not fit this payment.', advice: stop },
  PASSKEY_NEEDED: {
    what: 'The customer has or had a passkey and did not use it.',
    advice: 'The customer asks again with the passkey. It can’t be paid like this.',
  },
  CUSTOMER_PROOF: { what: 'The customer did not sign this payment.', advice: stop },
  CUSTOMER_KEY: {
    what: 'The customer’s passkey is unknown to the signer, or younger than a day.',
    advice: 'It is tried again until the passkey counts.',
  },
  LEFT_BEHIND: {
    what: 'It was approved more than ten minutes ago, and is still no payment.',
    advice: 'Look at the messages of the engine and of the chains’ process. If it can’t be paid, end it below.',
  },
  ENGINE_SIGNATURE: {
    what: 'The signer does not take the engine’s signature of this payment.',
    advice: `After a change of the engine’s key, end the payment below. Otherwise: ${stop}`,
  },
  INTENT_CHANGED: { what: 'The signer saw this withdrawal before with another content.', advice: stop },
  PROOF_USED: { what: 'Another withdrawal already used this request of the customer.', advice: stop },
  DESTINATION_DENIED: {
    what: 'The signer’s policy denies this recipient.',
    advice: 'It can’t be paid. Reach the customer, and end it below.',
  },
  CONTRACT_UNKNOWN: {
    what: 'The signer’s policy has no such token.',
    advice: 'Add the token by a signed policy, or end the payment below.',
  },
  ENDED: { what: 'The signer never signs for it: two members ended it.', advice: again },
  ALREADY_BOUND: { what: 'The signer may have signed it, so that it can’t be ended.', advice: stop },
  CAP_PAYMENT: {
    what: 'Above the signer’s cap of one payment.',
    advice: 'Raise the cap by a signed policy, or end the payment below.',
  },
  CAP_HOUR: { what: 'The signer’s cap of an hour is used up.', advice: again },
  CAP_DAY: { what: 'The signer’s cap of a day is used up.', advice: again },
  CAP_USER: { what: 'The customer’s cap of a day is used up.', advice: again },
  CAP_ATTESTED: { what: 'The cap for payments without a passkey is used up.', advice: again },
  CAP_FEES: { what: 'The cap of network fees of a day is used up.', advice: again },
}
