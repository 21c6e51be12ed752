import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseTransaction, recoverTransactionAddress, serializeTransaction } from 'viem'
import { decodeEvm } from '../../evm/build.ts'
import { attestedDigest, type Payment } from '../statement.ts'
import { Custody, evmSlot, kill, openLink, passphrase, startProcess, usdt } from './custody.ts'

/** A request of a customer without a passkey, by the clock of the process. */
function attested(custody: Custody, payment: Payment) {
  const { kind: _, ...request } = custody.request(payment)
  return { ...request, customer: { kind: 'attested' as const, signature: custody.login.sign(attestedDigest(payment)) } }
}

test('SIGNER-LINK-001: the process signs a payment that it is asked for over its socket', async () => {
  using custody = new Custody()
  await custody.seal(passphrase)
  const { child, said } = await startProcess(custody, 'main.ts')
  try {
    assert.match(said(), /ready/)
    using link = await openLink(custody)
    const { seq, head, addresses } = await link.status()
    assert.equal(addresses['ethereum'], custody.from('evm'))
    const { kind: _, ...beat } = custody.heartbeat({ at: Date.now(), isMatch: true, seq, head }) as Extract<
      ReturnType<Custody['heartbeat']>,
      { kind: 'heartbeat' }
    >
    await link.beat(beat)
    const payment = custody.payment()
    const { raw, txid } = await link.sign(attested(custody, payment))
    assert.match(txid, /^0x[0-9a-f]{64}$/)
    const from = await recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` })
    assert.equal(from.toLowerCase(), custody.from('evm'))
    const { r: _r, s: _s, yParity: _y, v: _v, ...unsigned } = parseTransaction(raw as `0x02${string}`)
    const bytes = Buffer.from(serializeTransaction({ ...unsigned, type: 'eip1559' }).slice(2), 'hex')
    const { nonce, to, value, contract, chainId } = decodeEvm(bytes)
    assert.deepEqual(
      { nonce, to, value, contract, chainId },
      { nonce: 0, to: payment.to, value: payment.value, contract: usdt, chainId: 1 },
    )
    await assert.rejects(link.sign({ ...attested(custody, payment), slot: evmSlot(1) }), /NONCE_BOUND/)
  } finally {
    await kill(child)
  }
})
