/** Checks of the signatures that a request brings: of the customer and of operators. */
import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { dayMs, type Memory } from './memory.ts'
import type { Policy } from './policy.ts'
import { SignerRefused } from './reasons.ts'
import { approvalDigest, attestedDigest, ed25519Key, isSignedBy, type Payment, wishDigest } from './statement.ts'
import type { Assertion, SignRequest } from './wire.ts'

/** A new passkey counts after this, so that its owner has time to notice one that somebody else added. */
const keyRestMs = dayMs

/**
 * Checks that the customer wants this payment.
 *
 * returns  whether the login vouches for the customer in place of a passkey; then lower caps hold
 * throws   SignerRefused
 */
export async function checkCustomer(
  request: SignRequest,
  policy: Policy,
  memory: Memory,
  now: number,
): Promise<{ readonly isAttested: boolean }> {
  const { payment, customer } = request
  if (customer.kind === 'passkey') {
    const key = memory.keys.get(customer.assertion.id)
    const isCounting = key !== undefined && key.user === payment.user && key.removedAt === undefined && key.addedAt + keyRestMs <= now
    if (!isCounting) throw new SignerRefused('CUSTOMER_KEY')
    if (!(await isAsserted(customer.assertion, wishDigest(payment), key.publicKey, policy))) throw new SignerRefused('CUSTOMER_PROOF')
    return { isAttested: false }
  }
  const hasPasskey = memory
    .keysOf(payment.user)
    .some(({ addedAt, removedAt = Infinity }) => addedAt + keyRestMs <= Math.min(now, removedAt) && removedAt > now - keyRestMs)
  if (hasPasskey) throw new SignerRefused('PASSKEY_NEEDED')
  if (!isSignedBy(ed25519Key(policy.login), attestedDigest(payment), customer.signature)) throw new SignerRefused('CUSTOMER_PROOF')
  return { isAttested: true }
}

/**
 * Counts the operators who approved. Every approval must be right, also where none is needed.
 *
 * throws  SignerRefused APPROVAL_BAD
 */
export async function countApprovals({ payment, approvals }: SignRequest, policy: Policy): Promise<number> {
  const people = new Set<string>()
  for (const approval of approvals) {
    const keys = policy.operators.find(({ name }) => name === approval.operator)?.keys ?? []
    const isRight = await isApprovedBy(keys, approval, payment, policy)
    if (!isRight || people.has(approval.operator)) throw new SignerRefused('APPROVAL_BAD')
    people.add(approval.operator)
  }
  return people.size
}

type Approval = SignRequest['approvals'][number]
type OperatorKeys = Policy['operators'][number]['keys']

async function isApprovedBy(keys: OperatorKeys, approval: Approval, payment: Payment, policy: Policy): Promise<boolean> {
  const digest = approvalDigest(payment)
  for (const key of keys) {
    if (key.kind === 'ed25519' && approval.kind === 'ed25519') {
      if (isSignedBy(ed25519Key(key.publicKey), digest, approval.signature)) return true
    } else if (key.kind === 'passkey' && approval.kind === 'passkey' && key.id === approval.assertion.id) {
      if (await isAsserted(approval.assertion, digest, key.publicKey, policy)) return true
    }
  }
  return false
}

/** Whether the passkey signed the digest on a page of ours, with the person checked. `publicKey`: COSE, base64url */
async function isAsserted({ id, ...response }: Assertion, digest: Buffer, publicKey: string, { passkeys }: Policy): Promise<boolean> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const answer: AuthenticationResponseJSON = { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response }
  try {
    const { crossOrigin } = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString('utf8')) as { crossOrigin?: unknown }
    if (crossOrigin === true) return false
    const { verified } = await verifyAuthenticationResponse({
      response: answer,
      expectedChallenge: digest.toString('base64url'),
      expectedOrigin: [...passkeys.origins],
      expectedRPID: passkeys.rpId,
      requireUserVerification: true,
      credential: { id, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter: 0 },
    })
    return verified
  } catch {
    return false
  }
}
