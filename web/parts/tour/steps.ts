/** What a tour of a desk points at, step by step. */
import type { DeskName } from '@candor/core/protocol/wire/own/preferences.ts'
import type { Translate } from '../../app/translate.ts'

export const tourSteps = {
  spot: ['header', 'book', 'ticket', 'costs', 'panel'],
  perp: ['header', 'account', 'ticket', 'costs', 'panel'],
  margin: ['header', 'account', 'ticket', 'loan', 'panel'],
  option: ['header', 'chart', 'duration', 'outcome', 'panel'],
} as const satisfies Readonly<Record<DeskName, readonly string[]>>

export type TourStep<Desk extends DeskName = DeskName> = (typeof tourSteps)[Desk][number]

/** Where a step points: the part of the screen as assistive technology knows it. */
export function selectorOf(desk: DeskName, step: TourStep, t: Translate): string {
  const named = (label: string): string => `main section[aria-label="${CSS.escape(label)}"]`
  const ticket = named(desk === 'option' ? t('option.ticket') : t('trade.ticket'))
  switch (step) {
    case 'header':
      return 'main header'
    case 'book':
      return named(t('trade.book'))
    case 'ticket':
      return `${ticket} input`
    case 'costs':
    case 'outcome':
      return `${ticket} dl`
    case 'account':
      return desk === 'margin' ? named(t('margin.accountTab')) : `${ticket} > div:first-child`
    case 'loan':
      return `${ticket} input[type=checkbox]`
    case 'chart':
      return 'main [role=img]'
    case 'duration':
      return `${ticket} [role=radiogroup]`
    case 'panel':
      return 'main section:has(> [role=tabpanel]) [role=tablist]'
  }
}

/** How far the light reaches around the part: an input stands for its field, a checkbox for its line. */
export function lit(element: Element): Element {
  return element.matches('input[type=checkbox]')
    ? (element.closest('label') ?? element)
    : element.matches('input')
      ? (element.closest('section > div, section') ?? element)
      : element
}
