/** Which cards and quick actions the start page shows, and in which order. */
import { homeCards, type HomeLayout, type QuickAction, quickActions } from '@candor/core/protocol/wire/own/preferences.ts'

/** The path of each quick action; `funds` opens a sheet. One whose screen does not exist is not offered. */
export const quickPaths: Readonly<Record<Exclude<QuickAction, 'funds'>, string>> = {
  deposit: '/recharge',
  convert: '/exchange',
  trade: '/spot',
  second: '/Second',
  presale: '/sellList',
  invite: '/join',
  orders: '/entrust',
  records: '/propertyRecord',
}

export const usualLayout: HomeLayout = {
  cards: homeCards,
  actions: ['deposit', 'convert', 'trade', 'second', 'presale', 'invite', 'orders'],
}

/** The actions whose screen is among the app's paths. Practice funds exist in a sandbox only. */
export function offeredActions(hasFaucet: boolean, paths: object): readonly QuickAction[] {
  return quickActions.filter((action) => (action === 'funds' ? hasFaucet : Object.hasOwn(paths, quickPaths[action])))
}

/** The actions that are shown: those of the layout that this exchange offers. Until something was chosen, practice funds come first. */
export function shownActions({ actions }: HomeLayout, offered: readonly QuickAction[]): readonly QuickAction[] {
  const chosen = actions.filter((action) => offered.includes(action))
  const isUsual = actions.join() === usualLayout.actions.join()
  return isUsual && offered.includes('funds') ? ['funds', ...chosen] : chosen
}

/** All entries in the order of the editor: the shown ones, then the others. */
export function inOrder<T>(shown: readonly T[], all: readonly T[]): readonly T[] {
  return [...shown, ...all.filter((one) => !shown.includes(one))]
}

/** How many actions are in a line, so that lines are about equally long. */
export function columnsOf(count: number): 3 | 4 | 5 {
  return count <= 5 ? 5 : count === 6 ? 3 : 4
}
