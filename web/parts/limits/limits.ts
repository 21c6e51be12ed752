/** The customer's own limits and breaks, and how many accounts lose money. */
import { bind } from '@candor/client/bind.ts'
import * as column from '@candor/client/column/limits.ts'
import type { RiskyProduct, WireLossFigure, WireOwnLimits } from '@candor/core/protocol/wire/own-limits.ts'
import { useQuery } from '@tanstack/react-query'
import { http, queries } from '../../app/client.ts'
import { useMe } from '../../app/session.ts'

export const limits = bind(column, http)
export const limitsQuery = ['own', 'limits'] as const

export function useLimits() {
  const isCustomer = useMe() !== undefined
  return useQuery({ queryKey: limitsQuery, queryFn: () => limits.mine(), enabled: isCustomer })
}

export function putLimits(own: WireOwnLimits): void {
  queries.setQueryData(limitsQuery, own)
}

export const riskyProducts: readonly RiskyProduct[] = ['perp', 'margin', 'option']

const dayMs = 86_400_000

/** The newest figures; they change once a day. */
export function useLossFigures() {
  return useQuery({ queryKey: ['loss-figures'], queryFn: () => limits.lossFigures(), staleTime: dayMs / 24 })
}

/** The figure of a product, or undefined while there is none. */
export function figureOf(figures: readonly WireLossFigure[] | undefined, product: RiskyProduct): WireLossFigure | undefined {
  return figures?.find((figure) => figure.product === product)
}
