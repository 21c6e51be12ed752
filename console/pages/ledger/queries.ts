/** Queries of the ledger pages. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { read } from '../../app/client.ts'
import type { Account, Command, Trial } from '@candor/core/protocol/wire/console/ledger.ts'

export const trialQuery = (seq: string | undefined) =>
  queryOptions({ queryKey: ['ledger', 'trial', seq ?? ''], queryFn: () => read<Trial>('/ledger', { seq }) })

/** A customer's accounts, or an account of the exchange, which has a name instead of a number. */
export type Owner = { readonly uid: string } | { readonly house: string }
export const ownerOf = (owner: string): Owner => (/^\d/.test(owner) ? { uid: owner } : { house: owner })

export const accountQuery = (owner: string, asset: string | undefined) =>
  infiniteQueryOptions({
    queryKey: ['ledger', 'account', owner, asset ?? ''],
    queryFn: ({ pageParam }) => read<Account>('/ledger/account', { ...ownerOf(owner), asset, before: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  })

export const commandQuery = (seq: string) =>
  queryOptions({ queryKey: ['ledger', 'command', seq], queryFn: () => read<Command>('/ledger/command', { seq }) })
