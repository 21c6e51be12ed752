import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WireNetwork } from '@candor/core/protocol/wire/chains.ts'
import { addressIn, alikeOf, type Draft, firstDraft, problemsOf, readDraft, requestOf, withAddress } from './form.ts'

const networks: readonly WireNetwork[] = [
  { name: 'tron', label: 'TRC20', kind: 'tron' },
  { name: 'ethereum', label: 'ERC20', kind: 'evm' },
  { name: 'other', label: 'Other', kind: 'evm' },
]
const tron = 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE'
const evm = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const like = `0x5aAe${'3'.repeat(32)}eAed`
const listed = { network: 'ethereum', address: evm, label: 'vault' }
const list = { networks, addresses: [], past: [] }
const problem = (given: Partial<Draft>, addresses: readonly (typeof listed)[] = []) =>
  problemsOf({ ...firstDraft(networks), label: 'x', ...given }, { networks, addresses: addresses as never[] }).get('address')

test('UI-ADDRESS-001: a pasted address chooses its network, and stays with a chosen network that fits', () => {
  const first = firstDraft(networks)
  assert.equal(first.network, 'tron')
  assert.equal(withAddress(first, evm, networks).network, 'ethereum')
  assert.equal(withAddress({ ...first, network: 'other' }, evm, networks).network, 'other')
  assert.equal(withAddress({ ...first, network: 'other' }, tron, networks).network, 'tron')
  assert.equal(withAddress({ ...first, network: 'ethereum' }, 'something', networks).network, 'ethereum')
})

test('UI-ADDRESS-001: an address is taken out of the text of a QR code, and spaces go', () => {
  assert.equal(addressIn(`ethereum:${evm}@1?value=2`), evm)
  assert.equal(addressIn(`tron:${tron}`), tron)
  assert.equal(addressIn(` 0x5aAe b605 3F3E 94C9 b9A0\n9f33 6694 35E7 Ef1B eAed `), evm)
  assert.equal(addressIn(evm), evm)
})

test('UI-ADDRESS-001: each fault of the address, and each missing field, is named', () => {
  assert.equal(problem({}), 'missing')
  assert.equal(problem({ address: 'nonsense' }), 'invalid')
  assert.equal(problem({ address: evm }), 'other-network')
  assert.equal(problem({ address: tron }), undefined)
  assert.equal(problem({ address: `${tron.slice(0, -1)}F` }), 'checksum')
  assert.equal(problem({ address: `0x${'0'.repeat(40)}`, network: 'ethereum' }), 'keyless')
  assert.equal(problem({ address: evm.toLowerCase(), network: 'ethereum' }, [listed]), 'listed')
  assert.equal(problem({ address: evm, network: 'other' }, [listed]), undefined)
  const empty = problemsOf({ ...firstDraft(networks), owner: 'exchange' }, list)
  assert.deepEqual([...empty.keys()], ['address', 'label', 'exchange', 'beneficiary'])
})

test('UI-ADDRESS-001: a look-alike is found on the list and among removed addresses, and what is sent is what is shown', () => {
  assert.equal(alikeOf(like, { addresses: [], past: [listed] }), listed)
  assert.equal(alikeOf(evm, { addresses: [], past: [listed] }), undefined)
  assert.equal(readDraft({ address: evm.toLowerCase() }), evm)
  assert.equal(readDraft({ address: 'T' }), undefined)
  const draft: Draft = {
    address: evm,
    network: 'ethereum',
    label: ' vault ',
    owner: 'own',
    exchange: 'Example',
    beneficiary: 'Chan Tai Man',
  }
  assert.deepEqual(requestOf(draft, undefined), { network: 'ethereum', address: evm, label: 'vault', owner: 'own' })
  assert.deepEqual(requestOf({ ...draft, owner: 'exchange' }, '33333333'), {
    ...{ network: 'ethereum', address: evm, label: 'vault', owner: 'exchange' },
    ...{ exchange: 'Example', beneficiary: 'Chan Tai Man', middle: '33333333' },
  })
})
