/**
 * A page of its own that asks any node for the balances of a statement of reserves. The app may not reach foreign hosts; this page may,
 * but has no origin: no cookies, no storage, nothing of the app.
 */
import { addressBytes, forwarderCode } from '@candor/core/proof/chain/address.ts'
import type { ReserveNetwork } from '@candor/core/proof/chain/reserve-text.ts'
import { checkReserveText, decimalText } from '@candor/core/proof/chain/reserves.ts'
import { isSigned } from '../verifier/signed.ts'
import { tagOf, wordsOf } from './words.ts'

const tag = tagOf(new URLSearchParams(location.search).get('lang') ?? navigator.language)
const words = wordsOf(tag)
const numbers = new Intl.NumberFormat(tag, { maximumFractionDigits: 20 })
/** Every digit, as the language writes it. Text of a decimal is formatted exactly. */
const shown = (number: string | number): string => numbers.format(number as number)
const page = document.querySelector('main')!

/** `sink()` and `decimals()`. */
const [sinkCall, decimalsCall] = ['0xc74e820e', '0x313ce567']

type Attributes = Readonly<Record<string, string>>

function add<Name extends keyof HTMLElementTagNameMap>(to: Element, name: Name, text = '', attributes: Attributes = {}) {
  const made = document.createElement(name)
  made.textContent = text
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  to.append(made)
  return made
}

async function ask(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(url, { method: 'POST', headers, body, credentials: 'omit', referrerPolicy: 'no-referrer' })
  const { result, error } = (await answer.json()) as { readonly result?: unknown; readonly error?: { readonly message?: string } }
  if (error !== undefined) throw new Error(error.message ?? 'error')
  return result
}

/** What a node says of an address. `at`: the block as nodes write it. */
async function balance(url: string, owner: string, contract: string | undefined, at: string): Promise<bigint> {
  const told =
    contract === undefined
      ? await ask(url, 'eth_getBalance', [owner, at])
      : await ask(url, 'eth_call', [{ to: contract, data: `0x70a08231${owner.slice(2).padStart(64, '0')}` }, at])
  const number = numberOf(told)
  if (number === undefined) throw new Error('no number')
  return number
}

/** Undefined for any other answer, such as that of an address without a contract. */
function numberOf(told: unknown): bigint | undefined {
  return typeof told === 'string' && /^0x[0-9a-f]{1,64}$/i.test(told) ? BigInt(told) : undefined
}

/** Whom forwarders pay, and in which units a contract counts, no signature says. */
async function checkContracts(url: string, { kind, factory, addresses, coins }: ReserveNetwork, at: string, into: Element): Promise<void> {
  if (addresses.some(({ role }) => role === 'forwarder')) {
    const sink = numberOf(await ask(url, 'eth_call', [{ to: forwarderCode(factory!), data: sinkCall }, at]))
    const isOwn = addresses.some(({ address, signed }) => signed !== undefined && BigInt(address) === sink)
    add(into, 'p', isOwn ? words.sinkOwn : words.sinkOther, { class: isOwn ? 'good' : 'bad' })
  }
  for (const { asset, decimals, contract } of coins) {
    if (contract === 'native') continue
    const told = numberOf(await ask(url, 'eth_call', [{ to: addressBytes(kind, contract)!, data: decimalsCall }, at]))
    if (told !== BigInt(decimals)) add(into, 'p', `${asset}: ${words.decimals} ${told ?? '?'}`, { class: 'bad' })
  }
}

