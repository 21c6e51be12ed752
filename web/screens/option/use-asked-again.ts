import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { navigate, usePlace } from '../../app/location.ts'
import { useMe } from '../../app/session.ts'
import { oneOptionQuery } from '../../parts/option/data.ts'
import type { Desk } from './use-desk.ts'

/**
 * Fills the ticket with the order that a link asks to place again: `#/Second?symbol=BTCUSDT&again=1234`. The link names one of the
 * customer's own orders instead of its terms, so that nobody else's link fills in a stake.
 */
export function useAskedAgain(desk: Desk): void {
  const { path, query } = usePlace()
  const asked = query.get('again')
  const isCustomer = useMe() !== undefined
  const order = useQuery({ ...oneOptionQuery(asked ?? ''), enabled: isCustomer && asked !== null })
  // What stands against an order is known once the customer's own limits are.
  const isReady = desk.context.me !== undefined
  useEffect(() => {
    if (asked === null || !isReady || order.data?.id !== asked) return
    // Removes the request from the address, so that a reload or the way back asks for nothing.
    navigate(`${path}?symbol=${desk.market.symbol}`, { replace: true })
    if (order.data.symbol === desk.market.symbol) desk.again(order.data)
  })
}
