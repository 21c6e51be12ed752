/** The steps of the check, and which of them are done. The exchange keeps the draft, so they are the same on every device. */
import {
  type PaperField,
  type PaperKind,
  type PhotoSide,
  sidesOf,
  type WirePaperFault,
  type WirePapers,
} from '@candor/core/protocol/wire/papers.ts'

export type Step = 'document' | 'data' | PhotoSide | 'review'

/** Before the kind is known, both sides are counted. */
export function stepsOf(kind: PaperKind | null): readonly Step[] {
  return ['document', 'data', ...sidesOf(kind ?? 'id-card'), 'review']
}

export function fieldsIn(step: Step): readonly PaperField[] {
  if (step === 'document') return ['kind', 'country']
  if (step === 'data') return ['name', 'born', 'number']
  return step === 'review' ? [] : [step]
}

export function stepOf(field: PaperField): Step {
  if (field === 'front' || field === 'back') return field
  return field === 'kind' || field === 'country' ? 'document' : 'data'
}

export function faultOf({ faults }: Pick<WirePapers, 'faults'>, field: PaperField): WirePaperFault | undefined {
  return faults.find((fault) => fault.field === field)
}

/** Whether nothing is missing in the step, and nothing that was turned down is left in it. */
export function isDone(papers: WirePapers, step: Step): boolean {
  return step !== 'review' && fieldsIn(step).every((field) => has(papers, field) && faultOf(papers, field) === undefined)
}

/** The first step that is not done, from the beginning or after a step. */
export function nextStep(papers: WirePapers, after?: Step): Step {
  const steps = stepsOf(papers.kind)
  return steps.slice(after === undefined ? 0 : steps.indexOf(after) + 1).find((step) => !isDone(papers, step)) ?? 'review'
}

/**
 * Whether the steps before are filled. Data that was turned down may be sent unchanged, because the customer may be right; a photo
 * may not.
 */
export function isReachable(papers: WirePapers, step: Step): boolean {
  const steps = stepsOf(papers.kind)
  const at = steps.indexOf(step)
  const isFilled = (one: Step): boolean =>
    fieldsIn(one).every((field) => has(papers, field) && (step !== 'review' || !isPhoto(field) || faultOf(papers, field) === undefined))
  return at >= 0 && steps.slice(0, at).every(isFilled)
}

/** The step to show: the one asked for if it can be reached, else the first that is not done. */
export function shownStep(papers: WirePapers, asked: string | null): Step {
  const step = stepsOf(papers.kind).find((one) => one === asked)
  return step !== undefined && isReachable(papers, step) ? step : nextStep(papers)
}

function has(papers: WirePapers, field: PaperField): boolean {
  return isPhoto(field) ? papers.photos.some(({ side }) => side === field) : papers[field] !== null
}

function isPhoto(field: PaperField): field is PhotoSide {
  return field === 'front' || field === 'back'
}
