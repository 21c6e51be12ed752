/** The first steps of a customer. */
export type Progress = {
  readonly hasFunds: boolean
  readonly isSecured: boolean
  readonly isCertified: boolean
  readonly hasTraded: boolean
}
export type Step = 'deposit' | 'secure' | 'verify' | 'trade'

/** All steps in their order. Somebody who has traded had funds, even if none are left. */
export function stepsOf({
  hasFunds,
  isSecured,
  isCertified,
  hasTraded,
}: Progress): readonly { readonly step: Step; readonly isDone: boolean }[] {
  return [
    { step: 'deposit', isDone: hasFunds || hasTraded },
    { step: 'secure', isDone: isSecured },
    { step: 'verify', isDone: isCertified },
    { step: 'trade', isDone: hasTraded },
  ]
}

/** The first step that is not done; undefined when all are. */
export function nextStep(progress: Progress): Step | undefined {
  return stepsOf(progress).find(({ isDone }) => !isDone)?.step
}