async function compare(url: string, network: ReserveNetwork, into: Element): Promise<void> {
  const { kind, chainId, block, addresses, coins } = network
  if (Number(await ask(url, 'eth_chainId', [])) !== chainId) throw new Error(words.chain)
  const at = kind === 'evm' ? `0x${block!.number.toString(16)}` : 'latest'
  const told = (await ask(url, 'eth_getBlockByNumber', [`0x${block!.number.toString(16)}`, false])) as { readonly hash?: string } | null
  const isSame = told?.hash?.toLowerCase() === `0x${block!.hash}`
  add(into, 'p', isSame ? words.blockSame : words.blockOther, { class: isSame ? 'good' : 'bad' })
  if (kind === 'tron') add(into, 'p', words.newest)
  await checkContracts(url, network, at, into)
  let [right, all] = [0, 0]
  const lists = add(into, 'div')
  for (const { address, balances } of addresses) {
    add(lists, 'h3', address)
    const list = add(lists, 'ul')
    for (const [index, { asset, decimals, contract }] of coins.entries()) {
      const token = contract === 'native' ? undefined : addressBytes(kind, contract)!
      const found = await balance(url, addressBytes(kind, address)!, token, at)
      const isRight = found === balances[index]
      ;[right, all] = [right + Number(isRight), all + 1]
      const line = add(list, 'li', `${shown(decimalText(balances[index]!, decimals))} ${asset} `)
      add(line, 'span', isRight ? words.same : `${words.differs} ${shown(decimalText(found, decimals))}`, {
        class: isRight ? 'good' : 'bad',
      })
    }
  }
  lists.before(add(into, 'p', `${words.total} ${shown(right)} / ${shown(all)}`, { class: right === all ? 'good' : 'bad' }))
}

function offer(network: ReserveNetwork, into: Element): void {
  const { name, block } = network
  const card = add(into, 'section')
  add(card, 'h2', name.charAt(0).toUpperCase() + name.slice(1))
  add(card, 'p', `# ${shown(block!.number)}`, { class: 'quiet' })
  const label = add(card, 'label', words.node)
  const input = add(label, 'input', '', {
    ...{ type: 'url', inputmode: 'url', placeholder: 'https://', autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false' },
  })
  const button = add(card, 'button', words.ask, { type: 'button' })
  const result = add(card, 'div', '', { 'aria-live': 'polite' })
  button.addEventListener('click', () => {
    result.replaceChildren()
    const waits = add(result, 'p', words.asking, { class: 'quiet' })
    button.disabled = true
    void compare(input.value.trim(), network, result)
      .catch((cause: Error) => add(result, 'p', `${words.failed} ${cause.message}`, { class: 'bad' }))
      .finally(() => {
        button.disabled = false
        waits.remove()
      })
  })
}

async function show(text: string, into: Element): Promise<void> {
  into.replaceChildren()
  const found = await checkReserveText(text, isSigned).catch((cause: Error) => ({ wrong: cause.message }))
  if ('wrong' in found) return void add(into, 'p', `${words.wrong} ${found.wrong}`, { class: 'bad' })
  const { n, at, networks } = found.statement
  add(into, 'p', `${words.checked}\u00a0${shown(n)}`, { class: 'good' })
  add(into, 'p', new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'short' }).format(at), { class: 'quiet' })
  for (const network of networks) if (network.block !== undefined) offer(network, into)
}

function start(): void {
  document.documentElement.lang = tag
  document.title = `${words.title} · Candor`
  add(page, 'h1', words.title)
  add(page, 'p', words.lead)
  const load = add(page, 'button', words.load, { type: 'button' })
  // The browser's own words for a chosen file are in its language, not in the page's.
  const choose = add(add(page, 'label', words.choose, { class: 'file' }), 'input', '', { type: 'file' })
  const statement = add(page, 'div')
  load.addEventListener('click', () => {
    void fetch('/app/v1/proof/reserves', { credentials: 'omit' })
      .then(async (answer) => (answer.ok ? show(await answer.text(), statement) : Promise.reject(new Error(String(answer.status)))))
      .catch((cause: Error) => statement.replaceChildren(`${words.failed} ${cause.message}`))
  })
  choose.addEventListener('change', () => void choose.files?.[0]?.text().then((text) => show(text, statement)))
}

start()
