import { readAmount } from '../../live/listing.ts'
import type { ListedMarket } from '../../live/listing.ts'
import { amountText } from '../../live/listing.ts'
import { Refused } from '../../refused.ts'
import type { AdjustMargin } from '@candor/core/protocol/command/perp.ts'
import type { PerpTerms } from '@candor/core/protocol/market.ts'
import type { PerpAccountView } from '@candor/core/protocol/port.ts'
import { ApiError } from '../errors.ts'
import type { Context } from '../context.ts'
import * as param from '../params.ts'
import { type Route, signedRoute } from '../route.ts'
import { valueMaxOf } from './account-view.ts'
import { notSupported, said, withClientErrors, settingSayings } from './errors.ts'
import { decimal, flag, freshId, positionSide, positionSides } from './order-params.ts'
import type { Desk } from './order-routes.ts'
import { submit } from './orders.ts'
import type { ApiUser } from '../key-ring.ts'

const symbol = param.mandatory(param.symbol)
const done = { code: 200, msg: 'success' } as const
type Said = readonly [code: number, msg: string]
const modes: { readonly [M in 'margin' | 'side']: { readonly same: Said; readonly orders: Said; readonly position: Said } } = {
  margin: {
    same: [-4046, 'No need to change margin type.'],
    orders: [-4047, 'Margin type cannot be changed if there exists open orders.'],
    position: [-4048, 'Margin type cannot be changed if there exists position.'],
  },
  side: {
    same: [-4059, 'No need to change position side.'],
    orders: [-4067, 'Position side cannot be changed if there exists open orders.'],
    position: [-4068, 'Position side cannot be changed if there exists position.'],
  },
}

/**
 * Awaits a change of mode. If positions or orders prevent it, the error says which of the two; a mode that is already set is
 * reported as such even then.
 */
async function changeMode(
  { ask }: Context,
  user: ApiUser,
  what: 'margin' | 'side',
  market: ListedMarket | undefined,
  run: Promise<unknown>,
  is: (account: PerpAccountView) => boolean,
): Promise<void> {
  try {
    await run
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    if (error.refusal === 'MODE_UNCHANGED') throw new ApiError(...modes[what].same)
    if (error.refusal !== 'POSITION_OPEN') throw said(error, settingSayings)
    const account = await ask.perpAccount(user.user)
    if (is(account)) throw new ApiError(...modes[what].same)
    const hasPosition = account.positions.some((position) => market === undefined || position.market === market.market.id)
    throw new ApiError(...modes[what][hasPosition ? 'position' : 'orders'])
  }
}

/** Leverage, modes and the margin of isolated positions. */
export function settingRoutes({ context, names }: Desk): readonly Route[] {
  const write = (path: string) => ({ method: 'POST', path, scope: 'trade', weight: 1 }) as const
  const read = (path: string, weight: number) => ({ method: 'GET', path, scope: 'read', weight }) as const
  return [
    signedRoute(
      write('/fapi/v1/leverage'),
      { symbol, leverage: param.mandatory(param.integer(1, 1_000)) },
      async ({ symbol: name, leverage }, user) => {
        const market = names.market(name)
        const command = { type: 'perp.setLeverage', user: user.user, market: market.market.id, leverage } as const
        const clientErrors = { ...settingSayings, LEVERAGE_INVALID: [-4028, `Leverage ${leverage} is not valid`] } as const
        await withClientErrors(clientErrors, submit(context, user, command))
        return { leverage, maxNotionalValue: amountText(market.quote, valueMaxOf(market.market.perp as PerpTerms, leverage)), symbol: name }
      },
    ),
    signedRoute(
      write('/fapi/v1/marginType'),
      { symbol, marginType: param.mandatory(param.word(['ISOLATED', 'CROSSED'])) },
      async ({ symbol: name, marginType }, user) => {
        const market = names.market(name)
        const mode = marginType === 'CROSSED' ? 'cross' : 'isolated'
        const command = { type: 'perp.setMarginMode', user: user.user, market: market.market.id, mode } as const
        await changeMode(context, user, 'margin', market, submit(context, user, command), ({ settings }) =>
          settings.some((setting) => setting.market === market.market.id && setting.mode === mode),
        )
        return done
      },
    ),
    signedRoute(read('/fapi/v1/positionSide/dual', 30), {}, async (_values, user) => ({
      dualSidePosition: (await context.ask.perpAccount(user.user)).isHedge,
    })),
    signedRoute(write('/fapi/v1/positionSide/dual'), { dualSidePosition: param.mandatory(flag) }, async ({ dualSidePosition }, user) => {
      const command = { type: 'perp.setHedgeMode', user: user.user, isHedge: dualSidePosition } as const
      await changeMode(context, user, 'side', undefined, submit(context, user, command), ({ isHedge }) => isHedge === dualSidePosition)
      return done
    }),
    signedRoute(read('/fapi/v1/multiAssetsMargin', 30), {}, () => ({ multiAssetsMargin: false })),
    signedRoute(write('/fapi/v1/multiAssetsMargin'), { multiAssetsMargin: param.mandatory(flag) }, ({ multiAssetsMargin }) => {
      if (multiAssetsMargin) throw notSupported('margin of several assets')
      return done
    }),
    signedRoute(
      write('/fapi/v1/positionMargin'),
      {
        symbol,
        positionSide: param.withDefault(positionSide, 'BOTH'),
        amount: param.mandatory(decimal),
        type: param.mandatory(param.word(['1', '2'])),
      },
      async ({ symbol: name, positionSide: side, amount: text, type }, user) => {
        const market = names.market(name)
        const amount = readAmount(market.quote, text, 'amount')
        const command: AdjustMargin = {
          type: 'perp.adjustMargin',
          user: user.user,
          clientId: freshId(),
          market: market.market.id,
          position: positionSides[side],
          amount: (type === '1' ? amount : -amount) as typeof amount,
        }
        await withClientErrors(settingSayings, submit(context, user, command))
        return { amount: amountText(market.quote, amount), code: 200, msg: 'Successfully modify position margin.', type: Number(type) }
      },
    ),
  ]
}
