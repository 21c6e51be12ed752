import type { HomeLayout } from '@candor/core/protocol/wire/own/preferences.ts'

/** The first steps of a customer. */
export type Progress = {
  readonly hasFunds: boolean
  readonly isSecured: boolean
  readonly isCertified: boolean
  /** Whether money was ever moved out of the Spot account. */
  readonly hasMoved: boolean
  readonly hasTraded: boolean
  /** Undefined where there is no Second: its steps are left out. */
  readonly hasSecond: boolean | undefined
  readonly hasChecked: boolean
}
export type Step = 'deposit' | 'secure' | 'verify' | 'trade' | 'move' | 'second' | 'check'

/** All steps in their order. Somebody who has traded or moved money had funds, even if none are left. */
export function stepsOf(progress: Progress): readonly { readonly step: Step; readonly isDone: boolean }[] {
  const { hasFunds, isSecured, isCertified, hasMoved, hasTraded, hasSecond, hasChecked } = progress
  const all = [
    { step: 'deposit', isDone: hasFunds || hasTraded || hasMoved },
    { step: 'secure', isDone: isSecured },
    { step: 'trade', isDone: hasTraded },
    { step: 'verify', isDone: isCertified },
    { step: 'move', isDone: hasMoved || hasSecond === true },
    { step: 'second', isDone: hasSecond === true },
    { step: 'check', isDone: hasChecked },
  ] as const
  return all.filter(({ step }) => hasSecond !== undefined || (step !== 'second' && step !== 'check'))
}

/** The first step that is not done; undefined when all are. */
export function nextStep(progress: Progress): Step | undefined {
  return stepsOf(progress).find(({ isDone }) => !isDone)?.step
}

/** The start page without the card of the first steps. */
export function withoutSteps(layout: HomeLayout): HomeLayout {
  return { ...layout, cards: layout.cards.filter((card) => card !== 'next') }
}

/** The start page with that card, which comes back as the first one. */
export function withSteps(layout: HomeLayout): HomeLayout {
  return layout.cards.includes('next') ? layout : { ...layout, cards: ['next', ...layout.cards] }
}
