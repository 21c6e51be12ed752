/** Deposits: how long it takes to find them on a test node and to credit them, with very many addresses watched. */
import { evmReader } from '../../../server/chains/evm/reader.ts'
import type { AuditedReader } from '../../../server/chains/ports.ts'
import { type Anvil, chainId, startAnvil } from '../../../server/chains/test/anvil.ts'
import { DepositWorld, token } from '../../../server/chains/test/world.ts'
import { fromBase58, fromHex20 } from '../../../server/chains/tron/address.ts'
import { tronReader } from '../../../server/chains/tron/reader.ts'
import { TronLab } from '../../../server/chains/payout/test/tron-lab.ts'
import type { ScratchServer } from '../../../server/store/test/scratch.ts'
import { rounded, say } from '../report.ts'
import { both, type Figure, timeOf, told, type Took } from './figures.ts'

const scanned = 1_000
const perBlock = 50
const inBlock = 200
const value = 2_000_000n
const [scanMaxMs, blockMaxMs] = [1_000, 500]

/** Digits only: they have no upper case, so the address is its own checksum form. */
const evmAddress = (place: number): `0x${string}` => `0x5${String(place).padStart(39, '0')}`
const word = (hex: string): string => hex.padStart(64, '0')

export async function ethereumDeposits(server: ScratchServer, addresses: number): Promise<readonly Figure[]> {
  await using anvil = await startAnvil({ finality: 8 })
  const usdt = await anvil.deploy('TestToken', [6])
  await anvil.call(usdt, 'TestToken', 'issue', [anvil.owner, 10n ** 15n])
  await anvil.mine(1)
  await using world = new DepositWorld(await server.store(), {
    readers: [evmReader({ node: anvil.url, chainId })],
    tokens: [token(usdt)],
    confirmations: 1,
  })
  const { tookMs } = await timeOf(server.folder, () => watch(world, addresses))
  say(`${rounded(addresses)} addresses written in ${rounded(tookMs)} ms`)
  const parts = world.parts()
  while (await parts.scanner.turn());
  for (let made = 0; made < scanned; made += perBlock) {
    await pay(anvil, usdt, made, perBlock)
    await anvil.mine(1)
  }
  const place = { world, parts, folder: server.folder }
  const figures = [await scan('scan of 1,000 deposits on Ethereum', place, scanned)]
  figures.push(await credit('1,000 deposits on Ethereum checked, credited and posted', place, 10_000))
  await anvil.mine(20)
  while (await parts.scanner.turn());
  await parts.crediting.turn()
  await parts.poster.turn()
  await pay(anvil, usdt, scanned, inBlock)
  await anvil.mine(1)
  const name = `a block of 200 deposits, with ${rounded(addresses)} addresses`
  const found = await scan(`${name}: found`, place, scanned + inBlock, blockMaxMs)
  figures.push(found, await credit(`${name}: found, credited and posted`, place, blockMaxMs, found))
  return figures
}

export async function tronDeposits(server: ScratchServer): Promise<readonly Figure[]> {
  await using lab = await TronLab.open(server)
  const { trond, contract } = lab
  await using world = new DepositWorld(await server.store(), {
    ...{ readers: [readerOf(lab)], tokens: [token(contract)], network: 'tron', confirmations: 0 },
  })
  for (let place = 1; place <= scanned; place++) await world.customer(place, tronAddress(place))
  const parts = world.parts()
  while (await parts.scanner.turn());
  await trond.asRoot('/wallet/triggersmartcontract', call(contract, 'issue(address,uint256)', trond.root, 10n ** 15n))
  for (let place = 1; place <= scanned; place++) {
    const isLast = place % perBlock === 0
    await trond.asRoot(
      '/wallet/triggersmartcontract',
      call(contract, 'transfer(address,uint256)', tronAddress(place), value),
      isLast ? 1 : 0,
    )
  }
  await lab.mine(25)
  const place = { world, parts, folder: server.folder }
  const found = await scan('scan of 1,000 deposits on TRON', place, scanned)
  return [found, await credit('1,000 deposits on TRON checked, credited and posted', place, 10_000)]
}

const readerOf = ({ trond }: TronLab): AuditedReader => tronReader({ node: trond.solidUrl, chainId: trond.chainId })
const tronHex = (place: number): string => evmAddress(place).slice(2)
const tronAddress = (place: number): string => fromHex20(`0x${tronHex(place)}`)

function call(contract: string, selector: string, to: string, amount: bigint) {
  const hex = to.startsWith('41') ? to.slice(2) : Buffer.from(fromBase58(to).subarray(1)).toString('hex')
  return {
    ...{ contract_address: contract, function_selector: selector, fee_limit: 100_000_000 },
    parameter: word(hex) + word(amount.toString(16)),
  }
}

/** Accounts and addresses by SQL. */
async function watch({ store: { pool } }: DepositWorld, count: number): Promise<void> {
  await pool.query(`insert into accounts (id, uid, core_user, email, password, password_changed_at, lang, invitation_code, class, created_at)
    select gen_random_uuid(), (100000000 + n)::text, n, 'a' || n || '@example.com', '', 0, 'en', 'I' || n, 'retail', 0
    from generate_series(1, ${count}) n`)
  await pool.query(`insert into deposit_addresses (network, address, account, user_no, place, signature, made_at)
    select 'ethereum', '0x5' || lpad(core_user::text, 39, '0'), id, core_user, core_user, decode(repeat('00', 64), 'hex'), 0 from accounts`)
  await pool.query('analyze accounts, deposit_addresses')
}

/** Sends to as many addresses, the first one after `from`. */
async function pay(anvil: Anvil, usdt: `0x${string}`, from: number, count: number): Promise<void> {
  for (let place = from + 1; place <= from + count; place++) await anvil.call(usdt, 'TestToken', 'transfer', [evmAddress(place), value])
}

type Place = { readonly world: DepositWorld; readonly parts: ReturnType<DepositWorld['parts']>; readonly folder: string }

/** throws  Error when not all are there */
async function scan(name: string, { world, parts, folder }: Place, wanted: number, maxMs = scanMaxMs): Promise<Figure> {
  const took = await timeOf(folder, async () => {
    while (await parts.scanner.turn());
  })
  const [row] = await world.run<{ count: number }>('select count(*)::int as count from deposits')
  if (row!.count !== wanted) throw new Error(`${row!.count} of ${wanted} deposits were found`)
  return told(name, took, maxMs)
}

async function credit(name: string, { parts, folder }: Place, maxMs: number, before: Took = { tookMs: 0, cpu: {} }): Promise<Figure> {
  const took = await timeOf(folder, async () => {
    await parts.crediting.turn()
    await parts.poster.turn()
  })
  return told(name, both(before, took), maxMs)
}
