/**
 * What a session must prove before it may make a sensitive change, in one table.
 *
 * `always`: a proof of the last 15 minutes. `with-factor`: the same if the account has a second factor; without one the form asks
 * for the password.
 */
export const proofPolicy = {
  'authenticator-add': 'always',
  'authenticator-remove': 'always',
  'passkey-add': 'always',
  'passkey-remove': 'always',
  'recovery-codes-renew': 'always',
  'phrase-set': 'always',
  'address-set': 'always',
  'address-remove': 'always',
  'payment-set': 'always',
  'allow-list-set': 'always',
  'withdrawal-address-add': 'always',
  'withdrawal-request': 'always',
  'rest-begin': 'always',
  'deletion-ask': 'always',
  'data-export': 'always',
  'firm-approve': 'always',
  'password-change': 'with-factor',
  'key-create': 'with-factor',
  'key-widen': 'with-factor',
  'webhook-create': 'with-factor',
  'webhook-secret-renew': 'with-factor',
} as const satisfies Readonly<Record<string, 'always' | 'with-factor'>>

export type Sensitive = keyof typeof proofPolicy

/** Changes after which withdrawals are closed for a day: a thief who made one gains nothing in time. */
export const closing: ReadonlySet<Sensitive> = new Set<Sensitive>([
  ...(['authenticator-add', 'authenticator-remove', 'passkey-add', 'passkey-remove', 'recovery-codes-renew'] as const),
  ...(['address-set', 'address-remove'] as const),
])

/** How long a proof holds, in its session only. */
export const provenMs = 15 * 60_000
