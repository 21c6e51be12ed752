import type { Reason } from '../signer/reasons.ts'

/**
 * The signer refuses the payment itself: nothing was bound or signed for it, and others go on before it. It can't read a request whose
 * proof has an unusual form, and the proof is the customer's.
 */
const ofPayment: readonly Reason[] = [
  'BAD_REQUEST',
  ...(['NETWORK_UNKNOWN', 'CHAIN_WRONG', 'ENGINE_SIGNATURE', 'INTENT_CHANGED', 'PROOF_USED', 'ADDRESS_BAD', 'CONTRACT_UNKNOWN'] as const),
  ...(['DESTINATION_DENIED', 'CUSTOMER_PROOF', 'CUSTOMER_KEY', 'PASSKEY_NEEDED', 'APPROVAL_BAD', 'APPROVALS_MISSING'] as const),
  ...([
    'CAP_PAYMENT',
    'CAP_HOUR',
    'CAP_DAY',
    'CAP_USER',
    'CAP_ATTESTED',
    'NOT_A_TRANSFER',
    'FEE_TOO_HIGH',
    'EXPIRATION',
    'SLOT_TAKEN',
    'ENDED',
  ] as const),
]

/** Whether a payout waits for such a reason. Two members can end it then. */
export const isOfPayment = (trouble: string | null): boolean => (ofPayment as readonly (string | null)[]).includes(trouble)
