import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { WithdrawalNumber } from '@candor/core/protocol/ids.ts'
import { readChains } from '../../../chains/config.ts'
import { digestSigner } from '../../../chains/keys.ts'
import { SignerLink } from '../../../chains/signer/connect.ts'
import { heartbeatDigest } from '../../../chains/signer/statement.ts'
import { startExchange, type TestExchange, type TestUser } from '../../../main/test/exchange.ts'
import { described } from '../../test/described.ts'
import { type Fields, Program, programOf } from '../../test/program.ts'

const dayMs = 86_400_000
const [addressPath, depositsPath] = ['/sapi/v1/capital/deposit/address', '/sapi/v1/capital/deposit/hisrec']
const [applyPath, historyPath] = ['/sapi/v1/capital/withdraw/apply', '/sapi/v1/capital/withdraw/history']
const mine = { tron: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', ethereum: '0x1111111111111111111111111111111111111111' } as const

let exchange: TestExchange
let user: TestUser
let program: Program
before(async () => {
  exchange = await startExchange({ hasChains: true, hasFeeds: false, seed: 'api-capital' })
  user = await exchange.user({ isCertified: true, funds: { USDT: '1000' } })
  program = await bound(user)
  await list(user, 'tron', mine.tron)
})
after(() => exchange[Symbol.asyncDispose]())

/** A program that may withdraw, from this machine. */
async function bound(owner: TestUser, scopes: readonly string[] = ['read', 'withdraw']): Promise<Program> {
  const { status, body } = await owner.call('POST', '/keys', { label: 'out', scopes, ips: ['127.0.0.1'], password: owner.password })
  assert.equal(status, 201, JSON.stringify(body))
  return new Program(exchange.url, body.key.key, body.secret)
}

/** An address on the customer's list that has waited, or waits `forMs` more. */
async function list(owner: TestUser, network: string, address: string, forMs = -1): Promise<void> {
  await exchange.store.pool.query(
    `insert into withdrawal_addresses (id, account, network, address, label, owner, added_at, usable_at)
     select gen_random_uuid(), id, $1, $2, 'mine', 'own', $3, $4 from accounts where core_user = $5`,
    [network, address, Date.now() - 2 * dayMs, Date.now() + forMs, owner.id],
  )
}

async function until<T>(look: () => Promise<T | undefined | false>): Promise<T> {
  for (;;) {
    const found = await look()
    if (found !== undefined && found !== false) return found
    await sleep(50)
  }
}

const spot = async (owner = user) => {
  const { body } = await owner.call('GET', '/balances')
  const { available, held } = body.accounts.find(({ kind }: any) => kind === 'spot').balances.find(({ asset }: any) => asset === 'USDT')
  return [available, held]
}
const written = async (owner = user) =>
  (await exchange.store.pool.query('select from withdrawal_wishes where user_no = $1', [owner.id])).rowCount

async function refused(fields: Fields, [status, code, msg]: readonly [number, number, string?], by = program): Promise<void> {
  const answer = await by.signed('POST', applyPath, fields)
  assert.deepEqual([answer.status, answer.body.code], [status, code], `${JSON.stringify(fields)}: ${JSON.stringify(answer.body)}`)
  if (msg !== undefined) assert.equal(answer.body.msg, msg)
}

const wish = { coin: 'USDT', network: 'TRX', address: mine.tron, amount: '100' }

test('API-CAPITAL-001: a program gets the customer’s deposit address on each network, and finds its deposits', async () => {
  const coins = await described(program, 'GET', '/sapi/v1/capital/config/getall')
  const { networkList, ...usdt } = coins.find(({ coin }: any) => coin === 'USDT')
  assert.deepEqual([usdt.depositAllEnable, usdt.withdrawAllEnable, usdt.withdrawing], [true, true, '0'])
  assert.deepEqual(
    networkList.map(({ network, name, isDefault, depositEnable, withdrawEnable, withdrawFee, withdrawMax, minConfirm }: any) => [
      ...[network, name, isDefault, depositEnable, withdrawEnable, withdrawFee, withdrawMax, minConfirm],
    ]),
    [
      ['TRX', 'TRC20', true, true, true, '1', '50000', 19],
      ['ETH', 'ERC20', false, true, true, '5', '50000', 12],
    ],
  )
  for (const [network, name] of [
    ['TRX', 'tron'],
    ['ETH', 'ethereum'],
  ] as const) {
    const { address, tag } = await described(program, 'GET', addressPath, { coin: 'USDT', network })
    const pattern = networkList.find((one: any) => one.network === network).addressRegex
    assert.match(address, new RegExp(pattern))
    assert.deepEqual([(await described(program, 'GET', addressPath, { coin: 'USDT', network })).address, tag], [address, ''])
    const txid = await exchange.chains!.send({ network: name, asset: 'USDT', to: address, amount: '20.5' })
    await exchange.chains!.mine(name, 40)
    const [seen] = await until(async () => {
      const found = await described(program, 'GET', depositsPath, { coin: 'USDT', status: 1 })
      return found.some((one: any) => one.network === network) && found
    })
    assert.deepEqual(
      [seen.network, seen.amount, seen.address, seen.txId.replace(/^0x/, ''), seen.status, seen.confirmTimes.split('/')[1]],
      [network, '20.5', address, txid.replace(/^0x/, ''), 1, network === 'TRX' ? '19' : '12'],
    )
  }
  await until(async () => (await spot())[0] === '1041')
  const all = await described(program, 'GET', depositsPath)
  assert.deepEqual(
    all.map(({ network }: any) => network),
    ['ETH', 'TRX'],
  )
  assert.deepEqual(
    (await described(program, 'GET', depositsPath, { offset: 1, limit: 1 })).map(({ id }: any) => id),
    [all[1].id],
  )
  assert.deepEqual(await described(program, 'GET', depositsPath, { txId: all[1].txId }), [all[1]])
  assert.deepEqual(await described(program, 'GET', depositsPath, { endTime: all[1].insertTime - 1 }), [])
  assert.deepEqual(await described(program, 'GET', depositsPath, { coin: 'BTC' }), [])
  for (const [fields, code] of [
    [{ coin: 'NONE' }, -1108],
    [{ coin: 'BTC' }, -1100],
    [{ coin: 'USDT', network: 'BSC' }, -1100],
  ] as const)
    assert.equal((await program.signed('GET', addressPath, fields)).body.code, code)
  assert.equal((await program.signed('GET', depositsPath, { startTime: 2, endTime: 1 })).body.code, -1127)
  assert.equal((await program.signed('GET', depositsPath, { status: 3 })).body.code, -1130)
})

test('API-CAPITAL-002: a withdrawal by a program goes to a listed address, is found, and arrives', async () => {
  const [available] = await spot()
  const { id } = await described(program, 'POST', applyPath, { ...wish, withdrawOrderId: 'out-1' })
  assert.deepEqual(await spot(), [String(Number(available) - 100), '100'])
  const [coin] = (await described(program, 'GET', '/sapi/v1/capital/config/getall')).filter((one: any) => one.coin === 'USDT')
  assert.deepEqual([coin.locked, coin.withdrawing], ['0', '100'])
  const find = async (fields: Fields = {}) => described(program, 'GET', historyPath, fields)
  const [asked] = await find({ withdrawOrderId: 'out-1' })
  const { applyTime, status, ...rest } = asked
  assert.ok([2, 4].includes(status), String(status))
  assert.ok(Math.abs(Date.parse(`${applyTime.replace(' ', 'T')}Z`) - Date.now()) < 60_000)
  assert.deepEqual(rest, {
    ...{ id, amount: '99', transactionFee: '1', coin: 'USDT', address: mine.tron, addressTag: '', txId: '', network: 'TRX' },
    ...{ transferType: 0, walletType: 0, info: '', txKey: '', withdrawOrderId: 'out-1' },
  })
  await beat()
  const decided = { type: 'withdraw.decide', withdrawal: Number(id) as WithdrawalNumber, isApproved: true } as const
  await exchange.link.submit({ ...decided, first: 0, second: 0, reason: '' })
  const [paid] = await until(async () => {
    await exchange.chains!.mine('tron', 2)
    const found = await find({ status: 6 })
    return found.length > 0 && found
  })
  assert.match(paid.txId, /^[0-9a-f]{64}$/)
  assert.deepEqual([paid.id, paid.completeTime.length, await find({ status: 0 })], [id, 19, []])
  assert.deepEqual(await spot(), [String(Number(available) - 100), '0'])
  const { rows } = await exchange.store.pool.query(
    "select l.detail from audit_log l join accounts a on a.id = l.account where a.core_user = $1 and l.action = 'withdrawal-requested'",
    [user.id],
  )
  assert.deepEqual([rows.length, rows[0].detail.amount, rows[0].detail.label], [1, '100 USDT', 'out'])
})

test('API-CAPITAL-003: a withdrawal that is sent again pays once, also after the fee has changed', async () => {
  const again = { ...wish, amount: '20', withdrawOrderId: 'out-2' }
  const [first, ...same] = await Promise.all([0, 1, 2].map(() => described(program, 'POST', applyPath, again)))
  assert.deepEqual(same, [first, first])
  const { assets } = await exchange.link.ask.listing()
  const asset = assets.find(({ symbol }) => symbol === 'USDT')!.id
  const { terms, network } = (await exchange.link.ask.withdrawTerms()).find((one) => one.network === 2 && one.asset === asset)!
  const charge = async (fee: number) => {
    const outcome = await exchange.link.submit({
      type: 'withdraw.setTerms',
      asset,
      network,
      terms: { ...terms, fee: fee as typeof terms.fee },
    })
    assert.equal(outcome.refusal, undefined)
  }
  await charge(terms.fee + 1_000_000)
  assert.deepEqual(await described(program, 'POST', applyPath, again), first)
  assert.deepEqual(
    (await described(program, 'GET', historyPath, { withdrawOrderId: 'out-2' })).map((one: any) => one.transactionFee),
    ['1'],
  )
  await charge(terms.fee)
  await refused({ ...again, amount: '21' }, [400, -2010])
  await refused({ ...again, amount: '5' }, [400, -2010])
  await list(user, 'ethereum', mine.ethereum)
  await refused({ ...again, network: 'ETH', address: mine.ethereum }, [400, -2010])
  assert.equal(await written(), 2)
})

test('API-CAPITAL-004: a withdrawal needs the permission and a list of IP addresses, and no passkey that must sign', async () => {
  const before = [await spot(), await written()]
  await refused(wish, [401, -2015], await bound(user, ['read', 'trade']))
  await refused(
    wish,
    [401, -2015, 'A key with the permission to withdraw needs a list of IP addresses.'],
    await programOf(exchange.url, user, ['read', 'withdraw']),
  )
  const { rows } = await exchange.store.pool.query<{ account: string }>('select id as account from accounts where core_user = $1', [
    user.id,
  ])
  await exchange.store.pool.query(
    `insert into passkeys (id, account, credential, public_key, counter, transports, label, is_synced, created_at)
     values (gen_random_uuid(), $1, 'old', '\\x00', 0, '{}', 'old', false, $2)`,
    [rows[0]!.account, Date.now() - dayMs - 1],
  )
  await refused(wish, [403, -2015, 'A passkey of the account must sign this withdrawal.'])
  await exchange.store.pool.query("delete from passkeys where label = 'old'")
  assert.deepEqual([await spot(), await written()], before)
})

test('API-CAPITAL-005: an impossible withdrawal is refused by name, and nothing is held', async () => {
  const owner = await exchange.user({ isCertified: true, funds: { USDT: '500' } })
  const own = await bound(owner)
  await list(owner, 'tron', mine.tron)
  await list(owner, 'ethereum', mine.ethereum, 60_000)
  const before = [await spot(owner), await written(owner)]
  await refused({ ...wish, network: 'ETH', address: mine.ethereum }, [400, -1100], own)
  await refused({ ...wish, address: 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE' }, [400, -1100], own)
  await refused({ ...wish, address: mine.tron.replace('v8', 'v9') }, [400, -1100], own)
  await refused({ ...wish, address: mine.ethereum }, [400, -1100], own)
  await refused({ ...wish, network: 'BSC' }, [400, -1100], own)
  await refused({ ...wish, coin: 'NONE' }, [400, -1108], own)
  await refused({ ...wish, coin: 'BTC' }, [400, -1100], own)
  await refused({ ...wish, addressTag: '1' }, [400, -1130], own)
  await refused({ ...wish, amount: '500.000001' }, [400, -4026, 'Account has insufficient balance for requested action.'], own)
  await refused({ ...wish, amount: '0.5' }, [400, -1013], own)
  await refused({ ...wish, amount: '0.0000001' }, [400, -1111], own)
  await refused({ ...wish, amount: '-1' }, [400, -1100], own)
  await refused({ coin: 'USDT', network: 'TRX', amount: '20' }, [400, -1102], own)
  const close = 'update accounts set withdrawals_closed_until = $1 where core_user = $2'
  await exchange.store.pool.query(close, [Date.now() + dayMs, owner.id])
  await refused(wish, [400, -2010], own)
  await exchange.store.pool.query(close, [0, owner.id])
  assert.deepEqual([await spot(owner), await written(owner)], before)
  const plain = await exchange.user({ funds: { USDT: '500' } })
  await list(plain, 'tron', mine.tron)
  await refused(wish, [403, -2015], await bound(plain))
  assert.deepEqual(await spot(plain), ['500', '0'])
})

async function beat(): Promise<void> {
  const folder = exchange.chains!.folder
  using link = await SignerLink.open(readChains(`${folder}/chains.json`).signer)
  const { seq, head } = await link.status()
  const heartbeat = { at: Date.now(), isMatch: true, seq, head }
  await link.beat({ heartbeat, signature: digestSigner(folder, 'reconciliation')(heartbeatDigest(heartbeat)) })
}
