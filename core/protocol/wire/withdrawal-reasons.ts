/**
 * Why the exchange rejects a withdrawal, as the core's reason of the rejection says and customers read in their language.
 *
 *   not-asked    it seems that somebody else asked for it
 *   address      coins can't safely go to this address
 *   identity     the exchange has questions about the customer's identity
 *   deposit      a deposit behind it is being looked at
 *   unclear      its purpose is not clear to the exchange
 *   on-wish      the customer asked the exchange to stop it
 */
export const withdrawalReasons = ['not-asked', 'address', 'identity', 'deposit', 'unclear', 'on-wish'] as const
export type WithdrawalReason = (typeof withdrawalReasons)[number]
