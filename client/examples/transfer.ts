/** Transfers money from the spot account to the Futures account and back; a repeated request transfers it once. */
import { makeProgram, newClientId } from '@candor/client'
import { credentials, url } from './settings.ts'

const { wallet, futuresAccount } = makeProgram({ url, ...credentials })
const there = { type: 'MAIN_UMFUTURE', asset: 'USDT', amount: '10', clientTranId: newClientId() }

const { tranId } = await wallet.transfer(there)
const again = await wallet.transfer(there)
console.log(tranId === again.tranId ? 'one transfer' : 'two transfers')

const [balance] = await futuresAccount.balances()
console.log(`Futures has ${balance?.balance} ${balance?.asset}`)
await wallet.transfer({ type: 'UMFUTURE_MAIN', asset: 'USDT', amount: '10' })
const { total } = await wallet.transfers({ type: 'UMFUTURE_MAIN' })
console.log(`${total} transfer back`)
